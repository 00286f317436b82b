package webkitgtk

import "github.com/ebitengine/purego"

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
		k.signalConnect(a.dialog, "map-event", k.onMapped3, 0, 0, 0)
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
	s.guard(a)

	over, active := s.front()
	k.windowTransient(a.dialog, over.window)
	if active {
		k.windowPresent(a.dialog)
		return
	}
	if k.gtkMajor == 3 {
		k.windowFocusOnMap3(a.dialog, 0)
		k.windowUrgency3(a.dialog, 1)
		k.windowUrgency3(over.window, 1)
		a.urgent = over.window
	}
	k.widgetVisible(a.dialog, 1)
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
	var scrolled uintptr
	if k.gtkMajor == 3 {
		scrolled = k.scrolledNew3(0, 0)
		k.containerAdd(scrolled, k.newText(a.Text, columns))
	} else {
		scrolled = k.scrolledNew4()
		k.scrolledChild4(scrolled, k.newText(a.Text, columns))
	}
	k.scrolledPolicy(scrolled, never, automatic)
	k.scrolledNatural(scrolled, 1)
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

// newText makes a label that shows text as it is, without markup or shortcuts, wrapped at about so many columns.
func (k *toolkit) newText(text string, columns int32) uintptr {
	const atWordsOrWhereNeeded = 2
	label := k.labelNew(text)
	k.labelWrap(label, 1)
	k.labelWrapMode(label, atWordsOrWhereNeeded)
	k.labelWidth(label, columns)
	k.labelAlign(label, 0)
	return label
}

func (k *toolkit) addButton(dialog uintptr, label string, response int32) uintptr {
	button := k.dialogAddButton(dialog, label, response)
	k.buttonUnderline(button, 0) // An underscore is no shortcut.
	return button
}

// front gives the window of the app that has the keyboard, or the first one if another program has it.
func (s *session) front() (p *pane, active bool) {
	var first *pane
	for _, p := range s.order {
		if s.panes[p.view] != p {
			continue
		}
		if s.kit.windowIsActive(p.window) != 0 {
			return p, true
		}
		if first == nil {
			first = p
		}
	}
	return first, false
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
	k.onMapped3 = purego.NewCallback(func(dialog, _, _ uintptr) int32 {
		about(dialog, (*session).guard)
		return 0
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
