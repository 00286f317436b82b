package webkitgtk

import "github.com/ebitengine/purego"

// The keys of the shortcuts, and the modifiers that tell them apart, as GDK numbers them.
const (
	keyF11 = 0xffc8

	modifierShift   = 1 << 0
	modifierControl = 1 << 2
	modifierAlt     = 1 << 3
	modifierSuper   = 1 << 26
)

// bindKeys gives a window the shortcuts that every app has and WebKit does not: it knows how to copy, cut, paste and select
// all, but not how to undo. They come after the page, so that a page that uses such a key itself gets it.
func (k *toolkit) bindKeys(gtkWindow uintptr) {
	if k.gtkMajor == 3 {
		const afterOthers = 1
		k.signalConnect(gtkWindow, "key-press-event", k.onKey3, 0, 0, afterOthers)
		return
	}
	keys := k.keyController()
	k.signalConnect(keys, "key-pressed", k.onKey4, 0, 0, 0)
	k.widgetController(gtkWindow, keys)
}

// shortcut does what a key stands for in every window. It is false when the key stands for nothing.
func (s *session) shortcut(p *pane, keyval, modifiers uint32) bool {
	modifiers &= modifierShift | modifierControl | modifierAlt | modifierSuper
	if keyval >= 'A' && keyval <= 'Z' {
		keyval += 'a' - 'A' // with Shift, or Caps Lock
	}
	k := s.kit
	switch {
	case modifiers == modifierControl && keyval == 'z':
		k.viewEdit(p.view, "Undo")
	case modifiers == modifierControl|modifierShift && keyval == 'z', modifiers == modifierControl && keyval == 'y':
		k.viewEdit(p.view, "Redo")
	case modifiers == modifierControl && keyval == 'q':
		k.post(s.closeAll)
	case modifiers == modifierControl && keyval == 'w':
		k.post(func() { s.closeView(p.view) })
	case modifiers == 0 && keyval == keyF11:
		s.toggleFullscreen(p)
	default:
		return false
	}
	return true
}

func (k *toolkit) makeKeyCallbacks() {
	pressed := func(gtkWindow uintptr, keyval, modifiers uint32) int32 {
		if s := k.session; s != nil {
			if p := s.paneOf(gtkWindow); p != nil && s.shortcut(p, keyval, modifiers) {
				return 1
			}
		}
		return 0
	}
	k.onKey3 = purego.NewCallback(func(gtkWindow, event, _ uintptr) int32 {
		var keyval, modifiers uint32
		k.eventKeyval3(event, &keyval)
		k.eventState3(event, &modifiers)
		return pressed(gtkWindow, keyval, modifiers)
	})
	k.onKey4 = purego.NewCallback(func(controller uintptr, keyval, _, modifiers uint32, _ uintptr) int32 {
		return pressed(k.controlWidget(controller), keyval, modifiers)
	})
}
