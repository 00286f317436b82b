package headless

import (
	"context"
	"errors"
	"fmt"

	"github.com/elyra-go/elyra/window"
)

var (
	_ window.FileDialogs = (*Backend)(nil)
	_ window.Notifier    = (*Backend)(nil)
)

// OpenFile has Options.OpenFile choose. See window.FileDialogs.
func (b *Backend) OpenFile(ctx context.Context, windowID string, d window.OpenDialog) (paths []string, err error) {
	err = b.choose(ctx, windowID, func(ctx context.Context, windowID string) {
		paths = b.options.OpenFile(ctx, windowID, d)
	})
	if err != nil {
		return nil, err
	}
	if len(paths) > 1 && !d.Multiple {
		return nil, fmt.Errorf("open a file: %d were chosen in a dialog for one", len(paths))
	}
	return paths, nil
}

// SaveFile has Options.SaveFile choose. See window.FileDialogs.
func (b *Backend) SaveFile(ctx context.Context, windowID string, d window.SaveDialog) (path string, err error) {
	err = b.choose(ctx, windowID, func(ctx context.Context, windowID string) {
		path = b.options.SaveFile(ctx, windowID, d)
	})
	if err != nil {
		return "", err
	}
	return path, nil
}

// choose lets the user of a window choose, unless they are choosing already.
func (b *Backend) choose(ctx context.Context, windowID string, user func(ctx context.Context, windowID string)) error {
	var p *Page
	err := b.while(ctx, func(r *run) error {
		if windowID == "" {
			windowID = r.first
		}
		if p = r.pages[windowID]; p == nil {
			return fmt.Errorf("show a file dialog: window %q is not open", windowID)
		}
		if !p.choosing.CompareAndSwap(false, true) {
			return errors.New("show a file dialog: the window has one already")
		}
		return nil
	})
	if err != nil {
		return err
	}
	choosing, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.ctx, cancel)()
	user(choosing, windowID)
	p.choosing.Store(false)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p.ctx.Err() != nil:
		return window.ErrClosed
	}
	return nil
}

// Notify gives n to Options.Notify. See window.Notifier.
func (b *Backend) Notify(ctx context.Context, n window.Notification) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.options.Notify(n)
	return nil
}
