package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
)

// cleanerVariable makes the test binary a process that cleans again and again.
const cleanerVariable = "ELYRA_SESSION_TEST_CLEANER"

func cleaner(path string) error {
	dir, err := home.Open(path)
	if err != nil {
		return err
	}
	fmt.Println("begin")
	for {
		if err := again(New(dir, Options{})); err != nil {
			return err
		}
	}
}

// again cleans, also when that was done today.
func again(st *Store) error {
	if err := os.RemoveAll(st.dir.Path(folderName, cleanMark)); err != nil {
		return err
	}
	_, err := st.Clean(context.Background())
	return err
}

// realStore is a store whose clock is that of the file system.
func realStore(t testing.TB) *Store {
	t.Helper()
	dir, err := home.Open(filepath.Join(t.TempDir(), "agent"))
	must(t, err)
	return New(dir, Options{})
}

// age makes a file as old as it would be after some days.
func age(t testing.TB, path string, days int) {
	t.Helper()
	at := time.Now().Add(-time.Duration(days) * 24 * time.Hour)
	must(t, os.Chtimes(path, at, at))
}

// blobs are the paths of kept content.
func blobs(t testing.TB, st *Store) []string {
	t.Helper()
	all, err := filepath.Glob(st.dir.Path(folderName, "*", blobFolder, "*"))
	must(t, err)
	return all
}

func kept(st *Store, text string) bool {
	_, err := os.Stat(st.dir.Path(folderName, encode(project), blobFolder, hashOf([]byte(text))))
	return err == nil
}

// changing makes a session in which a tool has changed a file that held each of some texts.
func changing(t testing.TB, st *Store, texts ...string) (*Session, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	s := newSession(t, st)
	must(t, s.Append(user("change it")))
	for _, text := range texts {
		must(t, s.Changed(path, []byte(text), true))
	}
	must(t, os.WriteFile(path, []byte("changed"), 0o600))
	return s, path
}

func TestCleanRemovesWhatNobodyCanUse(t *testing.T) {
	t.Parallel()
	st := realStore(t)
	used, path := changing(t, st, "of one in use", "of both")
	old, oldPath := changing(t, st, "of an old one", "of both")
	gone, _ := changing(t, st, "of one that is gone")
	open, _ := changing(t, st, "of one that is open")
	fresh, _ := changing(t, st, "not named yet")
	for _, s := range []*Session{used, old, gone, fresh} {
		must(t, s.Close())
	}
	half := st.dir.Path(folderName, encode(project), blobFolder, ".half.1.tmp")
	must(t, os.WriteFile(half, []byte("half of a write"), 0o600))
	for _, blob := range blobs(t, st) {
		age(t, blob, 40)
	}
	age(t, st.dir.Path(folderName, encode(project), blobFolder, hashOf([]byte("not named yet"))), 0)
	age(t, old.Path(), 31)
	age(t, open.Path(), 31)
	must(t, os.Remove(gone.Path()))
	must(t, os.Remove(fresh.Path()))

	done, err := st.Clean(t.Context())
	if err != nil || done.Contents != 3 || done.Bytes == 0 {
		t.Errorf("%+v, %v", done, err)
	}
	for text, want := range map[string]bool{
		"of one in use": true, "of both": true, "of an old one": false, "of one that is gone": false, "of one that is open": true, "not named yet": true,
	} {
		if kept(st, text) != want {
			t.Errorf("what a file held %s is kept: %v", text, !want)
		}
	}
	if _, err := os.Stat(half); err == nil {
		t.Error("half of a write is left")
	}
	s := reopen(t, st, used.Path())
	_, err = s.Undo()
	must(t, err)
	holds(t, path, "of one in use")
	s = reopen(t, st, old.Path())
	if _, err := s.Undo(); err == nil || !strings.Contains(err.Error(), "kept for 30 days after the last use") {
		t.Errorf("taking back what is gone: %v", err)
	}
	holds(t, oldPath, "changed")
}

func TestCleanComesOnceADay(t *testing.T) {
	t.Parallel()
	st := realStore(t)
	if _, err := st.Clean(t.Context()); err != nil {
		t.Error(err)
	}
	s, _ := changing(t, st, "one")
	must(t, s.Close())
	for range 2 {
		_, err := st.Clean(t.Context())
		must(t, err)
		must(t, os.RemoveAll(s.Path()))
		age(t, blobs(t, st)[0], 2)
	}
	if len(blobs(t, st)) != 1 {
		t.Error("it cleaned twice in a day")
	}
	age(t, st.dir.Path(folderName, cleanMark), 2)
	done, err := st.Clean(t.Context())
	if err != nil || done.Contents != 1 {
		t.Errorf("the day after: %+v, %v", done, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the agent ends"))
	again, _ := changing(t, st, "two")
	age(t, st.dir.Path(folderName, cleanMark), 2)
	if _, err := st.Clean(ctx); err == nil || !strings.Contains(err.Error(), "the agent ends") {
		t.Errorf("cut off: %v", err)
	}
	must(t, again.Close())
}

// A child's session is in no list, and goes when that of the agent it worked for is gone.
func TestChildrenGoWithTheirOwner(t *testing.T) {
	t.Parallel()
	st := realStore(t)
	owner := newSession(t, st)
	must(t, owner.Append(user("have it done")))
	var children []*Session
	for _, of := range []string{owner.ID(), owner.ID(), "0123456789abcdef", "0123456789abcdef"} {
		child, err := st.CreateChild(project, of)
		must(t, err)
		must(t, child.Append(user("do it")))
		must(t, owner.AddChild(child.ID(), "do\nit"))
		children = append(children, child)
		age(t, child.Path(), 2)
	}
	for _, child := range children[:3] {
		must(t, child.Close())
	}
	list, err := st.List(project)
	must(t, err)
	if len(list) != 1 || list[0].Header.ID != owner.ID() {
		t.Errorf("listed %+v", list)
	}
	if found, err := st.Find(children[0].ID()); err != nil || found.Prompt != "do it" || found.Header.Owner != owner.ID() {
		t.Errorf("%+v, %v", found, err)
	}
	if err := owner.AddChild("../x", "do it"); err == nil {
		t.Error("a child's id that is none was noted")
	}
	done, err := st.Clean(t.Context())
	if err != nil || done.Sessions != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	for i, want := range []bool{true, true, false, true} { // the last one is open
		if _, err := os.Stat(children[i].Path()); (err == nil) != want {
			t.Errorf("child %d: %v", i, err)
		}
	}
	must(t, owner.Close())
	must(t, children[3].Close())
	if h := reopen(t, st, owner.Path()).History(); len(h) != 1 {
		t.Errorf("a note of a child is part of what was said: %+v", h)
	}
}

// While others clean, also in other processes and some of which are killed, what a session is about to name is not lost.
func TestCleaningBesideOthers(t *testing.T) {
	t.Parallel()
	st := realStore(t)
	s, path := changing(t, st, "shared")
	blob := blobs(t, st)[0]
	folder := filepath.Dir(blob)
	ctx, stop := context.WithCancel(t.Context())
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	beside.Go(func() {
		for ctx.Err() == nil {
			if err := again(st); err != nil {
				t.Error(err)
			}
		}
	})
	beside.Go(func() {
		for n := 1; ctx.Err() == nil; n++ {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), cleanerVariable+"="+st.dir.Path())
			var said bytes.Buffer
			cmd.Stderr = &said
			must(t, cmd.Start())
			time.Sleep(time.Duration(20+n%5*10) * time.Millisecond)
			cmd.Process.Kill() //nolint:errcheck // It has ended then, which is told.
			if err := cmd.Wait(); err == nil || said.Len() > 0 {
				t.Errorf("a process that cleans: %v, %s", err, said.String())
			}
		}
	})
	before := time.Now().Add(-48 * time.Hour)
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
		for n := range 20 { // what else there is to remove
			waste := filepath.Join(folder, hashOf(fmt.Append(nil, n)))
			must(t, os.WriteFile(waste, nil, 0o600))
			os.Chtimes(waste, before, before) //nolint:errcheck // It may be gone.
		}
		next, err := st.Create(project)
		must(t, err)
		must(t, next.Append(user("again")))
		os.Chtimes(blob, before, before) //nolint:errcheck // As above.
		must(t, s.Close())
		os.Remove(s.Path()) //nolint:errcheck // Nobody names it now.
		must(t, next.Changed(path, []byte("shared"), true))
		if _, err := next.Blob(hashOf([]byte("shared"))); err != nil {
			t.Fatal(err)
		}
		s = next
	}
	stop()
	beside.Wait()
	must(t, again(st))
	_, err := s.Undo()
	must(t, err)
	holds(t, path, "shared")
	if left := blobs(t, st); len(left) > 2 { // with what the file held before the undoing
		t.Errorf("left %q", left)
	}
}
