package trust

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// lines is a contributor that reads lines of a file; what follows # counts and is not shown.
func lines(name string) Contributor {
	return Contributor{Name: name, Define: func(project string) (string, []string, error) {
		data, err := os.ReadFile(filepath.Join(project, name))
		if errors.Is(err, os.ErrNotExist) {
			return "", nil, nil
		}
		var shown []string
		for line := range strings.Lines(string(data)) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
			shown = append(shown, line)
		}
		return "hash of " + string(data), shown, err
	}}
}

type world struct {
	*Store
	dir     *home.Dir
	project string
}

func newWorld(t *testing.T, contributors ...Contributor) world {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	dir, err := home.Open(filepath.Join(root, "agent"))
	must(t, err)
	w := world{dir: dir, project: filepath.Join(root, "project")}
	must(t, os.Mkdir(w.project, 0o700))
	now := func() time.Time { return time.Date(2026, 11, 12, 13, 14, 15, 16, time.UTC) }
	w.Store = New(dir, now, contributors...)
	return w
}

func (w world) write(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(w.project, name), []byte(text), 0o600))
}

func (w world) check(t *testing.T, project string) Status {
	t.Helper()
	status, err := w.Check(project)
	must(t, err)
	return status
}

func TestTrustHoldsUntilSomethingChanges(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(t *testing.T, w world)
		want   []string // nil: still trusted
	}{
		{"nothing", func(*testing.T, world) {}, nil},
		{"the same again", func(t *testing.T, w world) { w.write(t, "mcp", "a\nb # x\n") }, nil},
		{"what does not count", func(t *testing.T, w world) { w.write(t, "README", "x") }, nil},
		{"one more", func(t *testing.T, w world) { w.write(t, "mcp", "a\nb # x\nc\n") }, []string{"new: c"}},
		{"one changed", func(t *testing.T, w world) { w.write(t, "mcp", "a2\nb # x\n") }, []string{"new: a2", "gone: a"}},
		{"one less", func(t *testing.T, w world) { w.write(t, "mcp", "a\n") }, []string{"gone: b "}},
		{"something that is not shown", func(t *testing.T, w world) { w.write(t, "mcp", "a\nb # y\n") }, []string{
			"changed: something in the project's mcp that is not shown",
		}},
		{"another contributor's file", func(t *testing.T, w world) { w.write(t, "settings", "s\n") }, []string{"new: s"}},
		{"all is gone", func(t *testing.T, w world) { must(t, os.Remove(filepath.Join(w.project, "mcp"))) }, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, lines("mcp"), lines("settings"))
			w.write(t, "mcp", "a\nb # x\n")
			before := w.check(t, w.project)
			if before.Trusted || before.Known || before.Changed != nil || !slices.Equal(before.Defines, []string{"a", "b "}) {
				t.Errorf("before: %+v", before)
			}
			must(t, w.Trust(t.Context(), before))
			test.change(t, w)
			got := w.check(t, w.project)
			if got.Trusted != (test.want == nil) || !got.Known || !slices.Equal(got.Changed, test.want) {
				t.Errorf("%+v, want changes %q", got, test.want)
			}
		})
	}
}

func TestWhatWasShownIsTrusted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, lines("mcp"))
	w.write(t, "mcp", "shown\n")
	status := w.check(t, w.project)
	w.write(t, "mcp", "sneaked in\n")
	must(t, w.Trust(t.Context(), status))
	if got := w.check(t, w.project); got.Trusted {
		t.Errorf("%+v", got)
	}
}

func TestANewContributorAsksAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, lines("mcp"))
	w.write(t, "mcp", "a\n")
	w.write(t, "hooks", "h\n")
	must(t, w.Trust(t.Context(), w.check(t, w.project)))
	later := New(w.dir, w.now, lines("mcp"), lines("hooks"))
	if got, err := later.Check(w.project); err != nil || got.Trusted || !slices.Equal(got.Changed, []string{"new: h"}) {
		t.Errorf("%+v %v", got, err)
	}
}

func TestProjectsAreByTheirPath(t *testing.T) {
	t.Parallel()
	w := newWorld(t, lines("mcp"))
	child := filepath.Join(w.project, "child")
	link := filepath.Join(filepath.Dir(w.project), "link")
	must(t, os.Mkdir(child, 0o700))
	must(t, os.Symlink(w.project, link))
	w.write(t, "mcp", "a\n")
	must(t, os.WriteFile(filepath.Join(child, "mcp"), []byte("a\n"), 0o600))
	must(t, w.Trust(t.Context(), w.check(t, w.project)))
	for path, want := range map[string]bool{
		w.project: true, w.project + string(filepath.Separator): true, link: true,
		filepath.Join(child, ".."): true, child: false, filepath.Dir(w.project): true, // which defines nothing
	} {
		if got := w.check(t, path); got.Trusted != want {
			t.Errorf("%s: %+v", path, got)
		}
	}
	must(t, w.Revoke(t.Context(), link))
	if got := w.check(t, w.project); got.Trusted || got.Known {
		t.Errorf("after it was taken back: %+v", got)
	}
	must(t, w.Revoke(t.Context(), filepath.Join(w.project, "gone")))
	if _, err := w.Check(filepath.Join(w.project, "gone")); err == nil {
		t.Error("a folder that does not exist was checked")
	}
}

func TestNothingToTrustIsTrusted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, lines("mcp"))
	if got := w.check(t, w.project); !got.Trusted || got.Known {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(w.dir.Path(fileName)); err == nil {
		t.Error("looking made a file")
	}
}

func TestAContributorThatFails(t *testing.T) {
	t.Parallel()
	failed := errors.New("cannot read")
	w := newWorld(t, Contributor{"mcp", func(string) (string, []string, error) { return "", nil, failed }})
	if got, err := w.Check(w.project); !errors.Is(err, failed) || got.Trusted {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestDamagedFile(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"cut": `{"projects": {"/p": `, "another shape": `[]`, "a wrong type": `{"projects": {"PROJECT": {"parts": 1}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, lines("mcp"))
			w.write(t, "mcp", "a\n")
			text := strings.ReplaceAll(text, "PROJECT", w.project)
			must(t, w.dir.Write(fileName, []byte(text)))
			status, err := w.Check(w.project)
			if !errors.Is(err, ErrDamaged) || status.Trusted || len(status.Defines) != 1 {
				t.Errorf("%+v, %v", status, err)
			}
			must(t, w.Trust(t.Context(), status))
			if got := w.check(t, w.project); !got.Trusted {
				t.Errorf("%+v", got)
			}
			if kept, err := w.dir.Read(fileName + ".damaged-1"); err != nil || string(kept) != text {
				t.Errorf("kept %q, %v", kept, err)
			}
		})
	}
}

func TestTheFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t, lines("mcp"))
	w.write(t, "mcp", "a")
	must(t, w.Trust(t.Context(), w.check(t, w.project)))
	got, err := w.dir.Read(fileName)
	must(t, err)
	want := `{"projects":{"P":{"trusted":"2026-11-12T13:14:15Z","parts":{"mcp":{"hash":"hash of a","lines":["a"]}}}}}`
	if compact := strings.Join(strings.Fields(strings.ReplaceAll(string(got), w.project, "P")), ""); strings.ReplaceAll(compact, "hashofa", "hash of a") != want {
		t.Errorf("got %s", got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"projects":{"/p":{"trusted":"2026-11-12T13:14:15Z","parts":{"mcp":{"hash":"h","lines":["a"]}}}}}`))
	f.Add([]byte(`{"projects":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := decode(data)
		if got.Projects == nil || err != nil && len(got.Projects) != 0 {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
