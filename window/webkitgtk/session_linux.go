package webkitgtk

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

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

	panes   map[uintptr]*pane // by web view
	order   []*pane           // as they were opened
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
}

func (s *session) run(ctx context.Context, windows []window.Options, opened func()) {
	automation := s.getenv("ELYRA_AUTOMATION") == "1"
	if automation {
		s.kit.allowAutomation()
	}
	for _, o := range windows {
		s.open(o, automation)
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

func (s *session) open(o window.Options, automation bool) {
	k := s.kit
	p := &pane{id: o.ID, view: s.newView(o.ID, automation)}
	if k.gtkMajor == 3 {
		const topLevel = 0
		p.window = k.windowNew3(topLevel)
	} else {
		p.window = k.windowNew4()
	}
	s.panes[p.view] = p
	s.order = append(s.order, p)
	k.windowSetTitle(p.window, o.Title)
	k.windowSetDefault(p.window, int32(o.Width), int32(o.Height))
	k.signalConnect(p.window, "destroy", k.onDestroy, 0, 0, 0)
	k.signalConnect(p.view, "close", k.onClose, 0, 0, 0)
	k.signalConnect(p.view, "decide-policy", k.onPolicy, 0, 0, 0)
	k.signalConnect(p.view, "create", k.onCreate, 0, 0, 0)
	k.signalConnect(p.view, "web-process-terminated", k.onTerminated, 0, 0, 0)
	k.signalConnect(p.view, "load-failed", k.onLoadFailed, 0, 0, 0)
	// A window that a page opens is a page of the browser, and may as well be opened after an answer came, without a click.
	k.settingsWindows(k.viewSettings(p.view), 1)
	if s.getenv("ELYRA_DEV") == "1" {
		k.settingsExtras(k.viewSettings(p.view), 1)
	}
	if k.gtkMajor == 3 {
		k.containerAdd(p.window, p.view)
		k.widgetShowAll(p.window)
	} else {
		k.windowSetChild(p.window, p.view)
		k.windowPresent(p.window)
	}
	k.viewLoadURI(p.view, homeURL)
}

// newView makes the web view of a window with its scripts. The view's own reference is taken by the window it is put in.
func (s *session) newView(id string, automation bool) uintptr {
	k := s.kit
	content := k.contentNew()
	for _, source := range []string{bodyGuard, s.host.DocumentStart(id)} {
		const topFrame, documentStart = 1, 0
		allow, keep := cStrings(homeURL + "*")
		script := k.scriptNew(source, topFrame, documentStart, allow, nil)
		keep()
		k.contentAddScript(content, script)
		k.scriptUnref(script)
	}
	names, keep := cStrings("user-content-manager", "is-controlled-by-automation")
	var values [2]gvalue
	k.valueInit(unsafe.Pointer(&values[0]), k.contentType())
	k.valueSetObj(unsafe.Pointer(&values[0]), content)
	k.valueInit(unsafe.Pointer(&values[1]), gtypeBoolean)
	if automation {
		k.valueSetBool(unsafe.Pointer(&values[1]), 1)
	}
	view := k.objectNew(k.viewType(), 2, names, unsafe.Pointer(&values[0]))
	keep()
	k.valueUnset(unsafe.Pointer(&values[0]))
	k.objectUnref(content)
	return view
}

// destroyed hears that GTK destroyed a window, whoever asked for that.
func (s *session) destroyed(gtkWindow uintptr) {
	if p := s.paneOf(gtkWindow); p != nil {
		delete(s.panes, p.view)
		s.host.Closed(p.id)
	}
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
	for _, p := range s.order {
		s.closeView(p.view)
	}
}

func (s *session) firstView() uintptr {
	for _, p := range s.order {
		if s.panes[p.view] == p {
			return p.view
		}
	}
	return 0
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
