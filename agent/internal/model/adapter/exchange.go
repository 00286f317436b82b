package adapter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// DefaultIdle is how long a server may be silent in the middle of a request.
const DefaultIdle = 5 * time.Minute

const (
	maxErrorBody = 64 << 10 // of an answer that is an error
	maxAnswer    = 64 << 20 // of a stream
)

// errIdle is the cause when a server was silent for too long.
var errIdle = errors.New("silent for too long")

// Exchange sends requests to one vendor. SDKs take it for their HTTP client.
type Exchange struct {
	Vendor string            // for messages
	Key    string            // never part of a message
	HTTP   *http.Client      // nil: a client with the default transport, which obeys the environment's proxies
	Idle   time.Duration     // 0: DefaultIdle
	Header map[string]string // set on every request
}

// Do sends a request. An answer that is no stream is an *model.Error: an error status, a redirection, which is not followed
// because the request carries a key, or a page of some proxy. The body of the response fails with an *model.Error when
// it is cut off, too long or silent for too long.
func (x *Exchange) Do(request *http.Request) (*http.Response, error) {
	client := http.Client{}
	if x.HTTP != nil {
		client = *x.HTTP
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	idle := x.Idle
	if idle == 0 {
		idle = DefaultIdle
	}
	ctx, cancel := context.WithCancelCause(request.Context())
	watch := time.AfterFunc(idle, func() { cancel(errIdle) })
	request = request.Clone(ctx)
	for name, value := range x.Header {
		request.Header.Set(name, value)
	}
	body := &guarded{exchange: x, ctx: ctx, cancel: cancel, watch: watch, idle: idle}
	response, err := client.Do(request)
	if err != nil {
		err = x.broken(ctx, idle, err)
		body.stop()
		return nil, err
	}
	body.inner = response.Body
	response.Body = body
	if failure := x.unusable(response); failure != nil {
		_ = body.Close()
		return nil, failure
	}
	return response, nil
}

// unusable returns why a response is no stream, or nil.
func (x *Exchange) unusable(response *http.Response) error {
	media, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	page := media == "text/html" || media == "application/json"
	if response.StatusCode < 300 && !page {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorBody))
	failure := x.Failure(response.StatusCode, text)
	failure.RetryAfter = retryAfter(response.Header, time.Now())
	failure.RequestID = requestID(response.Header)
	switch {
	case response.StatusCode < 300:
		failure.Message = fmt.Sprintf("%s: answered with %s and not with a stream of events: %s", x.Vendor, media,
			strings.TrimPrefix(failure.Message, x.Vendor+": "))
	case response.StatusCode < 400:
		failure.Kind = model.ErrInvalid
		failure.Message = fmt.Sprintf("%s: the server sends us elsewhere (status %d)%s; correct the base URL", x.Vendor,
			response.StatusCode, redirection(response.Header.Get("Location")))
	}
	return failure
}

func redirection(location string) string {
	u, err := url.Parse(location)
	if err != nil || u.Host == "" {
		return ""
	}
	return ", to " + u.Scheme + "://" + u.Host
}

func requestID(h http.Header) string {
	for _, name := range []string{"Request-Id", "X-Request-Id"} {
		if id := h.Get(name); id != "" {
			return Plain(id, 128)
		}
	}
	return ""
}

// broken makes an *model.Error of an error of the network, unless it is the caller who ended the request.
func (x *Exchange) broken(ctx context.Context, idle time.Duration, err error) error {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errIdle):
		return &model.Error{Kind: model.ErrNetwork, Message: fmt.Sprintf("%s: the server was silent for %v", x.Vendor, idle)}
	case cause != nil:
		return cause
	}
	var failure *model.Error
	if errors.As(err, &failure) {
		return failure
	}
	var outer *url.Error
	host := ""
	if errors.As(err, &outer) {
		err = outer.Err
		if u, parseErr := url.Parse(outer.URL); parseErr == nil {
			host = " " + u.Host
		}
	}
	return &model.Error{Kind: model.ErrNetwork, Message: x.redact(fmt.Sprintf("%s: cannot reach%s: %v", x.Vendor, host, err))}
}

// redact takes the key out of a text, since servers echo what they refuse.
func (x *Exchange) redact(text string) string {
	if len(x.Key) < 4 {
		return text
	}
	return strings.ReplaceAll(text, x.Key, "[key]")
}

// guarded is the body of a response under bounds.
type guarded struct {
	exchange *Exchange
	inner    io.ReadCloser
	ctx      context.Context
	cancel   context.CancelCauseFunc
	watch    *time.Timer
	idle     time.Duration
	read     int64
}

func (g *guarded) Read(p []byte) (int, error) {
	n, err := g.inner.Read(p)
	if n > 0 {
		g.watch.Reset(g.idle)
	}
	if g.read += int64(n); g.read > maxAnswer {
		return n, &model.Error{Kind: model.ErrServer, Message: g.exchange.Vendor + ": the answer is longer than 64 MB"}
	}
	if err == nil || err == io.EOF {
		return n, err
	}
	if context.Cause(g.ctx) != nil {
		return n, g.exchange.broken(g.ctx, g.idle, err)
	}
	return n, &model.Error{Kind: model.ErrNetwork, Message: fmt.Sprintf("%s: the answer broke off: %v", g.exchange.Vendor, err)}
}

func (g *guarded) Close() error {
	g.stop()
	return g.inner.Close()
}

func (g *guarded) stop() {
	g.watch.Stop()
	g.cancel(nil)
}
