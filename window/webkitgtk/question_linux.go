package webkitgtk

import (
	"context"
	"slices"
	"time"

	"github.com/elyra-go/elyra/window"
)

var _ window.Asker = (*backend)(nil)

// guardTime is how long a dialog takes no input after it came up or got the keyboard: longer than it takes a person to
// see that what they are typing or clicking at the moment would go to it.
const guardTime = 700 * time.Millisecond

// question is one call of Ask. All of it but answer belongs to GTK's thread.
type question struct {
	window.Question
	answer chan reply // has room for the one that is given

	dialog, accept, refuse uintptr // 0 before its turn and after it
	urgent                 uintptr // the app's window that asks for attention meanwhile, 0 without
	frames                 int     // how often the dialog was to be painted, counted up to the second time
	guards                 int     // how often the guard went up
	guarded                bool
	pressed                map[uint32]int // by key: how often it was pressed since it was last released
}

// reply is what came of a question.
type reply struct {
	accepted bool
	err      error
}

// Ask asks in a dialog of GTK. See window.Asker.
func (b *backend) Ask(ctx context.Context, q window.Question) (accepted bool, err error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	s := b.running.Load()
	if s == nil {
		return false, window.ErrNotRunning
	}
	a := &question{Question: q.WithDefaults(), answer: make(chan reply, 1), pressed: map[uint32]int{}}
	s.kit.post(func() { s.ask(a) })
	select {
	case r := <-a.answer:
		return r.accepted, r.err
	case <-ctx.Done():
		s.kit.post(func() { s.settle(a, false, ctx.Err()) })
		return false, ctx.Err()
	case <-s.ended:
		return false, window.ErrNotRunning
	}
}

// ask puts a question at the end of the line.
func (s *session) ask(a *question) {
	if len(s.panes) == 0 {
		return // Ask hears of that from s.ended.
	}
	s.questions = append(s.questions, a)
	if len(s.questions) == 1 {
		s.show(a)
	}
}

// settle answers a question, takes its dialog away and shows the next one. Only the first answer counts.
func (s *session) settle(a *question, accepted bool, err error) {
	at := slices.Index(s.questions, a)
	if at < 0 {
		return
	}
	s.questions = slices.Delete(s.questions, at, at+1)
	a.answer <- reply{accepted, err}
	if a.dialog == 0 {
		return
	}
	if a.urgent != 0 && s.paneOf(a.urgent) != nil {
		s.kit.urge(a.urgent, 0)
	}
	s.kit.windowDestroy(a.dialog)
	a.dialog = 0
	if len(s.questions) > 0 && len(s.panes) > 0 {
		s.show(s.questions[0])
	}
}

// settleLater is settle outside of the signal that GTK is in the middle of.
func (s *session) settleLater(a *question, accepted bool) {
	s.kit.post(func() { s.settle(a, accepted, nil) })
}

// endQuestions refuses all that are left when the last window is closed.
func (s *session) endQuestions() {
	for len(s.questions) > 0 {
		s.settle(s.questions[0], false, window.ErrNotRunning)
	}
}

// asking gives the question on the screen, nil without one.
func (s *session) asking() *question {
	if len(s.questions) == 0 || s.questions[0].dialog == 0 {
		return nil
	}
	return s.questions[0]
}

// deafen makes the dialog deaf. Its buttons cannot be pressed then, not even with a click that ends when they can.
func (s *session) deafen(a *question) {
	a.guards++
	a.guarded = true
	s.kit.widgetSensitive(a.accept, 0)
	s.kit.widgetSensitive(a.refuse, 0)
}

// guard makes the dialog deaf for a while.
func (s *session) guard(a *question) {
	k := s.kit
	s.deafen(a)
	current := a.guards
	time.AfterFunc(guardTime, func() {
		k.post(func() {
			if a.dialog == 0 || a.guards != current {
				return
			}
			a.guarded = false
			k.widgetSensitive(a.accept, 1)
			k.widgetSensitive(a.refuse, 1)
			k.widgetGrabFocus(a.refuse)
		})
	})
}

// activated hears that the dialog got the keyboard or lost it. A dialog that waited behind other windows is new to its
// user when it comes to the front.
func (s *session) activated(a *question) {
	if s.kit.windowIsActive(a.dialog) == 0 {
		clear(a.pressed) // Their releases go to another window.
	} else if a.frames > 1 {
		s.guard(a) // The first one goes up when the dialog can be seen.
	}
}

// responded hears that a button was clicked, or that the dialog is to close.
func (s *session) responded(a *question, response int32) {
	if !a.guarded {
		s.settleLater(a, response == responseAccept)
	}
}

// press and release are the keyboard of a dialog. GTK itself gets only the keys that move about. The others answer when they
// are let go, and only if they were pressed once since the last time, outside of the guard: a key that is held down repeats
// its press, also one that was held since before the dialog came up.
func (a *question) press(keyval, key uint32) (handled bool) {
	switch {
	case a.guarded:
		a.pressed[key] = 2 // as if it repeated
	case movesAbout(keyval):
		return false
	default:
		a.pressed[key]++
	}
	return true
}

func (s *session) release(a *question, keyval, key uint32) {
	once := a.pressed[key] == 1
	delete(a.pressed, key)
	if !once || a.guarded {
		return
	}
	focus := s.kit.windowFocus(a.dialog)
	switch keyval {
	case keyEscape:
		s.settleLater(a, false)
	case keyReturn, keyISOEnter, keyPadEnter:
		s.settleLater(a, focus == a.accept)
	case keySpace, keyPadSpace:
		if focus == a.accept || focus == a.refuse {
			s.settleLater(a, focus == a.accept)
		}
	}
}

// The keys that a dialog knows, as GDK numbers them.
const (
	keySpace    = 0x0020
	keyISOTab   = 0xfe20
	keyISOEnter = 0xfe34
	keyTab      = 0xff09
	keyReturn   = 0xff0d
	keyEscape   = 0xff1b
	keyHome     = 0xff50 // with the arrows, Page Up, Page Down and End after it
	keyEnd      = 0xff57
	keyPadSpace = 0xff80
	keyPadEnter = 0xff8d
)

func movesAbout(keyval uint32) bool {
	return keyval == keyTab || keyval == keyISOTab || keyHome <= keyval && keyval <= keyEnd
}
