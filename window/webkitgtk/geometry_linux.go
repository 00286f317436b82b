package webkitgtk

import (
	"time"

	"github.com/ebitengine/purego"
)

// The states of a window that say that its size is not what its user gave it, as GDK 3 numbers them.
const (
	stateMaximized  = 1 << 2
	stateFullscreen = 1 << 4
	stateTiled      = 1 << 8
)

// settleTime is how long a window's size must not change to count. Between two states a window may have the size of one and
// say that it is in the other.
const settleTime = 200 * time.Millisecond

// watchGeometry keeps a pane's geometry up to date, because it is too late to ask for it when the window is closed.
func (s *session) watchGeometry(p *pane) {
	k := s.kit
	if k.gtkMajor == 3 {
		k.signalConnect(p.window, "size-allocate", k.onSize, 0, 0, 0)
		k.signalConnect(p.window, "notify::is-maximized", k.onSize, 0, 0, 0)
		return
	}
	for _, property := range []string{"default-width", "default-height", "maximized"} {
		k.signalConnect(p.window, "notify::"+property, k.onSize, 0, 0, 0)
	}
}

// resizing hears that a window changes.
func (s *session) resizing(p *pane) {
	p.resizes++
	current := p.resizes
	time.AfterFunc(settleTime, func() {
		s.kit.post(func() {
			if s.panes[p.view] == p && p.resizes == current {
				s.resized(p)
			}
		})
	})
}

// resized notes the size of a window. One that fills the screen keeps the size that it had before.
func (s *session) resized(p *pane) {
	k := s.kit
	var width, height int32
	if k.gtkMajor == 4 {
		p.geometry.Maximized = k.windowMaximized(p.window) != 0
		k.windowSize4(p.window, &width, &height) // of a window that fills the screen, what it will be after that
	} else {
		state := k.gdkWindowState3(k.widgetWindow3(p.window))
		p.geometry.Maximized = state&stateMaximized != 0
		if state&(stateMaximized|stateFullscreen|stateTiled) != 0 {
			return
		}
		k.windowSize3(p.window, &width, &height)
	}
	if width > 0 && height > 0 {
		p.geometry.Width, p.geometry.Height = int(width), int(height)
	}
}

// toggleFullscreen is what F11 does.
func (s *session) toggleFullscreen(p *pane) {
	k := s.kit
	var full bool
	if k.gtkMajor == 3 {
		full = k.gdkWindowState3(k.widgetWindow3(p.window))&stateFullscreen != 0
	} else {
		full = k.windowIsFull4(p.window) != 0
	}
	if full {
		k.windowNormalAgain(p.window)
	} else {
		k.windowFullscreen(p.window)
	}
}

func (k *toolkit) makeGeometryCallbacks() {
	k.onSize = purego.NewCallback(func(gtkWindow, _, _ uintptr) {
		if s := k.session; s != nil {
			if p := s.paneOf(gtkWindow); p != nil {
				s.resizing(p)
			}
		}
	})
}
