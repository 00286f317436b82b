package shim

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/elyra-go/elyra/internal/endpoint"
)

// session is one client's connection, across everybody who serves it.
//
// The goroutine that reads the client's lines also passes them on: another one in between would cost each call a switch
// of threads. It does so only while direct is set; whoever serves is changed meanwhile by the goroutine of run.
type session struct {
	o       Options
	out     *output
	flights *flights
	handed  chan handover // from the reader, at most one for each backend
	eof     chan struct{} // closed at the end of stdin

	turn   sync.Mutex // guards what follows
	change *sync.Cond // of direct and over
	direct *backend   // whom the reader passes pieces on to; nil while that changes
	over   bool       // nothing is passed on any more

	pending *piece   // taken from stdin and not sent yet
	inLine  bool     // the last piece sent was not the end of its line
	skip    bool     // the rest of the line is for nobody
	resend  []flight // what opened the conversation and was lost without an answer; only run's goroutine has it
	ownIDs  int      // likewise
}

// handover is the reader's word that it cannot go on with a backend.
type handover struct {
	why  end
	next *backend // who takes over, nil when that is to be found
}

// end says why a backend no longer serves.
type end int

const (
	finished end = iota // the client or this program is done
	lost                // it went away
	replaced            // the app runs again and takes over
)

func newSession(o Options) *session {
	s := &session{
		o: o, out: newOutput(o.Stdout), flights: newFlights(),
		handed: make(chan handover, 1), eof: make(chan struct{}),
	}
	s.change = sync.NewCond(&s.turn)
	return s
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

// serve has the client's lines passed to b until one of the three ends. For replaced it returns the app.
func (s *session) serve(ctx context.Context, b *backend, again bool) (end, *backend) {
	stop := context.AfterFunc(ctx, b.interrupt)
	defer stop()
	if again && !s.replay(ctx, b) {
		return s.ended(ctx), nil
	}
	if h, ok := s.begin(ctx, b); !ok {
		return h.why, h.next
	}
	defer s.pause()
	select {
	case h := <-s.handed:
		return h.why, h.next
	case <-b.gone:
		b.interrupt() // the reader may be in a write that nobody takes
		return s.ended(ctx), nil
	case <-ctx.Done():
		return s.ended(ctx), nil
	case <-s.eof:
	}
	select {
	case h := <-s.handed: // the last line could not be sent
		return h.why, h.next
	case <-b.gone:
		return s.ended(ctx), nil
	default:
		return finished, nil
	}
}

// ended tells a backend that went away from a program or client that did.
func (s *session) ended(ctx context.Context) end {
	if ctx.Err() != nil || s.out.failed() != nil {
		return finished
	}
	return lost
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
