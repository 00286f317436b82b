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
	// Ask plays the user who is asked a question; it is called for one question at a time. Its ctx ends when the question
	// is taken back: then it is to return, and what it returns counts for nothing. Default: refuses.
	Ask func(ctx context.Context, q window.Question) (accepted bool)
	// OpenFile and SaveFile play the user in front of a file dialog. Their ctx is as that of Ask. Default: chooses nothing.
	OpenFile func(ctx context.Context, windowID string, d window.OpenDialog) (paths []string)
	SaveFile func(ctx context.Context, windowID string, d window.SaveDialog) (path string)
	// Notify is given the notifications. Default: nobody reads them.
	Notify func(n window.Notification)
}

// Backend shows no windows. It is all that package window knows of backends: window.Asker, window.Opener,
// window.FileDialogs and window.Notifier.
type Backend struct {
	options Options
	turn    chan struct{} // holds something while a question is asked; who waits for room gets it in order

	mu      sync.Mutex
	running context.Context // of the Run in progress, nil without one; ends when its last window is closed
	run     *run
}

// New gives a headless backend.
func New(o Options) *Backend {
	if o.Page == nil {
		o.Page = func(context.Context, *Page) {}
	}
	if o.Ask == nil {
		o.Ask = func(context.Context, window.Question) bool { return false }
	}
	if o.OpenFile == nil {
		o.OpenFile = func(context.Context, string, window.OpenDialog) []string { return nil }
	}
	if o.SaveFile == nil {
		o.SaveFile = func(context.Context, string, window.SaveDialog) string { return "" }
	}
	if o.Notify == nil {
		o.Notify = func(window.Notification) {}
	}
	return &Backend{options: o, turn: make(chan struct{}, 1)}
}

// Name is "headless".
func (b *Backend) Name() string { return "headless" }

// Run has a function of Options.Page play each window's page. See window.Backend.
func (b *Backend) Run(ctx context.Context, h window.Host, windows []window.Options) error {
	checked, err := window.Checked(windows)
	if err != nil {
		return err
	}
	r := &run{host: h, page: b.options.Page, ctx: ctx, pages: map[string]*Page{}}
	running, finished := context.WithCancel(context.WithoutCancel(ctx))
	b.begin(running, r)
	defer b.end()
	defer finished()
	r.mu.Lock()
	for _, o := range checked {
		r.open(o)
	}
	r.mu.Unlock()
	r.closed.Wait()
	return nil
}
