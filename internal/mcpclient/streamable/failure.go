package streamable

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

const (
	// maxText is how many characters of a server's page an error quotes.
	maxText = 300
	// maxPage is how much of a page is read for it.
	maxPage = 64 << 10
)

// Error is an HTTP answer that holds no message of the protocol. It wraps mcpclient.ErrNotSent when its status says that
// the server has not worked on the request, and mcpclient.ErrNotMCP otherwise.
type Error struct {
	Method     string        // of HTTP
	URL        string        // without its query, in which a secret may stand
	Status     int           // of HTTP
	Text       string        // the beginning of what the server said, on one line
	RetryAfter time.Duration // how long the server asks to wait, 0 when it does not say
}

// Error returns what was sent where, the status and the server's words.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s %s: HTTP %d", e.Method, e.URL, e.Status)
	if name := http.StatusText(e.Status); name != "" {
		s += " " + name
	}
	if e.Text != "" {
		s += ": " + e.Text
	}
	if e.RetryAfter > 0 {
		s += fmt.Sprintf(" (try again in %v)", e.RetryAfter)
	}
	return s
}

// Unwrap returns mcpclient.ErrNotSent for the statuses of a door that stayed shut, else mcpclient.ErrNotMCP.
func (e *Error) Unwrap() error {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return mcpclient.ErrNotSent
	}
	return mcpclient.ErrNotMCP
}

// maybeSSE reports whether the status is one with which a server of HTTP+SSE alone refuses a POST.
func (e *Error) maybeSSE() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed
}

// statusError makes the error of an answer whose body was read as far as it is needed.
func statusError(resp *http.Response, body []byte) *Error {
	e := &Error{Method: resp.Request.Method, URL: shown(resp.Request.URL), Status: resp.StatusCode, Text: firstText(mediaType(resp), body)}
	e.RetryAfter, _ = retryAfter(resp)
	return e
}

// refusedStatus closes an answer and returns its error.
func refusedStatus(resp *http.Response) *Error {
	defer resp.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxPage)) // What could be read is quoted; the status says enough.
	return statusError(resp, body)
}

// sendError says why a request got no answer. The error of the client would quote the whole URL.
func sendError(method string, u *url.URL, delivered bool, err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	kind := mcpclient.ErrNotSent
	if _, redirected := errors.AsType[*redirectError](err); delivered && !redirected {
		kind = mcpclient.ErrLost
	}
	return fmt.Errorf("%s %s: %w: %w", method, shown(u), kind, err)
}

// answerError is the line that tells the reader of a failed request.
func answerError(id []byte, err error) []byte {
	code := wire.CodeInternal
	if e, ok := errors.AsType[*Error](err); ok {
		code = e.Status
	}
	return wire.AppendError(nil, id, wire.Errorf(code, "%s", err))
}

// retryAfter reads how long a server asks to wait, and whether it says so.
func retryAfter(resp *http.Response) (time.Duration, bool) {
	v := strings.TrimSpace(resp.Header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(v, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0, false
	}
	return max(0, time.Until(at)).Round(time.Second), true
}

// firstText returns the beginning of a page on one line, without what could change a terminal. Of a page in HTML it is the
// title, which says more than the markup before it.
func firstText(kind string, body []byte) string {
	text := strings.ToValidUTF8(string(body), "\uFFFD")
	if kind == "text/html" {
		lower := strings.ToLower(text)
		if _, after, ok := strings.Cut(lower, "<title>"); ok && len(lower) == len(text) {
			title, _, _ := strings.Cut(after, "</title>")
			start := len(text) - len(after)
			text = "a web page, " + strconv.Quote(strings.TrimSpace(text[start:start+len(title)]))
		}
	}
	var b strings.Builder
	n, space := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = n > 0
			continue
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		if n++; n > maxText {
			return b.String() + "…"
		}
		b.WriteRune(r)
	}
	return b.String()
}
