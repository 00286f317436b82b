// Package headless is a backend without a screen: each window is a Go function that plays the page.
//
// It promises what package window asks of a backend, so that a test of an app's host needs no display.
// It is for tests; an app that runs without windows needs no backend at all.
package headless

import (
	"context"
	"sync"

	"github.com/elyra-go/elyra/window"
)

// Origin is where the pages of this backend come from.
const Origin = "headless://app"

// Options of the backend.
type Options struct {
	// Page plays the page of each window. Its ctx ends when the window closes. The window stays open after Page
	// returns. Default: a page that does nothing.
	Page func(ctx context.Context, p *Page)
}

// Backend shows no windows.
type Backend struct{ options Options }

// New gives a headless backend.
func New(o Options) *Backend {
	if o.Page == nil {
		o.Page = func(context.Context, *Page) {}
	}
	return &Backend{options: o}
}

func (b *Backend) Name() string { return "headless" }

func (b *Backend) Run(ctx context.Context, h window.Host, windows []window.Options) error {
	checked, err := window.Checked(windows)
	if err != nil {
		return err
	}
	var open sync.WaitGroup
	for _, o := range checked {
		pageCtx, closeWindow := context.WithCancel(ctx)
		p := &Page{ID: o.ID, Script: h.DocumentStart(o.ID), host: h, ctx: pageCtx, closeWindow: closeWindow}
		open.Go(func() {
			p.running.Go(func() { b.options.Page(pageCtx, p) })
			<-pageCtx.Done()
			h.Closed(p.ID)
			p.finish()
		})
	}
	open.Wait()
	return nil
}
