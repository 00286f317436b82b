//go:build (windows || (darwin && cgo) || (linux && cgo && gtk3)) && !ios && !android

package wails

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wailsapp/wails/v3/pkg/application"

	"github.com/elyra-go/elyra/contrib/wails/internal/pages"
	"github.com/elyra-go/elyra/window"
)

const (
	// drainTime is how long Run waits, after the last window, for requests that are still being served.
	drainTime = 3 * time.Second
	// closeTime is how long it waits for Wails to be done with its windows.
	closeTime = 2 * time.Second
)

// session is one Run. Its methods may be called from any goroutine.
type session struct {
	app    *application.App
	host   window.Host
	log    *slog.Logger
	pages  *pages.Server
	dev    bool
	openTo func(address string) error

	quitting atomic.Bool   // the session ends Wails itself
	ended    chan struct{} // closed when the last window is closed

	mu        sync.Mutex
	opening   bool        // the first windows are being opened, so that none is not the end
	panes     []*pane     // the open windows, as they were opened
	questions []*question // in the order in which they were asked; the first is on the screen
}

// pane is one open window.
type pane struct {
	id       string
	window   *application.WebviewWindow
	closing  atomic.Bool
	geometry window.Geometry // as it was last; belongs to the session's mu
}

func newSession(b *backend, h window.Host) *session {
	s := &session{
		host:    h,
		log:     b.options.Log,
		dev:     b.options.Getenv("ELYRA_DEV") == "1",
		openTo:  b.options.OpenURL,
		ended:   make(chan struct{}),
		opening: true,
	}
	if s.openTo == nil {
		s.openTo = func(address string) error { return s.app.Browser.OpenURL(address) }
	}
	s.pages = pages.New(pages.Options{
		Host:        h,
		Origin:      origin,
		Streams:     b.streams,
		CloseWindow: s.closeNumber,
		OpenURL:     func(address string) error { return s.openTo(address) },
		Log:         b.options.Log,
	})
	return s
}

func (s *session) appOptions(icon []byte) application.Options {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	return application.Options{
		Name: name,
		Icon: icon,
		// All that a page asks for comes here. Nothing goes on to Wails' own handlers, which do what their callers say.
		Assets: application.AssetOptions{
			Handler:        s.pages,
			Middleware:     func(http.Handler) http.Handler { return s.pages },
			DisableLogging: true,
		},
		Logger:                      slog.New(slog.NewTextHandler(io.Discard, nil)),
		WarningHandler:              func(text string) { s.log.Warn("wails: " + text) },
		ErrorHandler:                s.complain,
		DisableDefaultSignalHandler: true,
		ShouldQuit:                  s.shouldQuit,
		Linux:                       application.LinuxOptions{DisableQuitOnLastWindowClosed: true},
		Windows:                     application.WindowsOptions{DisableQuitOnLastWindowClosed: true},
	}
}

// complain hears of what went wrong inside Wails. After a fatal error Wails exits, so somebody must be told why.
func (s *session) complain(err error) {
	if fatal, ok := errors.AsType[*application.FatalError](err); ok {
		fmt.Fprintf(os.Stderr, "show a window: Wails gives up: %v\n", fatal)
	}
	s.log.Error("wails", "reason", err)
}

// shouldQuit hears that the system, or a menu, wants the program to end. The session does that itself, in good order.
func (s *session) shouldQuit() bool {
	if s.quitting.Load() {
		return quitEndsLoop
	}
	go s.closeAll()
	return false
}

// run is the session from Wails' start to its end. It is not called on Wails' thread.
func (s *session) run(ctx context.Context, windows []window.Options, opened func()) {
	for _, o := range windows {
		s.open(o)
	}
	opened()
	stop := context.AfterFunc(ctx, s.closeAll)
	s.mu.Lock()
	s.opening = false
	s.endIfEmpty()
	s.mu.Unlock()
	<-s.ended
	stop()

	s.endQuestions()
	if left := s.pages.Drain(drainTime); left > 0 {
		s.log.Warn("closing although requests of the windows are still being served", "requests", left)
	}
	// Wails says of a window that it closes, but not that it is closed.
	for deadline := time.Now().Add(closeTime); len(s.app.Window.GetAll()) > 0 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	s.quitting.Store(true)
	quit(s.app)
}

// endIfEmpty ends the session when no window is open. The caller holds mu.
func (s *session) endIfEmpty() {
	if len(s.panes) > 0 || s.opening {
		return
	}
	select {
	case <-s.ended:
	default:
		close(s.ended)
	}
}

// abandon is the end when Wails stopped by itself: nothing of it may be called any more.
func (s *session) abandon() {
	s.mu.Lock()
	panes := s.panes
	s.panes, s.opening = nil, false
	s.mu.Unlock()
	for _, p := range panes {
		if !p.closing.Swap(true) {
			s.pages.Close(p.window.ID())
			s.host.Closed(p.id)
		}
	}
	s.mu.Lock()
	s.endIfEmpty()
	s.mu.Unlock()
}

func (s *session) closeAll() {
	s.mu.Lock()
	panes := slices.Clone(s.panes)
	s.mu.Unlock()
	for _, p := range panes {
		p.window.Close()
	}
}

// closeNumber closes the window with Wails' number, because its page asked for that.
func (s *session) closeNumber(number uint) {
	s.mu.Lock()
	at := slices.IndexFunc(s.panes, func(p *pane) bool { return p.window.ID() == number })
	var p *pane
	if at >= 0 {
		p = s.panes[at]
	}
	s.mu.Unlock()
	if p != nil {
		p.window.Close()
	}
}

// onWindows gives Wails options that all windows share.
func (s *session) onWindows(o application.WebviewWindowOptions) application.WebviewWindowOptions {
	o.DevToolsEnabled = s.dev
	o.Permissions = map[application.PermissionType]application.Permission{
		application.PermissionMicrophone:    application.PermissionDeny,
		application.PermissionCamera:        application.PermissionDeny,
		application.PermissionGeolocation:   application.PermissionDeny,
		application.PermissionNotifications: application.PermissionDeny,
		application.PermissionClipboardRead: application.PermissionDeny,
	}
	return o
}
