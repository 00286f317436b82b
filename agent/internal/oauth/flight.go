package oauth

import "context"

// flight is work that several requests wait for.
type flight struct {
	done    chan struct{}
	err     error // readable once done is closed
	waiters int
	cancel  context.CancelFunc
}

// share runs work once for all that ask under the same name at the same time. The work goes on as long as one of them
// waits.
func (s *Session) share(ctx context.Context, name string, work func(ctx context.Context) error) error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return ErrClosed
	}
	f := s.flights[name]
	if f == nil {
		f = &flight{done: make(chan struct{})}
		var fctx context.Context
		fctx, f.cancel = context.WithCancel(s.ctx)
		s.flights[name] = f
		s.work.Go(func() {
			defer f.cancel()
			f.err = work(fctx)
			s.mu.Lock()
			if s.flights[name] == f {
				delete(s.flights, name)
			}
			s.mu.Unlock()
			close(f.done)
		})
	}
	f.waiters++
	s.mu.Unlock()

	select {
	case <-f.done:
		if f.err != nil && s.ctx.Err() != nil {
			return ErrClosed
		}
		return f.err
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.waiters--; f.waiters == 0 {
		f.cancel()
		if s.flights[name] == f {
			delete(s.flights, name) // Who comes now starts anew.
		}
	}
	return ctx.Err()
}

// shareInTurn is share for work that may log in or out: one of that kind runs at a time. A refresh does not wait for it,
// because a login waits for a human.
func (s *Session) shareInTurn(ctx context.Context, name string, work func(ctx context.Context) error) error {
	return s.share(ctx, name, func(ctx context.Context) error { return s.inTurn(ctx, work) })
}

func (s *Session) inTurn(ctx context.Context, work func(ctx context.Context) error) error {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-s.turn }()
	return work(ctx)
}
