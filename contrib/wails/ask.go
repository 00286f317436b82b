//go:build (windows || (darwin && cgo) || (linux && cgo && gtk3)) && !ios && !android

package wails

import (
	"context"
	"slices"

	"github.com/wailsapp/wails/v3/pkg/application"
	"github.com/wailsapp/wails/v3/pkg/events"

	"github.com/elyra-go/elyra/contrib/wails/internal/pages"
	"github.com/elyra-go/elyra/window"
)

var _ window.Asker = (*backend)(nil)

// The size of a question's window, such that it fits on a screen of 800 × 600. Longer text is scrolled.
const questionWidth, questionHeight = 520, 340

// question is one call of Ask. All of it but answer belongs to the session's mu.
type question struct {
	window.Question
	answer chan reply // has room for the one that is given

	window *application.WebviewWindow // nil before its turn
	ready  bool                       // it takes input
	guards int                        // how often it ceased to, or began without
}

// reply is what came of a question.
type reply struct {
	accepted bool
	err      error
}

// Ask asks in a window of its own, whose page is not the app's: see the package comment. See window.Asker.
func (b *backend) Ask(ctx context.Context, q window.Question) (accepted bool, err error) {
	s, err := b.session(ctx)
	if err != nil {
		return false, err
	}
	a := &question{Question: q.WithDefaults(), answer: make(chan reply, 1)}
	s.ask(a)
	select {
	case r := <-a.answer:
		return r.accepted, r.err
	case <-ctx.Done():
		s.settle(a, false, ctx.Err())
		return false, ctx.Err()
	case <-s.ended:
		s.settle(a, false, window.ErrNotRunning)
		return false, window.ErrNotRunning
	}
}

// ask puts a question at the end of the line.
func (s *session) ask(a *question) {
	s.mu.Lock()
	s.questions = append(s.questions, a)
	first := len(s.questions) == 1
	s.mu.Unlock()
	if first {
		s.show(a)
	}
}

// settle answers a question, takes its window away and shows the next one. Only the first answer counts.
func (s *session) settle(a *question, accepted bool, err error) {
	s.mu.Lock()
	at := slices.Index(s.questions, a)
	if at < 0 {
		s.mu.Unlock()
		return
	}
	s.questions = slices.Delete(s.questions, at, at+1)
	a.answer <- reply{accepted, err}
	shown := a.window
	var next *question
	if at == 0 && len(s.questions) > 0 {
		next = s.questions[0]
	}
	s.mu.Unlock()
	if shown != nil {
		s.pages.Close(shown.ID())
		shown.Close()
	}
	if next != nil {
		s.show(next)
	}
}

// endQuestions refuses all that are left when the last window is closed.
func (s *session) endQuestions() {
	for {
		s.mu.Lock()
		left := slices.Clone(s.questions)
		s.mu.Unlock()
		if len(left) == 0 {
			return
		}
		for _, a := range slices.Backward(left) {
			s.settle(a, false, window.ErrNotRunning)
		}
	}
}

// show puts a question on the screen.
func (s *session) show(a *question) {
	w := application.NewWindow(s.onWindows(application.WebviewWindowOptions{
		Name:                       "question",
		Title:                      a.Title,
		Width:                      questionWidth,
		Height:                     questionHeight,
		URL:                        pages.QuestionPath,
		AlwaysOnTop:                true,
		DisableResize:              true,
		MinimiseButtonState:        application.ButtonHidden,
		MaximiseButtonState:        application.ButtonHidden,
		DefaultContextMenuDisabled: true,
	}))
	w.RegisterHook(events.Common.WindowClosing, func(*application.WindowEvent) { s.settle(a, false, nil) })
	s.pages.OpenQuestion(w.ID(), a.Question,
		func(ready bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if a.ready = ready; !ready {
				a.guards++
			}
		},
		func(accepted bool) { s.settle(a, accepted, nil) })
	s.mu.Lock()
	current := len(s.questions) > 0 && s.questions[0] == a
	if current {
		a.window = w
	}
	s.mu.Unlock()
	if !current { // It was taken back meanwhile.
		s.pages.Close(w.ID())
		return
	}
	s.app.Window.Add(w)
	w.Run()
	s.mu.Lock()
	taken := !slices.Contains(s.questions, a)
	s.mu.Unlock()
	if taken { // While the window came up, when it could not be closed yet.
		w.Close()
	}
}
