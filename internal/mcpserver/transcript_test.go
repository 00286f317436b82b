package mcpserver

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite what the transcripts expect")

// TestTranscripts replays the conversations under testdata/transcripts. Each file of an
// archive is one connection:
//
//	# a comment
//	> a line of the client
//	< a line the server answers with, once all is quiet
//	! something that happens: tools-changed, release, wait DURATION, eof, stop
//
// Every line of the server is held against the schema of its revision, as in all tests here.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/transcripts/*.txtar")
	if err != nil || len(archives) < 4 {
		t.Fatalf("found only %d archives: %v", len(archives), err)
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			if !*update {
				t.Parallel()
			}
			for i, file := range archive.Files {
				t.Run(file.Name, func(t *testing.T) {
					got := replay(t, file.Data)
					switch {
					case *update:
						archive.Files[i].Data = got
					case !bytes.Equal(got, file.Data):
						t.Errorf("the conversation went differently (-update accepts it):\n%s", firstDifference(string(file.Data), string(got)))
					}
				})
			}
			if *update {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// replay runs a conversation and returns it with what the server really said.
func replay(t *testing.T, script []byte) []byte {
	var got bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		o, _ := testOptions(f)
		s := New(o)
		c := connect(t, s)
		ended := false
		for line := range strings.Lines(string(script)) {
			line = strings.TrimRight(line, "\n")
			if strings.HasPrefix(line, "< ") || line == "" && ended {
				continue
			}
			got.WriteString(line + "\n")
			var answers []string
			switch {
			case strings.HasPrefix(line, "> "):
				answers = c.send(line[2:])
			case strings.HasPrefix(line, "! "):
				ended = happen(t, line[2:], c, s, f) || ended
				answers = c.quiet()
			}
			for _, answer := range answers {
				got.WriteString("< " + answer + "\n")
			}
		}
		if !ended {
			if err := c.end(); err != nil {
				t.Errorf("Serve: %v", err)
			}
		}
	})
	return got.Bytes()
}

// happen does what a line with ! says, and reports whether that ended the connection.
func happen(t *testing.T, what string, c *client, s *Server, f *fakeCatalog) bool {
	t.Helper()
	verb, arg, _ := strings.Cut(what, " ")
	switch verb {
	case "tools-changed":
		f.mu.Lock()
		f.names = f.names[:2]
		f.mu.Unlock()
		s.ToolsChanged()
	case "release":
		close(f.release)
	case "wait":
		d, err := time.ParseDuration(arg)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(d)
	case "eof":
		if err := c.end(); err != nil {
			t.Errorf("Serve: %v", err)
		}
		return true
	case "stop":
		c.stop()
		<-c.ended
		return true
	default:
		t.Fatalf("unknown event %q", what)
	}
	return false
}

// firstDifference shows where two texts part.
func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		a, b := "(nothing)", "(nothing)"
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return "want " + a + "\ngot  " + b
		}
	}
	return "no difference"
}
