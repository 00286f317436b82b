package webkitgtk

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra/window"
)

// drainTime is how long Run waits, after the last window, for requests that are still being served.
const drainTime = 3 * time.Second

// crashLimit is how often a page is loaded again after its process crashed. A page that still crashes loses its window.
const crashLimit = 3

// bodyGuard keeps pages from sending bodies that crash WebKit.
//
//go:embed bodyguard.js
var bodyGuard string

type backend struct {
	options Options
	stacks  []stack
	running atomic.Pointer[session] // the Run in progress, once its windows are open
}

// New gives a backend over WebKitGTK.
func New(o Options) window.Backend { return &backend{options: o.withDefaults(), stacks: stacks()} }

func (b *backend) Name() string { return "webkitgtk" }

func (b *backend) Run(ctx context.Context, h window.Host, windows []window.Options) error {
	checked, err := window.Checked(windows)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := &session{
		host:    h,
		log:     b.options.Log,
		getenv:  b.options.Getenv,
		openURL: b.options.OpenURL,
		panes:   map[uintptr]*pane{},
		ended:   make(chan struct{}),
	}
	if s.kit, err = enter(s, b.stacks); err != nil {
		return err
	}
	defer s.kit.leave()
	s.log.Debug("windows", "library", s.kit.name)
	defer b.running.Store(nil)
	s.run(ctx, checked, func() { b.running.Store(s) })
	return s.failure
}

// session is one Run. All of it belongs to GTK's thread.
type session struct {
	kit     *toolkit
	host    window.Host
	log     *slog.Logger
	getenv  func(string) string
	openURL func(string) error

	automation bool // WebKitWebDriver may drive the windows

	panes   map[uintptr]*pane // by web view
	order   []*pane           // the same, as they were opened
	serving int               // requests whose Serve has not returned
	failure error             // the first window that had to be given up

	questions []*question   // in the order in which they were asked; the first is on the screen
	ended     chan struct{} // closed when the last window is closed
}

// pane is one open window.
type pane struct {
	id           string
	window, view uintptr
	crashes      int
	geometry     window.Geometry // as it was last
	resizes      int             // how often that has changed
	chooser      *chooser        // its file dialog, nil without one
}

func (s *session) run(ctx context.Context, windows []window.Options, opened func()) {
	s.automation = s.getenv("ELYRA_AUTOMATION") == "1"
	if s.automation {
		s.kit.allowAutomation()
	}
	for _, o := range windows {
		s.open(o)
	}
	opened()
	stop := context.AfterFunc(ctx, func() { s.kit.post(s.closeAll) })
	defer stop()
	for len(s.panes) > 0 {
		s.kit.iterate()
	}
	s.endQuestions()
	close(s.ended)

	expired := false
	timer := time.AfterFunc(drainTime, func() { s.kit.post(func() { expired = true }) })
	defer timer.Stop()
	for s.serving > 0 && !expired {
		s.kit.iterate()
	}
	if s.serving > 0 {
		s.log.Warn("closing although requests of the windows are still being served", "requests", s.serving)
	}
}

// destroyed hears that GTK destroyed a window, whoever asked for that.
func (s *session) destroyed(gtkWindow uintptr) {
	p := s.paneOf(gtkWindow)
	if p == nil {
		return
	}
	delete(s.panes, p.view)
	s.order = slices.DeleteFunc(s.order, func(other *pane) bool { return other == p })
	s.chosen(p, choice{err: window.ErrClosed})
	if keeper, ok := s.host.(window.GeometryKeeper); ok {
		keeper.KeepGeometry(p.id, p.geometry)
	}
	s.host.Closed(p.id)
}

// paneOf gives the open pane of a window, nil if there is none.
func (s *session) paneOf(gtkWindow uintptr) *pane {
	for _, p := range s.panes {
		if p.window == gtkWindow {
			return p
		}
	}
	return nil
}

// closeView is what window.close() in a page comes to.
func (s *session) closeView(view uintptr) {
	if p := s.panes[view]; p != nil {
		s.kit.windowDestroy(p.window)
	}
}

func (s *session) closeAll() {
	for _, p := range slices.Clone(s.order) {
		s.closeView(p.view)
	}
}

func (s *session) firstView() uintptr {
	if len(s.order) == 0 {
		return 0
	}
	return s.order[0].view
}

// terminated hears that the process of a page is gone. It loads the page again, or closes the window if that does not help.
func (s *session) terminated(view uintptr, reason int32) {
	p := s.panes[view]
	if p == nil {
		return
	}
	why := map[int32]string{0: "crashed", 1: "needed too much memory", 2: "was ended"}[reason]
	if p.crashes++; p.crashes <= crashLimit {
		s.log.Error("the page's process is gone; the page is loaded again", "window", p.id, "why", why)
		s.kit.post(func() { s.reload(p) })
		return
	}
	hint := ""
	if os.Geteuid() == 0 {
		hint = ", and the program runs as root, where WebKit's processes often cannot start"
	}
	err := fmt.Errorf("show window %q: WebKit's process for the page %s %d times; what it wrote to the console says why%s",
		p.id, why, p.crashes, hint)
	s.log.Error(err.Error())
	if s.failure == nil {
		s.failure = err
	}
	// WebKit still uses the view after this signal, so it must not be destroyed here.
	s.kit.post(func() { s.closeView(view) })
}

func (s *session) reload(p *pane) {
	if s.panes[p.view] == p {
		s.kit.viewReload(p.view)
	}
}

func (s *session) loadFailed(view uintptr, uri, reason string) {
	if p := s.panes[view]; p != nil {
		s.log.Warn("a page was not loaded", "window", p.id, "address", uri, "reason", reason)
	}
}
