package shim

import (
	"bytes"
	"context"
	"time"
)

// readStdin starts the goroutine that reads the client's lines, and returns what stops it. A read that
// has no deadline cannot be stopped; it ends with the program.
func (s *session) readStdin(ctx context.Context) (stop func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(s.eof)
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
			if !s.pass(ctx, p) {
				return
			}
		}
	}()
	return func() {
		s.turn.Lock()
		s.over = true
		s.turn.Unlock()
		s.change.Broadcast()
		d, ok := s.o.Stdin.(interface{ SetReadDeadline(time.Time) error })
		if ok && d.SetReadDeadline(time.Unix(1, 0)) == nil {
			<-ended
		}
	}
}

// pass passes a piece on to whoever serves, as soon as somebody does. It reports false when nobody ever will.
func (s *session) pass(ctx context.Context, p piece) bool {
	s.turn.Lock()
	defer s.turn.Unlock()
	for s.direct == nil && !s.over {
		s.change.Wait()
	}
	if s.over {
		return false
	}
	if h, ok := s.forward(ctx, s.direct, p); !ok {
		s.direct = nil
		s.handed <- h
	}
	return true
}

// begin has the reader pass its pieces on to b, after the one that b's predecessor did not take.
func (s *session) begin(ctx context.Context, b *backend) (h handover, ok bool) {
	s.turn.Lock()
	defer s.turn.Unlock()
	if p := s.pending; p != nil {
		s.pending = nil
		if h, ok := s.forward(ctx, b, *p); !ok {
			return h, false
		}
	}
	s.direct = b
	s.change.Broadcast()
	return handover{}, true
}

// pause keeps the reader from passing anything on until somebody else serves. A write that it is in returns, because
// whoever served is gone or has been interrupted.
func (s *session) pause() {
	s.turn.Lock()
	defer s.turn.Unlock()
	s.direct = nil
	select {
	case h := <-s.handed: // nobody wanted to know any more
		if h.next != nil {
			h.next.close()
		}
	default:
	}
}

// forward passes one piece on to b. It reports false when b cannot take it, or gives way to another. A piece of which
// nothing was sent is then kept for whoever follows, so that it is never sent twice.
func (s *session) forward(ctx context.Context, b *backend, p piece) (h handover, ok bool) {
	select {
	case <-b.gone:
		s.keep(p)
		return handover{why: s.ended(ctx)}, false
	default:
	}
	if app := s.reopened(ctx, b, p); app != nil {
		s.keep(p)
		return handover{replaced, app}, false
	}
	if s.skip || !s.flights.fromClient(p) {
		s.skip = !p.last
		return handover{}, true
	}
	s.inLine = !p.last
	data := p.data
	if p.torn {
		data = append(data[:len(data):len(data)], '\n')
	}
	sent, err := b.Write(data)
	if err == nil {
		return handover{}, true
	}
	s.o.Log.Debug("write to whoever serves", "error", err)
	if sent == 0 && p.first && p.last {
		s.flights.unsent(p)
		s.keep(p)
	}
	return handover{why: s.ended(ctx)}, false
}

func (s *session) keep(p piece) {
	p.data = bytes.Clone(p.data)
	s.pending = &p
}
