package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/loop"
)

// A session is where the loop keeps messages.
var _ loop.Store = (*Session)(nil)

// tool changes a file as a tool does: the session is told first.
func tool(t *testing.T, s *Session, path, text string) {
	t.Helper()
	before, err := os.ReadFile(path)
	must(t, s.Changed(path, before, err == nil))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if want == "" && errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", filepath.Base(path), got, err, want)
	}
}

func TestUndoTakesBackATurn(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s := newSession(t, st)
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	must(t, os.WriteFile(a, []byte("a0"), 0o600))
	must(t, s.Append(user("first")))
	tool(t, s, a, "a1")
	must(t, s.Append(user("second")))
	must(t, s.Append(answer("", "c")))
	tool(t, s, a, "a2")
	must(t, s.Append(results("c")))
	tool(t, s, b, "b2")
	tool(t, s, a, "a3")
	must(t, s.Append(user("third changes nothing")))
	must(t, s.Close())

	s = reopen(t, st, s.Path())
	if changes := s.Undoable(); len(changes) != 2 || changes[0].Path != a || changes[1].Path != b {
		t.Fatalf("undoable %+v", changes)
	}
	_, err := s.Undo()
	must(t, err)
	holds(t, a, "a1")
	holds(t, b, "")
	must(t, s.Close())
	s = reopen(t, st, s.Path())
	_, err = s.Undo()
	must(t, err)
	holds(t, a, "a0")
	if _, err := s.Undo(); !errors.Is(err, ErrNothingToUndo) {
		t.Errorf("a third time: %v", err)
	}
	must(t, s.Append(user("fourth")))
	tool(t, s, a, "a4")
	_, err = s.Undo()
	must(t, err)
	holds(t, a, "a0")
	last := s.Branch()[len(s.Branch())-1]
	if data, err := s.Blob(last.Changes[0].Before); err != nil || string(data) != "a4" {
		t.Errorf("what was taken back is lost: %q, %v", data, err)
	}
}

func TestUndoThatCannotBeDoneChangesNothing(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s := newSession(t, st)
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	must(t, os.WriteFile(a, []byte("a0"), 0o600))
	must(t, os.WriteFile(b, []byte("b0"), 0o600))
	must(t, s.Append(user("one")))
	tool(t, s, a, "a1")
	tool(t, s, b, "b1")
	kept := filepath.Join(filepath.Dir(s.Path()), blobFolder, s.Undoable()[1].Before)
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	must(t, os.WriteFile(kept, []byte("other"), 0o600))
	if _, err := s.Undo(); err == nil {
		t.Error("content that is not what it was is given back")
	}
	holds(t, a, "a1")
	if len(s.Undoable()) != 2 {
		t.Error("it counts as taken back")
	}
	if _, err := s.Blob("../../../etc/passwd"); err == nil {
		t.Error("a path is no hash")
	}
}

func TestAForkTakesAlongWhatCanBeUndone(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s := newSession(t, st)
	a := filepath.Join(t.TempDir(), "a")
	must(t, os.WriteFile(a, []byte("a0"), 0o600))
	must(t, s.Append(user("one")))
	tool(t, s, a, "a1")
	fork, err := st.Fork(s.Path(), "", "/elsewhere")
	must(t, err)
	t.Cleanup(func() { fork.Close() }) //nolint:errcheck // The test's folder goes.
	_, err = fork.Undo()
	must(t, err)
	holds(t, a, "a0")
}
