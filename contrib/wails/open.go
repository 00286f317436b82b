//go:build (windows || (darwin && cgo) || (linux && cgo && gtk3)) && !ios && !android

package wails

import (
	"context"
	"fmt"
	"slices"

	"github.com/wailsapp/wails/v3/pkg/application"
	"github.com/wailsapp/wails/v3/pkg/events"

	"github.com/elyra-go/elyra/window"
)

var _ window.Opener = (*backend)(nil)

// Open opens one more window. See window.Opener.
func (b *backend) Open(ctx context.Context, o window.Options) error {
	o = o.WithDefaults()
	s, err := b.session(ctx)
	if err != nil {
		return err
	}
	return s.open(o)
}

// Raise brings a window to the front. Wails has no use for what is told of the second start. See window.Opener.
func (b *backend) Raise(ctx context.Context, windowID, _ string) error {
	s, err := b.session(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	p := s.paneNamed(windowID)
	s.mu.Unlock()
	if p == nil {
		return fmt.Errorf("raise window %q: it is not open", windowID)
	}
	p.window.UnMinimise()
	p.window.Focus()
	return nil
}

// session gives the Run in progress while it has windows.
func (b *backend) session(ctx context.Context) (*session, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s := b.running.Load()
	if s == nil {
		return nil, window.ErrNotRunning
	}
	select {
	case <-s.ended:
		return nil, window.ErrNotRunning
	default:
		return s, nil
	}
}

// paneNamed gives the open window with an id, nil if there is none. The caller holds mu.
func (s *session) paneNamed(id string) *pane {
	at := slices.IndexFunc(s.panes, func(p *pane) bool { return p.id == id })
	if at < 0 {
		return nil
	}
	return s.panes[at]
}

// open opens a window and returns when it is there. It is not called on Wails' thread.
func (s *session) open(o window.Options) error {
	start := application.WindowStateNormal
	if o.Maximized {
		start = application.WindowStateMaximised
	}
	p := &pane{id: o.ID, geometry: window.Geometry{Width: o.Width, Height: o.Height, Maximized: o.Maximized}}
	p.window = application.NewWindow(s.onWindows(application.WebviewWindowOptions{
		Name:       o.ID,
		Title:      o.Title,
		Width:      o.Width,
		Height:     o.Height,
		StartState: start,
		URL:        "/",
	}))
	p.window.RegisterHook(events.Common.WindowClosing, func(*application.WindowEvent) { s.closed(p) })
	p.window.OnWindowEvent(events.Common.WindowDidResize, func(*application.WindowEvent) { s.measure(p) })

	s.mu.Lock()
	switch {
	case s.paneNamed(o.ID) != nil:
		s.mu.Unlock()
		return fmt.Errorf("open window %q: %w", o.ID, window.ErrAlreadyOpen)
	case len(s.panes) == 0 && !s.opening:
		s.mu.Unlock()
		return window.ErrNotRunning
	}
	s.panes = append(s.panes, p)
	s.mu.Unlock()
	s.pages.Open(p.window.ID(), o.ID, s.host.DocumentStart(o.ID))
	s.app.Window.Add(p.window)
	p.window.Run()
	return nil
}

// measure notes the size of a window. One that fills the screen keeps the size that it had before.
func (s *session) measure(p *pane) {
	maximized, fullscreen := p.window.IsMaximised(), p.window.IsFullscreen()
	width, height := p.window.Size()
	s.mu.Lock()
	defer s.mu.Unlock()
	p.geometry.Maximized = maximized
	if !maximized && !fullscreen && width > 0 && height > 0 {
		p.geometry.Width, p.geometry.Height = width, height
	}
}

// closed hears that a window is about to close, whoever asked for that. Wails takes it away after this.
func (s *session) closed(p *pane) {
	if p.closing.Swap(true) {
		return
	}
	s.measure(p)
	s.pages.Close(p.window.ID())
	s.mu.Lock()
	geometry := p.geometry
	s.mu.Unlock()
	if keeper, ok := s.host.(window.GeometryKeeper); ok {
		keeper.KeepGeometry(p.id, geometry)
	}
	s.host.Closed(p.id)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.panes = slices.DeleteFunc(s.panes, func(other *pane) bool { return other == p })
	s.endIfEmpty()
}
