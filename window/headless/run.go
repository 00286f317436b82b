package headless

import (
	"context"
	"fmt"
	"sync"

	"github.com/elyra-go/elyra/window"
)

var _ window.Opener = (*Backend)(nil)

// run is one Run.
type run struct {
	host window.Host
	page func(context.Context, *Page)
	ctx  context.Context

	closed sync.WaitGroup // counts the windows that are open, and what runs for them
	mu     sync.Mutex
	pages  map[string]*Page // the open ones
	first  string           // the id of the window that counts as the one in front
}

func (b *Backend) begin(running context.Context, r *run) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running, b.run = running, r
}

func (b *Backend) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running, b.run = nil, nil
}

// open opens a window. The caller holds mu.
func (r *run) open(o window.Options) {
	ctx, closeWindow := context.WithCancel(r.ctx)
	p := &Page{ID: o.ID, Script: r.host.DocumentStart(o.ID), host: r.host, ctx: ctx, closeWindow: closeWindow}
	r.pages[o.ID] = p
	if r.first == "" {
		r.first = o.ID
	}
	r.closed.Go(func() {
		p.running.Go(func() { r.page(ctx, p) })
		<-ctx.Done()
		r.mu.Lock() // so that the window is not opened again before the host knows that it was closed
		if keeper, ok := r.host.(window.GeometryKeeper); ok {
			keeper.KeepGeometry(o.ID, window.Geometry{Width: o.Width, Height: o.Height, Maximized: o.Maximized})
		}
		r.host.Closed(p.ID)
		delete(r.pages, o.ID)
		if r.first == o.ID {
			r.first = ""
			for other := range r.pages {
				r.first = other
			}
		}
		r.mu.Unlock()
		p.finish()
	})
}

// while runs something on the open windows of the Run in progress.
func (b *Backend) while(ctx context.Context, do func(*run) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.mu.Lock()
	r := b.run
	b.mu.Unlock()
	if r == nil {
		return window.ErrNotRunning
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.pages) == 0 || r.ctx.Err() != nil {
		return window.ErrNotRunning
	}
	return do(r)
}

// Open opens one more window. See window.Opener.
func (b *Backend) Open(ctx context.Context, o window.Options) error {
	o = o.WithDefaults()
	return b.while(ctx, func(r *run) error {
		if r.pages[o.ID] != nil {
			return fmt.Errorf("open window %q: %w", o.ID, window.ErrAlreadyOpen)
		}
		r.open(o)
		return nil
	})
}

// Raise does nothing to a window that is open. See window.Opener.
func (b *Backend) Raise(ctx context.Context, windowID, _ string) error {
	return b.while(ctx, func(r *run) error {
		if r.pages[windowID] == nil {
			return fmt.Errorf("raise window %q: it is not open", windowID)
		}
		return nil
	})
}
