package shim

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/elyra-go/elyra/internal/endpoint"
	"github.com/elyra-go/elyra/internal/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// session is one client's connection, across everybody who serves it. Its fields belong to the goroutine
// of run, except out and flights.
type session struct {
	o       Options
	out     *output
	flights *flights
	stdin   chan piece // closed at its end

	pending *piece   // taken from stdin and not sent yet
	inLine  bool     // the last piece sent was not the end of its line
	skip    bool     // the rest of the line is for nobody
	resend  []flight // what opened the conversation and was lost without an answer
	ownIDs  int
}

// end says why a backend no longer serves.
type end int

const (
	finished end = iota // the client or this program is done
	lost                // it went away
	replaced            // the app runs again and takes over
)

func newSession(o Options) *session {
	return &session{o: o, out: newOutput(o.Stdout), flights: newFlights(), stdin: make(chan piece)}
}

// readStdin starts the goroutine that reads the client's lines, and returns what stops it. A read that
// has no deadline cannot be stopped; it ends with the program.
func (s *session) readStdin() (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer close(s.stdin)
		lines := newLineReader(s.o.Stdin)
		for {
			p, err := lines.next()
			if err != nil {
				s.o.Log.Debug("the client closed its side", "error", err)
				return
			}
			if p.first && p.last && len(bytes.TrimSpace(p.data)) == 0 {
				continue
			}
			p.data = bytes.Clone(p.data)
			select {
			case s.stdin <- p:
			case <-done:
				return
			}
		}
	}()
	return func() {
		close(done)
		d, ok := s.o.Stdin.(interface{ SetReadDeadline(time.Time) error })
		if ok && d.SetReadDeadline(time.Unix(1, 0)) == nil {
			<-ended
		}
	}
}

// run serves the client by b and, when that goes away, by those who follow.
func (s *session) run(ctx context.Context, b *backend) error {
	for again := false; ; again = true {
		go s.deliver(b)
		why, next := s.serve(ctx, b, again)
		err := s.retire(ctx, b, why)
		if why == finished {
			return err
		}
		s.answerLost(why == lost && !b.app)
		if why == lost && !b.app {
			return err
		}
		if next == nil {
			next = s.successor(ctx, b)
		}
		s.skip, s.inLine = s.inLine, false
		b = next
	}
}

// deliver passes on what b sends until it ends, and then closes b.gone.
func (s *session) deliver(b *backend) {
	defer close(b.gone)
	lines := newLineReader(b)
	inLine, drop := false, false
	for {
		p, err := lines.next()
		if err != nil || p.torn {
			break // half a message is of no use to anybody
		}
		if p.first {
			drop = !s.flights.fromServer(p)
		}
		if drop {
			continue
		}
		b.spoke = true
		inLine = !p.last
		if s.out.write(p.data, !lines.waiting()) != nil {
			return
		}
	}
	if inLine {
		s.out.write([]byte("\n"), false) // so that the next line is one again
	}
	s.out.write(nil, true)
}

// serve passes the client's lines to b until one of the three ends. For replaced it returns the app.
func (s *session) serve(ctx context.Context, b *backend, again bool) (end, *backend) {
	stop := context.AfterFunc(ctx, b.interrupt)
	defer stop()
	if again && !s.replay(ctx, b) {
		return s.ended(ctx), nil
	}
	for {
		p, ok := s.next(ctx, b)
		if !ok {
			return s.ended(ctx), nil
		}
		if p == nil {
			return finished, nil
		}
		if app := s.reopened(ctx, b, *p); app != nil {
			s.pending = p
			return replaced, app
		}
		if sent, err := s.forward(b, *p); err != nil {
			s.o.Log.Debug("write to whoever serves", "error", err)
			if sent == 0 && p.first && p.last {
				// Not a byte of it left, so the next may have it without its being sent twice.
				s.flights.unsent(*p)
				s.pending = p
			}
			return s.ended(ctx), nil
		}
	}
}

// next waits for a piece. It returns nil at the end of stdin, and false when b is gone or ctx ended.
func (s *session) next(ctx context.Context, b *backend) (*piece, bool) {
	if p := s.pending; p != nil {
		s.pending = nil
		return p, true
	}
	select {
	case <-b.gone: // preferred, because what is sent from here on would be lost
		return nil, false
	default:
	}
	select {
	case <-b.gone:
		return nil, false
	case <-ctx.Done():
		return nil, false
	case p, open := <-s.stdin:
		if !open {
			return nil, true
		}
		return &p, true
	}
}

// ended tells a backend that went away from a program or client that did.
func (s *session) ended(ctx context.Context) end {
	if ctx.Err() != nil || s.out.failed() != nil {
		return finished
	}
	return lost
}

// forward passes one piece on and returns how many bytes of it were sent.
func (s *session) forward(b *backend, p piece) (sent int, err error) {
	if s.skip || !s.flights.fromClient(p) {
		s.skip = !p.last
		return 0, nil
	}
	s.inLine = !p.last
	if p.torn {
		p.data = append(p.data, '\n')
	}
	return b.Write(p.data)
}

// retire closes b's input, lets its replies drain, and ends it.
func (s *session) retire(ctx context.Context, b *backend, why end) error {
	if err := b.closeWrite(); err != nil {
		s.o.Log.Debug("half-close", "error", err)
	}
	drain := time.NewTimer(drainTime)
	defer drain.Stop()
	select {
	case <-b.gone:
		return b.close()
	case <-drain.C:
		s.o.Log.Warn("replies did not come in time", "seconds", drainTime.Seconds())
	}
	err := b.close()
	// Nothing more can come from b, so what still holds the delivery up is a client that does not read.
	// It may take its time unless everything is over.
	over := ctx.Done()
	if why == finished {
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
		defer cancel()
		over = short.Done()
	}
	select {
	case <-b.gone:
		return err
	case <-over:
	}
	if s.out.interrupt() {
		<-b.gone
	}
	return err
}

// successor decides who serves after b went away.
func (s *session) successor(ctx context.Context, b *backend) *backend {
	conn, err := s.o.Dial(ctx)
	switch {
	case err == nil && b.app && !b.spoke:
		// It runs, and drops us before it says anything: trying again could go on for ever.
		conn.Close()
		err = errors.New("the app closes every connection")
	case err == nil:
		return fromApp(conn)
	}
	quit := errors.Is(err, endpoint.ErrNotRunning) && !errors.Is(err, endpoint.ErrCrashed)
	if quit && s.o.AfterQuit != nil {
		s.o.Log.Info("the user closed the app")
		next := inProcess(ctx, s.o.AfterQuit)
		next.untilApp = true
		return next
	}
	s.o.Log.Warn("the app went away, going on without a window", "error", err)
	return inProcess(ctx, s.o.Headless)
}

// reopened dials the app before a request, when b serves only for as long as the app is closed.
func (s *session) reopened(ctx context.Context, b *backend, p piece) *backend {
	if !b.untilApp || !p.first || s.skip {
		return nil
	}
	conn, err := s.o.Dial(ctx)
	if err != nil {
		return nil
	}
	s.o.Log.Info("the app was opened again")
	return fromApp(conn)
}

// The answers to requests that were lost with the app.
const (
	lostMessage   = "the app stopped; it is not known whether this ran"
	listenMessage = "the app stopped; this subscription has ended"
)

// answerLost answers what nobody else will answer any more. Requests that only open a conversation are
// kept for the next server, unless there will be none.
func (s *session) answerLost(last bool) {
	unanswered, questions := s.flights.lost()
	s.resend = nil
	for _, fl := range unanswered {
		if fl.line != nil && !last {
			s.resend = append(s.resend, fl)
			continue
		}
		message := lostMessage
		if fl.method == "subscriptions/listen" {
			message = listenMessage
		}
		e := wire.Errorf(wire.CodeInternal, "%s", message)
		s.out.write(append(wire.AppendError(nil, jsontext.Value(fl.id), e), '\n'), false)
	}
	for _, id := range questions {
		params := `{"requestId":` + id + `,"reason":"the app stopped"}`
		line := wire.AppendRequest(nil, nil, "notifications/cancelled", jsontext.Value(params))
		s.out.write(append(line, '\n'), false)
	}
	s.out.write(nil, true)
}
