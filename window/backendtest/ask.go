package backendtest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/elyra-go/elyra/window"
)

// User plays the person in front of the screen. Its methods fail the test when nothing of the kind comes up.
type User interface {
	// Sees waits for a question that takes input and gives its title.
	Sees(t *testing.T) string
	// Answers answers the question on the screen as a person would.
	Answers(t *testing.T, accept bool)
	// Chooses waits for the file dialog with that title and chooses the file with that path in it, or closes it if
	// path is "".
	Chooses(t *testing.T, title, path string)
}

// answered is what Ask returned.
type answered struct {
	title    string
	accepted bool
	err      error
}

// ask asks a question in the background.
func (a *app) ask(ctx context.Context, title string) <-chan answered {
	answer := make(chan answered, 1)
	go func() {
		accepted, err := a.backend.(window.Asker).Ask(ctx, window.Question{Title: title, Text: "May it?"})
		answer <- answered{title, accepted, err}
	}()
	return answer
}

func (a *app) sees(want string) {
	a.t.Helper()
	if got := a.user.Sees(a.t); got != want {
		a.t.Fatalf("the question on the screen is %q, want %q", got, want)
	}
}

func questionsAreAnswered(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	a.do("main", order{Op: "word"})
	for _, accept := range []bool{true, false, true} {
		answer := a.ask(t.Context(), "Round")
		a.sees("Round")
		a.user.Answers(t, accept)
		if got := receive(t, answer, "the answer"); got.accepted != accept || got.err != nil {
			t.Errorf("the user's answer %v came as %v, %v", accept, got.accepted, got.err)
		}
	}
}

func questionsTakeTurns(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	a.do("main", order{Op: "word"})
	titles := []string{"a", "b", "c", "d"}
	answers := make(chan answered, len(titles))
	for _, title := range titles {
		go func() { answers <- <-a.ask(t.Context(), title) }()
	}
	var seen []string
	for len(seen) < len(titles) {
		title := a.user.Sees(t)
		accept := title == "b" || title == "c"
		a.user.Answers(t, accept)
		got := receive(t, answers, "the answer to "+title)
		if got.title != title || got.accepted != accept || got.err != nil {
			t.Errorf("the user answered %v to %s, and %+v came back", accept, title, got)
		}
		seen = append(seen, title)
	}
	if slices.Sort(seen); !slices.Equal(seen, titles) {
		t.Errorf("the user saw %v, want each of %v once", seen, titles)
	}
}

func questionsAreTakenBack(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	a.do("main", order{Op: "word"})
	ctx, cancel := context.WithCancel(t.Context())
	first := a.ask(ctx, "first")
	a.sees("first")
	waiting, forget := context.WithCancel(t.Context())
	second := a.ask(waiting, "second")
	forget()
	if got := receive(t, second, "the end of a question that waits"); got.accepted || !errors.Is(got.err, context.Canceled) {
		t.Errorf("a question that was taken back before its turn: %+v", got)
	}
	cancel()
	if got := receive(t, first, "the end of the question"); got.accepted || !errors.Is(got.err, context.Canceled) {
		t.Errorf("a question that was taken back: %+v", got)
	}
	third := a.ask(t.Context(), "third")
	a.sees("third")
	a.user.Answers(t, true)
	if got := receive(t, third, "the answer"); !got.accepted || got.err != nil {
		t.Errorf("after that: %+v", got)
	}
}

func questionsEndWithTheWindows(t *testing.T, s Setup) {
	a := start(t, s, window.Options{})
	a.do("main", order{Op: "word"})
	first := a.ask(t.Context(), "first")
	a.sees("first")
	second := a.ask(t.Context(), "second")
	a.do("main", order{Op: "close"})
	if err := receive(t, a.done, "Run to return although a question is open"); err != nil {
		t.Errorf("Run: %v", err)
	}
	for _, answer := range []<-chan answered{first, second, a.ask(t.Context(), "after Run")} {
		if got := receive(t, answer, "the end of a question"); got.accepted || !errors.Is(got.err, window.ErrNotRunning) {
			t.Errorf("without windows: %+v", got)
		}
	}
}

// A page can block itself with a dialog of its own. That holds up neither the app's question nor its answer.
func pagesCannotAnswer(t *testing.T, s Setup) {
	a := start(t, s, window.Options{ID: "a"}, window.Options{ID: "b"})
	a.do("b", order{Op: "word"})
	a.orders["a"] <- order{Op: "confirm"}
	answer := a.ask(t.Context(), "first")
	a.sees("first")
	if r := a.do("b", order{Op: "word"}); r.Text != "word of b" {
		t.Errorf("the other page says %q", r.Text)
	}
	a.user.Answers(t, true)
	if got := receive(t, answer, "the answer"); !got.accepted || got.err != nil {
		t.Errorf("beside a page's own dialog: %+v", got)
	}
}
