package streamable

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// answer is the server's answer to a request.
type answer struct {
	wire.Message
	line []byte
}

// as returns the answer as a line with the id that the client knows.
func (a answer) as(id jsontext.Value) []byte {
	switch {
	case string(a.ID) == string(id):
		return a.line
	case a.Error != nil:
		return wire.AppendError(nil, id, a.Error)
	}
	return wire.AppendResult(nil, id, a.Result)
}

// listener is how one request is listened to.
type listener struct {
	c      *conn
	f      *flight
	id     jsontext.Value // under which the request was sent
	legacy *session       // of a request of the older kind; it allows batches and resumption
}

// answer reads the HTTP answer to a request until the answer of the protocol is there. What comes before it goes to the
// reader. An answer that is no message of the protocol is an error.
func (l *listener) answer(resp *http.Response) (answer, error) {
	kind, good := mediaType(resp), resp.StatusCode/100 == 2
	if good && kind == acceptEvents {
		return l.stream(resp)
	}
	body, err := l.c.t.readBody(resp)
	if err != nil && good {
		return answer{}, err
	}
	fail := func(text string) (answer, error) {
		e := statusError(resp, nil)
		e.Text = text
		return answer{}, e
	}
	if !good {
		if m, refused := wire.Parse(body, limits); refused == nil && m.Error != nil && (m.ID == nil || string(m.ID) == string(l.id)) {
			return answer{m, body}, nil
		}
		return answer{}, statusError(resp, body)
	}
	switch {
	case resp.StatusCode == http.StatusAccepted || len(body) == 0:
		return fail("the server took the request without answering it")
	case !isJSON(kind):
		return fail(fmt.Sprintf("the answer is of the type %q, which is neither JSON nor a stream of events: %s", kind, firstText(kind, body)))
	}
	a, reason := l.pick(body)
	if reason != "" {
		return fail(fmt.Sprintf("%s: %s", reason, firstText(kind, body)))
	}
	return a, nil
}

// pick finds the answer in a body of JSON, or says what is there instead.
func (l *listener) pick(body []byte) (a answer, reason string) {
	reason = "the answer is an empty batch"
	for _, message := range l.messages(body) {
		m, refused := wire.Parse(message, limits)
		switch {
		case refused != nil:
			reason = "the answer is no message of the protocol: " + refused.Message
		case l.answers(m):
			a = answer{m, message}
		case m.Method != "":
			l.c.deliver(message)
			reason = "the answer is no response"
		default:
			reason = "the answer belongs to another request, with the id " + string(m.ID)
		}
	}
	if a.line != nil {
		reason = ""
	}
	return a, reason
}

// messages splits a batch, which only legacy servers may send.
func (l *listener) messages(body []byte) []jsontext.Value {
	if l.legacy != nil {
		if elements, ok := wire.ParseBatch(body, limits); ok {
			return elements
		}
	}
	return []jsontext.Value{body}
}

// answers reports whether a message answers the request. An error without an id does: it is the only one that the server
// has been asked in this exchange.
func (l *listener) answers(m wire.Message) bool {
	return m.Method == "" && (string(m.ID) == string(l.id) || m.ID == nil && m.Error != nil)
}

// stream reads events until the answer is there. A legacy stream that breaks is taken up again after the last event that
// had an id; a modern one cannot be.
func (l *listener) stream(resp *http.Response) (answer, error) {
	var attempts int
	var seen string
	for {
		s := newEvents(resp.Body, l.c.t.o.MaxMessage)
		s.lastID = seen
		a, err := l.events(s)
		if err == nil {
			l.f.body = resp.Body
			return a, nil
		}
		resp.Body.Close()
		if !errors.Is(err, mcpclient.ErrLost) || l.legacy == nil || s.lastID == "" || l.f.ctx.Err() != nil {
			return answer{}, fmt.Errorf("%s %s: %w", resp.Request.Method, shown(resp.Request.URL), err)
		}
		if s.lastID != seen {
			seen, attempts = s.lastID, 0
		}
		next, failed := l.resume(s, &attempts)
		if failed != nil {
			return answer{}, fmt.Errorf("%w (resuming failed: %v)", err, failed)
		}
		resp = next
	}
}

// events reads one stream to the answer or to its end.
func (l *listener) events(s *events) (answer, error) {
	for {
		e, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			return answer{}, fmt.Errorf("%w: the stream ended before it", mcpclient.ErrLost)
		case err != nil:
			return answer{}, fmt.Errorf("%w: %w", mcpclient.ErrLost, err)
		case e.name != "" && e.name != "message":
			continue
		case e.tooLong:
			return answer{}, fmt.Errorf("%w: an event of more than %d bytes", errTooLong, l.c.t.o.MaxMessage)
		}
		for _, message := range l.messages(e.data) {
			m, refused := wire.Parse(message, limits)
			switch {
			case refused != nil || m.Method != "":
				l.c.deliver(message) // The reader counts what is no message.
			case l.answers(m):
				return answer{m, message}, nil
			default:
				l.c.log.Debug("ignored an answer in the stream of another request", "id", string(m.ID))
			}
		}
	}
}

const (
	// maxAttempts is how often the stream of a request is taken up again without a new event.
	maxAttempts = 5
	// firstRetry and lastRetry bound the wait before that when the server does not say how long.
	firstRetry = 500 * time.Millisecond
	lastRetry  = time.Minute
)

// resume opens the rest of a broken stream.
func (l *listener) resume(s *events, attempts *int) (*http.Response, error) {
	for {
		if *attempts++; *attempts > maxAttempts {
			return nil, fmt.Errorf("no new event in %d attempts", maxAttempts)
		}
		if !sleep(l.f.ctx, s.pause(*attempts)) {
			return nil, context.Cause(l.f.ctx)
		}
		resp, err := l.c.get(l.f.ctx, l.legacy, s.lastID)
		if err == nil {
			return resp, nil
		}
		if e, ok := errors.AsType[*Error](err); ok && e.Status < 500 {
			return nil, err
		}
		l.c.log.Debug("a stream of the MCP server could not be taken up again", "error", err, "attempt", *attempts)
	}
}

// pause returns how long to wait before an attempt: what the server said, which must not make a loop without pauses.
func (s *events) pause(attempt int) time.Duration {
	if s.timed {
		return max(s.retry, min(time.Duration(attempt-1)*firstRetry, lastRetry))
	}
	return backoff(attempt)
}

func backoff(attempt int) time.Duration {
	return min(firstRetry<<min(attempt-1, 10), lastRetry)
}
