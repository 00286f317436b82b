package webkitgtk

import (
	"strings"
	"unicode"

	"github.com/ebitengine/purego"
)

// GTK's numbers for the two answers.
const (
	responseRefuse = -2
	responseAccept = -3
)

// show puts a question on the screen. It takes the keyboard only from the app's own windows; if another program has it,
// the app asks for attention instead.
func (s *session) show(a *question) {
	k := s.kit
	a.dialog = k.dialogNew()
	k.windowSetTitle(a.dialog, a.Title)
	s.fill(a)
	a.refuse = k.addButton(a.dialog, a.Refuse, responseRefuse)
	a.accept = k.addButton(a.dialog, a.Accept, responseAccept)
	k.dialogDefault(a.dialog, responseRefuse)
	k.signalConnect(a.dialog, "response", k.onResponse, 0, 0, 0)
	k.signalConnect(a.dialog, "notify::is-active", k.onActive, 0, 0, 0)
	if k.gtkMajor == 3 {
		k.signalConnect(a.dialog, "delete-event", k.onDelete3, 0, 0, 0)
		k.signalConnect(a.dialog, "key-press-event", k.onPress3, 0, 0, 0)
		k.signalConnect(a.dialog, "key-release-event", k.onRelease3, 0, 0, 0)
	} else {
		const beforeOthers = 1
		keys := k.keyController()
		k.controlPhase(keys, beforeOthers)
		k.signalConnect(keys, "key-pressed", k.onPress4, 0, 0, 0)
		k.signalConnect(keys, "key-released", k.onRelease4, 0, 0, 0)
		k.widgetController(a.dialog, keys)
		k.signalConnect(a.dialog, "close-request", k.onClose4, 0, 0, 0)
	}
	k.widgetFrames(a.dialog, k.onFrame, 0, 0)
	s.deafen(a)

	over, active := s.front()
	k.windowTransient(a.dialog, over.window)
	if active {
		k.windowPresent(a.dialog)
		return
	}
	k.leaveFocus(a.dialog)
	k.widgetVisible(a.dialog, 1)
	k.urge(a.dialog, 1)
	k.urge(over.window, 1)
	a.urgent = over.window
}

// leaveFocus makes a window that is not shown yet leave the keyboard to the program that has it.
func (k *toolkit) leaveFocus(gtkWindow uintptr) {
	if k.gtkMajor == 3 {
		k.windowFocusOnMap3(gtkWindow, 0)
		return
	}
	k.widgetRealize(gtkWindow)
	if surface := k.surfaceX4(gtkWindow); surface != 0 && k.surfaceUserTime4 != nil {
		k.surfaceUserTime4(surface, 0) // the time at which it was used last: never
	}
}

// urge has a window ask for attention, or no longer.
func (k *toolkit) urge(gtkWindow uintptr, urgent int32) {
	if k.gtkMajor == 3 {
		k.windowUrgency3(gtkWindow, urgent)
	} else if surface := k.surfaceX4(gtkWindow); surface != 0 && k.surfaceUrgency4 != nil {
		k.surfaceUrgency4(surface, urgent)
	}
}

// surfaceX4 gives the surface of a window of GTK 4 that is on an X server, 0 if it is not on one.
func (k *toolkit) surfaceX4(gtkWindow uintptr) uintptr {
	if k.surfaceTypeX4 == nil {
		return 0
	}
	surface := k.widgetSurface4(gtkWindow)
	if surface == 0 || k.isA(surface, k.surfaceTypeX4()) == 0 {
		return 0
	}
	return surface
}

// fill puts the text of a question into its dialog. The sizes are such that it fits on a screen of 800 × 600.
func (s *session) fill(a *question) {
	const (
		columns, titleLines = 60, 3
		highestText         = 320
		margin, spacing     = 18, 12
		endOfText           = 3
		bold                = 700
	)
	k := s.kit
	title := k.newText(a.Title, columns)
	k.labelLines(title, titleLines)
	k.labelEllipsize(title, endOfText)
	weight := k.attrListNew()
	k.attrListInsert(weight, k.attrWeight(bold))
	k.labelAttributes(title, weight)
	k.attrListUnref(weight)

	const automatic, never = 1, 2
	text := k.newText(breakWords(a.Text), columns)
	var scrolled uintptr
	if k.gtkMajor == 3 {
		scrolled = k.scrolledNew3(0, 0)
		k.containerAdd(scrolled, text)
	} else {
		scrolled = k.scrolledNew4()
		k.scrolledChild4(scrolled, text)
	}
	k.scrolledPolicy(scrolled, never, automatic)
	k.scrolledNatural(scrolled, 1)
	k.scrolledWidest(scrolled, 1)
	k.scrolledHighest(scrolled, highestText)
	k.scrolledOverlay(scrolled, 0) // A bar that hides would hide that there is more to read.
	k.widgetExpand(scrolled, 1)

	content := k.dialogContent(a.dialog)
	k.boxSpacing(content, spacing)
	for _, setMargin := range []func(uintptr, int32){k.marginStart, k.marginEnd, k.marginTop, k.marginBottom} {
		setMargin(content, margin)
	}
	for _, child := range []uintptr{title, scrolled} {
		if k.gtkMajor == 4 {
			k.boxAppend4(content, child)
			continue
		}
		expand := int32(0)
		if child == scrolled {
			expand = 1
		}
		k.boxPack3(content, child, expand, expand, 0)
		k.widgetShowAll(child)
	}
}

// breakWords puts a line break into each word that is longer than any real one. GTK takes minutes to lay out a label with
// a word of some ten thousand letters, and the app would stand still meanwhile.
func breakWords(text string) string {
	const longest = 200
	var b strings.Builder
	length := 0
	for _, r := range text {
		if length++; unicode.IsSpace(r) {
			length = 0
		} else if length > longest {
			b.WriteByte('\n')
			length = 1
		}
		b.WriteRune(r)
	}
	return b.String()
}

// newText makes a label that shows text as it is, without markup or shortcuts, about so many columns wide.
func (k *toolkit) newText(text string, columns int32) uintptr {
	const atWordsOrWhereNeeded = 2
	label := k.labelNew(text)
	k.labelWrap(label, 1)
	k.labelWrapMode(label, atWordsOrWhereNeeded)
	k.labelNarrowest(label, columns)
	k.labelWidth(label, columns)
	k.labelAlign(label, 0)
	return label
}

func (k *toolkit) addButton(dialog uintptr, label string, response int32) uintptr {
	button := k.dialogAddButton(dialog, label, response)
	k.buttonUnderline(button, 0) // An underscore is no shortcut.
	return button
}

// front gives the window of the app that has the keyboard, or the first one if another program has it. There is one.
func (s *session) front() (p *pane, active bool) {
	for _, p := range s.order {
		if s.kit.windowIsActive(p.window) != 0 {
			return p, true
		}
	}
	return s.order[0], false
}

// makeQuestionCallbacks makes what GTK calls about the dialog on the screen. There is one at a time, but a signal may
// still come for the one before.
func (k *toolkit) makeQuestionCallbacks() {
	about := func(dialog uintptr, run func(*session, *question)) {
		if s := k.session; s != nil {
			if a := s.asking(); a != nil && (dialog == 0 || a.dialog == dialog) {
				run(s, a)
			}
		}
	}
	refuse := func(s *session, a *question) { s.responded(a, responseRefuse) }
	const handled = 1 // GTK does nothing more, in particular it destroys no dialog itself

	k.onResponse = purego.NewCallback(func(dialog uintptr, response int32, _ uintptr) {
		about(dialog, func(s *session, a *question) { s.responded(a, response) })
	})
	k.onActive = purego.NewCallback(func(dialog, _, _ uintptr) {
		about(dialog, (*session).activated)
	})
	k.onFrame = purego.NewCallback(func(dialog, _, _ uintptr) (more int32) {
		about(dialog, func(s *session, a *question) {
			// This is called before each frame is painted, so at the second time there is one to be seen.
			if a.frames++; a.frames < 2 {
				more = 1
				return
			}
			s.guard(a)
		})
		return more
	})
	k.onDelete3 = purego.NewCallback(func(dialog, _, _ uintptr) int32 {
		about(dialog, refuse)
		return handled
	})
	k.onClose4 = purego.NewCallback(func(dialog, _ uintptr) int32 {
		about(dialog, refuse)
		return handled
	})
	k.onPress3 = purego.NewCallback(func(dialog, event, _ uintptr) (swallow int32) {
		keyval, key := k.keyOf3(event)
		about(dialog, func(_ *session, a *question) {
			if a.press(keyval, key) {
				swallow = handled
			}
		})
		return swallow
	})
	k.onRelease3 = purego.NewCallback(func(dialog, event, _ uintptr) int32 {
		keyval, key := k.keyOf3(event)
		about(dialog, func(s *session, a *question) { s.release(a, keyval, key) })
		return handled
	})
	k.onPress4 = purego.NewCallback(func(_ uintptr, keyval, key, _ uint32, _ uintptr) (swallow int32) {
		about(0, func(_ *session, a *question) {
			if a.press(keyval, key) {
				swallow = handled
			}
		})
		return swallow
	})
	k.onRelease4 = purego.NewCallback(func(_ uintptr, keyval, key, _ uint32, _ uintptr) {
		about(0, func(s *session, a *question) { s.release(a, keyval, key) })
	})
}

// keyOf3 gives what a key of GTK 3's means, and which key it is.
func (k *toolkit) keyOf3(event uintptr) (keyval, key uint32) {
	var code uint16
	k.eventKeyval3(event, &keyval)
	k.eventKeycode3(event, &code)
	return keyval, uint32(code)
}
