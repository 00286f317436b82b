package streamable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra/internal/mcpclient"
)

const (
	// maxWaits is how often a request waits for a server that is busy.
	maxWaits = 3
	// minWait keeps a server that says "at once" from being asked in a loop.
	minWait = 100 * time.Millisecond
)

// outgoing is a request of HTTP, which may have to be sent more than once.
type outgoing struct {
	method string
	url    *url.URL
	header http.Header
	body   []byte
}

// send sends a request with authorization until it gets an answer that is for the caller to judge. A refusal of the
// authorization and a busy server are dealt with; a request that was sent and whose answer is lost is not sent again. The
// answer's body must be closed; it ends with ctx.
func (t *transport) send(ctx context.Context, r outgoing) (*http.Response, error) {
	if len(r.body) > t.o.MaxMessage {
		return nil, fmt.Errorf("%s %s: %w: the message is longer than %d bytes", r.method, shown(r.url), mcpclient.ErrNotSent, t.o.MaxMessage)
	}
	told := map[int]bool{}
	for waits := 0; ; {
		resp, used, err := t.once(ctx, r)
		if err != nil {
			return nil, err
		}
		wait, asked := retryAfter(resp)
		switch busy := resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable; {
		case t.o.Auth != nil && unauthorized(resp) && !told[resp.StatusCode]:
			told[resp.StatusCode] = true
			refusal := refusedStatus(resp)
			if err := t.o.Auth.Refused(ctx, resp.StatusCode, resp.Header.Values("WWW-Authenticate"), used); err != nil {
				return nil, fmt.Errorf("%w: %w", refusal, err)
			}
		case busy && asked && wait <= t.o.MaxWait && waits < maxWaits:
			waits++
			refusal := refusedStatus(resp)
			t.o.Log.Debug("the MCP server is busy", "status", resp.StatusCode, "wait", wait)
			if !sleep(ctx, max(wait, minWait)) {
				return nil, refusal
			}
		default:
			return resp, nil
		}
	}
}

// unauthorized reports whether an answer says that the authorization does not suffice.
func unauthorized(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusUnauthorized:
		return true
	case http.StatusForbidden:
		for _, challenge := range resp.Header.Values("WWW-Authenticate") {
			if strings.Contains(challenge, "insufficient_scope") {
				return true
			}
		}
	}
	return false
}

// once sends a request a single time, and returns the authorization that it was sent with.
func (t *transport) once(ctx context.Context, r outgoing) (resp *http.Response, used string, err error) {
	// The client itself sends a request on a second connection only when not a byte of it was written to the first. So it may
	// have been delivered as soon as a connection was there for the last attempt.
	var delivered atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { delivered.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { delivered.Store(true) },
	})
	req, err := http.NewRequestWithContext(traced, r.method, r.url.String(), bytes.NewReader(r.body))
	if err != nil {
		return nil, "", sendError(r.method, r.url, false, err)
	}
	maps.Copy(req.Header, t.o.Header)
	maps.Copy(req.Header, r.header)
	if t.o.Auth != nil {
		used, err = t.o.Auth.Authorize(ctx)
		if err != nil {
			return nil, "", sendError(r.method, r.url, false, fmt.Errorf("authorize: %w", err))
		}
		if used != "" {
			req.Header.Set("Authorization", used)
		}
	}
	resp, err = t.client.Do(req)
	if err != nil {
		return nil, used, sendError(r.method, r.url, delivered.Load(), err)
	}
	if encoding := resp.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		resp.Body.Close()
		return nil, used, fmt.Errorf("%s %s: %w: it is encoded as %q, which was not asked for", r.method, shown(r.url), mcpclient.ErrNotMCP, encoding)
	}
	return resp, used, nil
}

// errTooLong is an answer over the limit.
var errTooLong = errors.New("the answer is too long")

// readBody reads and closes the body of an answer.
func (t *transport) readBody(resp *http.Response) ([]byte, error) {
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(t.o.MaxMessage)+1))
	switch {
	case err != nil:
		return nil, sendError(resp.Request.Method, resp.Request.URL, true, err)
	case len(body) > t.o.MaxMessage:
		return nil, fmt.Errorf("%s %s: %w: more than %d bytes", resp.Request.Method, shown(resp.Request.URL), errTooLong, t.o.MaxMessage)
	}
	return bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")), nil
}

// sleep waits, and reports whether it did so to the end.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
