package headless_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/elyra-go/elyra/window"
	"github.com/elyra-go/elyra/window/backendtest"
	"github.com/elyra-go/elyra/window/headless"
)

func TestBackend(t *testing.T) {
	t.Parallel()
	u := user{questions: make(chan string), answers: make(chan bool), dialogs: make(chan string), paths: make(chan string)}
	backendtest.Run(t, backendtest.Setup{
		New: func() window.Backend {
			return headless.New(headless.Options{Page: backendtest.Page, Ask: u.ask, OpenFile: u.open, SaveFile: u.save})
		},
		Main: func(run func()) { run() },
		User: u,
	})
}

// user hands the suite's answers to the backend.
type user struct {
	questions chan string
	answers   chan bool
	dialogs   chan string // titles
	paths     chan string
}

func (u user) open(ctx context.Context, _ string, d window.OpenDialog) []string {
	if path := u.save(ctx, "", window.SaveDialog{Title: d.Title}); path != "" {
		return []string{path}
	}
	return nil
}

func (u user) save(ctx context.Context, _ string, d window.SaveDialog) string {
	select {
	case u.dialogs <- d.Title:
		return <-u.paths
	case <-ctx.Done():
		return "/counts/for/nothing"
	}
}

func (u user) Chooses(t *testing.T, title, path string) {
	t.Helper()
	if got := <-u.dialogs; got != title {
		t.Fatalf("the file dialog has the title %q, want %q", got, title)
	}
	u.paths <- path
}

func (u user) ask(ctx context.Context, q window.Question) bool {
	select {
	case u.questions <- q.Title:
	case <-ctx.Done():
		return false
	}
	select {
	case accept := <-u.answers:
		return accept
	case <-ctx.Done():
		return true // counts for nothing
	}
}

func (u user) Sees(t *testing.T) string {
	t.Helper()
	select {
	case title := <-u.questions:
		return title
	case <-time.After(10 * time.Second):
		t.Fatal("no question was asked")
		return ""
	}
}

func (u user) Answers(_ *testing.T, accept bool) { u.answers <- accept }

func TestQuestionsAreRefusedByDefault(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	b := headless.New(headless.Options{})
	asked := make(chan error, 1)
	h := opened{ready: func() {
		go func() {
			accepted, err := b.Ask(ctx, window.Question{Text: "May it?"})
			if accepted {
				err = errors.New("accepted")
			}
			asked <- err
			stop()
		}()
	}}
	if err := b.Run(ctx, h, []window.Options{{}}); err != nil {
		t.Fatal(err)
	}
	if err := <-asked; err != nil {
		t.Error(err)
	}
}

// opened is a host that is told when its window opens.
type opened struct{ ready func() }

func (o opened) Serve(*window.Request, window.ResponseWriter) {}
func (o opened) DocumentStart(string) string                  { o.ready(); return "" }
func (o opened) Closed(string)                                {}
