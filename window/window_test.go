package window_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/window"
)

func TestCheckedFillsDefaults(t *testing.T) {
	t.Parallel()
	got, err := window.Checked([]window.Options{{}, {ID: "log", Width: 300, Height: 200, Title: "Log"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []window.Options{
		{ID: "main", Title: "main", Width: 1024, Height: 720},
		{ID: "log", Title: "Log", Width: 300, Height: 200},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestCheckedRefuses(t *testing.T) {
	t.Parallel()
	for name, windows := range map[string][]window.Options{
		"none":            nil,
		"the same id":     {{ID: "a"}, {ID: "a"}},
		"the default id":  {{}, {}},
		"default by name": {{}, {ID: "main"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := window.Checked(windows); err == nil {
				t.Error("accepted")
			}
		})
	}
}

func TestUnavailableNamesTheFixAndTheOtherWays(t *testing.T) {
	t.Parallel()
	err := &window.Unavailable{Reason: "no screen", Fix: "set DISPLAY", ExitCode: window.ExitNoDisplay}
	for _, part := range []string{"no screen", "set DISPLAY", "--headless", "--mcp"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is missing in %q", part, err.Error())
		}
	}
}

func TestQuestionIsWhatADialogCanShow(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", window.MaxQuestionText)
	for name, test := range map[string]struct{ got, want window.Question }{
		"defaults": {window.Question{}, window.Question{Title: "Question", Accept: "Allow", Refuse: "Cancel"}},
		"one line": {
			window.Question{Title: " Delete\n\n\tit? ", Text: "a\nb", Accept: "Yes,\ndelete", Refuse: "No"},
			window.Question{Title: "Delete it?", Text: "a\nb", Accept: "Yes, delete", Refuse: "No"},
		},
		"bytes that are no text": {
			window.Question{Title: "a\x00b", Text: "c\xffd\x00", Accept: "\x00", Refuse: "e"},
			window.Question{Title: "a\uFFFDb", Text: "c\uFFFDd\uFFFD", Accept: "\uFFFD", Refuse: "e"},
		},
		"as much as fits": {
			window.Question{Title: "t", Text: long, Accept: strings.Repeat("a", 24), Refuse: "r"},
			window.Question{Title: "t", Text: long, Accept: strings.Repeat("a", 24), Refuse: "r"},
		},
		"more than fits": {
			window.Question{Title: strings.Repeat("t", 201), Text: long + "ü", Accept: strings.Repeat("a", 25), Refuse: "r"},
			window.Question{Title: strings.Repeat("t", 199) + "…", Text: long[:len(long)-2] + "…", Accept: strings.Repeat("a", 23) + "…", Refuse: "r"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := test.got.WithDefaults(); got != test.want {
				t.Errorf("got %.300q\nwant %.300q", got, test.want)
			}
		})
	}
}
