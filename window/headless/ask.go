package headless

import (
	"context"

	"github.com/elyra-go/elyra/window"
)

var _ window.Asker = (*Backend)(nil)

// Ask has Options.Ask answer. See window.Asker.
func (b *Backend) Ask(ctx context.Context, q window.Question) (accepted bool, err error) {
	b.mu.Lock()
	running := b.running
	b.mu.Unlock()
	if running == nil {
		return false, window.ErrNotRunning
	}
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(running, cancel)()
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-asking.Done():
	}
	if asking.Err() == nil {
		accepted = b.options.Ask(asking, q.WithDefaults())
	}
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case running.Err() != nil:
		return false, window.ErrNotRunning
	}
	return accepted, nil
}
