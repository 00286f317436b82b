package bridge

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/live"
)

// maxUnread is how many bytes may be on their way to a page. The page says what it has read; a web view's own
// buffers have no end, so without this a page that hangs would fill the memory.
const maxUnread = 1 << 20

// stream is the one way from the app to a window's page. One goroutine, the one that serves the page's request for it,
// writes it: it takes a live result or a message only when it can write it, so nothing queues up here. A window that
// is behind finds the newest result of each subscription, because those keep only that.
type stream struct {
	name   string
	cancel context.CancelFunc
	done   <-chan struct{} // closed by cancel
	ended  chan struct{}   // closed when the goroutine is done and the subscriptions are closed
	ops    chan op

	// Only the stream's goroutine uses what follows; others send it an op.
	open   []subscribed
	unread int64
}

// subscribed is one open live command under the number that the page gave it.
type subscribed struct {
	id   int64
	live Live
}

// op is something to do on the stream's goroutine. done is closed after it.
type op struct {
	run  func()
	done chan struct{}
}

// do runs something on the stream's goroutine and waits for it. It is false when the stream has ended.
func (s *stream) do(run func()) bool {
	o := op{run, make(chan struct{})}
	select {
	case s.ops <- o:
		<-o.done
		return true
	case <-s.done:
		return false
	case <-s.ended:
		return false
	}
}

// remove takes a subscription out and gives it to be closed, nil if there is none.
func (s *stream) remove(id int64) Live {
	for i, o := range s.open {
		if o.id == id {
			s.open = append(s.open[:i:i], s.open[i+1:]...)
			return o.live
		}
	}
	return nil
}

// pump is what a stream carries from where to where.
type pump struct {
	out      io.WriteCloser
	messages <-chan Message
	app      App
	stall    time.Duration
}

var (
	errStalled  = errors.New("the page has taken nothing for too long")
	errMessages = errors.New("the app ended the channels")
)

// The places of the cases that run selects among. Messages and results follow only when the page may be sent more.
const (
	caseDone = iota
	caseOp
	caseStall
	caseMessage
	caseLive // and those after it, one for each subscription
)

// run writes the stream until ctx ends, the page is gone or stalls, or the app ends the channels. It returns why.
func (s *stream) run(ctx context.Context, p pump) error {
	defer func() {
		for _, o := range s.open {
			o.live.Close()
		}
	}()
	defer p.out.Close()
	// Closing makes a Write that waits for the page return.
	defer context.AfterFunc(ctx, func() { p.out.Close() })()
	if err := s.write(p, nil); err != nil {
		return err
	}
	var stalled *time.Timer
	for {
		full := s.unread >= maxUnread
		var stall <-chan time.Time
		if full {
			if stalled == nil {
				stalled = time.NewTimer(p.stall)
			}
			stall = stalled.C
		} else if stalled != nil {
			stalled.Stop()
			stalled = nil
		}
		chosen, value, ok := reflect.Select(s.cases(ctx, p, stall, full))
		switch {
		case chosen == caseDone:
			return context.Cause(ctx)
		case chosen == caseOp:
			o := value.Interface().(op)
			before := s.unread
			o.run()
			close(o.done)
			if s.unread < before && stalled != nil {
				stalled.Reset(p.stall) // It reads again, if not yet enough.
			}
		case chosen == caseStall:
			return errStalled
		case chosen == caseMessage && !ok:
			return errMessages
		case chosen == caseMessage:
			if err := s.write(p, messageFrame(value.Interface().(Message))); err != nil {
				return err
			}
		case !ok:
			// The app closed the subscription. It stays closed until the page opens it again.
			s.remove(s.open[chosen-caseLive].id)
		default:
			if err := s.write(p, liveFrame(p.app, s.open[chosen-caseLive].id, value.Interface().(live.Update))); err != nil {
				return err
			}
		}
	}
}

func (s *stream) cases(ctx context.Context, p pump, stall <-chan time.Time, full bool) []reflect.SelectCase {
	receive := func(channel any) reflect.SelectCase {
		return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(channel)}
	}
	cases := []reflect.SelectCase{receive(ctx.Done()), receive(s.ops), receive(stall)}
	if full {
		return cases
	}
	cases = append(cases, receive(p.messages))
	for _, o := range s.open {
		cases = append(cases, receive(o.live.Updates()))
	}
	return cases
}

// write sends one frame: its length in four bytes, little endian, and its JSON.
func (s *stream) write(p pump, payload []byte) error {
	frame := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(payload)), uint32(len(payload)))
	frame = append(frame, payload...)
	late := time.AfterFunc(p.stall, func() { p.out.Close() })
	_, err := p.out.Write(frame)
	if !late.Stop() && err != nil {
		return errStalled
	}
	if err != nil {
		return fmt.Errorf("the page is gone: %w", err)
	}
	s.unread += int64(len(frame))
	return nil
}

func liveFrame(app App, id int64, u live.Update) []byte {
	frame := append([]byte(`{"t":"live","id":`), strconv.FormatInt(id, 10)...)
	if u.Err != nil {
		frame = append(append(frame, `,"error":`...), errorObject(app, u.Err)...)
	} else {
		frame = append(append(frame, `,"value":`...), orNull(u.Value)...)
	}
	return append(frame, '}')
}

func messageFrame(m Message) []byte {
	name, err := jsontext.AppendQuote([]byte(`{"t":"channel","channel":`), m.Channel)
	if err != nil {
		return nil // The name is not valid UTF-8, so that no page listens to it. An empty frame does nothing.
	}
	return append(append(append(name, `,"value":`...), orNull(m.Value)...), '}')
}

func orNull(value []byte) []byte {
	if len(value) == 0 {
		return []byte("null")
	}
	return value
}

// errorObject takes the error object out of the body that tells of an error.
func errorObject(app App, err error) []byte {
	_, body := app.DescribeError(err)
	var answer struct {
		Error jsontext.Value `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil || len(answer.Error) == 0 {
		return []byte(`{"kind":"internal","message":"the live command failed"}`)
	}
	return answer.Error
}
