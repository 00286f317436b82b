package webkitgtk

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/elyra-go/elyra/window"
)

var _ window.Opener = (*backend)(nil)

// Open opens one more window. See window.Opener.
func (b *backend) Open(ctx context.Context, o window.Options) error {
	o = o.WithDefaults()
	return b.onThread(ctx, func(s *session) error {
		if s.paneNamed(o.ID) != nil {
			return fmt.Errorf("open window %q: %w", o.ID, window.ErrAlreadyOpen)
		}
		s.open(o)
		return nil
	})
}

// Raise brings a window to the front. See window.Opener.
func (b *backend) Raise(ctx context.Context, windowID, startup string) error {
	return b.onThread(ctx, func(s *session) error {
		p := s.paneNamed(windowID)
		if p == nil {
			return fmt.Errorf("raise window %q: it is not open", windowID)
		}
		if startup != "" {
			s.kit.windowStartup(p.window, startup)
		}
		s.kit.windowPresent(p.window)
		return nil
	})
}

// onThread runs something on GTK's thread while windows are open, and waits for it.
func (b *backend) onThread(ctx context.Context, do func(*session) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s := b.running.Load()
	if s == nil {
		return window.ErrNotRunning
	}
	done := make(chan error, 1)
	s.kit.post(func() {
		switch {
		case len(s.panes) == 0:
			done <- window.ErrNotRunning
		case ctx.Err() != nil:
			done <- ctx.Err()
		default:
			done <- do(s)
		}
	})
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ended:
		return window.ErrNotRunning
	}
}

// paneNamed gives the open pane with an id, nil if there is none.
func (s *session) paneNamed(id string) *pane {
	for _, p := range s.order {
		if p.id == id {
			return p
		}
	}
	return nil
}

func (s *session) open(o window.Options) {
	k := s.kit
	p := &pane{id: o.ID, view: s.newView(o.ID), geometry: window.Geometry{Width: o.Width, Height: o.Height, Maximized: o.Maximized}}
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
	if o.Maximized {
		k.windowMaximize(p.window)
	}
	if err := k.setIcon(p.window, o.Icon); err != nil {
		s.log.Warn("a window is shown without its icon", "window", o.ID, "reason", err)
	}
	s.watchGeometry(p)
	k.bindKeys(p.window)
	k.signalConnect(p.window, "destroy", k.onDestroy, 0, 0, 0)
	k.signalConnect(p.view, "close", k.onClose, 0, 0, 0)
	k.signalConnect(p.view, "decide-policy", k.onPolicy, 0, 0, 0)
	k.signalConnect(p.view, "create", k.onCreate, 0, 0, 0)
	k.signalConnect(p.view, "web-process-terminated", k.onTerminated, 0, 0, 0)
	k.signalConnect(p.view, "load-failed", k.onLoadFailed, 0, 0, 0)
	// A window that a page opens is a page of the browser, and may as well be opened after an answer came, without a click.
	k.settingsWindows(k.viewSettings(p.view), 1)
	k.drawPlainly(p.view)
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
func (s *session) newView(id string) uintptr {
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
	if s.automation {
		k.valueSetBool(unsafe.Pointer(&values[1]), 1)
	}
	view := k.objectNew(k.viewType(), 2, names, unsafe.Pointer(&values[0]))
	keep()
	k.valueUnset(unsafe.Pointer(&values[0]))
	k.objectUnref(content)
	return view
}

// setIcon gives a window the picture in a PNG file. GTK 4 takes no pictures: there the .desktop file has the say.
func (k *toolkit) setIcon(gtkWindow uintptr, png []byte) error {
	if len(png) == 0 || k.gtkMajor != 3 {
		return nil
	}
	loader := k.pixbufLoader()
	defer k.objectUnref(loader)
	var gerror uintptr
	read := k.pixbufLoaderWrite(loader, unsafe.Pointer(&png[0]), uintptr(len(png)), &gerror) != 0
	var ignored *uintptr
	if read {
		ignored = &gerror
	}
	// A loader must be closed, also one that could not read the picture.
	if k.pixbufLoaderClose(loader, ignored) == 0 || !read {
		text := errorText(gerror)
		if gerror != 0 {
			k.errorFree(gerror)
		}
		return errors.New("read its icon: " + text)
	}
	k.windowIcon3(gtkWindow, k.pixbufLoaderPixbuf(loader))
	return nil
}
