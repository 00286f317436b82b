package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
)

func TestTwoProcessesDoNotWriteToOneSession(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s := newSession(t, st)
	must(t, s.Append(user("one")))
	_, err := st.Open(s.Path())
	if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())) {
		t.Fatalf("the second opening: %v", err)
	}
	fork, err := st.Fork(s.Path(), "", project)
	must(t, err)
	must(t, fork.Append(user("two")))
	must(t, fork.Close())
	if got := short(fork.History()); got != "u one | u two" {
		t.Errorf("fork %s", got)
	}
	if fork.Header().Parent != s.ID() || fork.ID() == s.ID() {
		t.Errorf("header %+v", fork.Header())
	}
	must(t, s.Append(user("three")))
	must(t, s.Close())
	if got := short(reopen(t, st, s.Path()).History()); got != "u one | u three" {
		t.Errorf("first %s", got)
	}
	if got := short(reopen(t, st, fork.Path()).History()); got != "u one | u two" {
		t.Errorf("fork opened %s", got)
	}
}

func TestALockOfADeadProcessIsFree(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s := newSession(t, st)
	must(t, s.Append(user("one")))
	must(t, s.Close())
	must(t, os.WriteFile(s.Path()+".lock", []byte(" 1\n"), 0o600))
	must(t, reopen(t, st, s.Path()).Close())
	if _, err := os.Stat(s.Path() + ".lock"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock stays: %v", err)
	}
}

func TestAForkEndsWhereItWasAsked(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s := newSession(t, st)
	must(t, s.Append(user("one")))
	at := s.Leaf()
	must(t, s.Append(answer("two")))
	fork, err := st.Fork(s.Path(), at, "/other")
	must(t, err)
	if got := short(fork.History()); got != "u one" || fork.Sum().Cost != 0 {
		t.Errorf("fork %s, %+v", got, fork.Sum())
	}
	if _, err := os.Stat(fork.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the fork has a file before its first entry")
	}
	if _, err := st.Fork(s.Path(), "nothing", "/other"); !errors.Is(err, ErrNoEntry) {
		t.Errorf("%v", err)
	}
}

func TestSessionsAreListedAndFound(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	var paths []string
	for i := range 3 {
		s := newSession(t, st)
		must(t, s.Append(user(fmt.Sprintf("  prompt\n\n %d %s", i, strings.Repeat("ü", 300)))))
		must(t, s.Append(answer("x")))
		paths = append(paths, s.Path())
		must(t, s.Close())
	}
	first := reopen(t, st, paths[0])
	must(t, first.Append(user(strings.Repeat("long ", 100_000)))) // more than the end that is read at first
	must(t, first.Close())
	must(t, os.WriteFile(filepath.Join(filepath.Dir(paths[0]), "2026-01-01T00-00-00.000Z_dead.jsonl"), nil, 0o600))

	list, err := st.List(project)
	must(t, err)
	if len(list) != 3 || list[0].Path != paths[0] || list[1].Path != paths[2] {
		t.Fatalf("list %+v", list)
	}
	l := list[0]
	if !strings.HasPrefix(l.Prompt, "prompt 0 üü") || len([]rune(l.Prompt)) != maxPrompt || l.Sum.Messages != 3 || l.Sum.Cost != 0.25 ||
		l.Sum.Model != "vendor/model" || l.Header.Cwd != project {
		t.Errorf("info %+v", l)
	}
	if latest, err := st.Latest(project); err != nil || latest.Path != paths[0] {
		t.Errorf("latest %v, %v", latest.Path, err)
	}
	if _, err := st.Latest("/elsewhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	id := list[1].Header.ID
	for _, prefix := range []string{id, id[:9]} {
		if found, err := st.Find(prefix); err != nil || found.Path != paths[2] {
			t.Errorf("find %s: %v, %v", prefix, found.Path, err)
		}
	}
	for _, id := range []string{"", "zz", "../x", "*"} {
		if _, err := st.Find(id); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("find %q: %v", id, err)
		}
	}
}

func TestFoldersThatShareANameShareNoSessions(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	a, err := st.Create("/a/b")
	must(t, err)
	must(t, a.Append(user("one")))
	must(t, a.Close())
	if list, err := st.List("/a-b"); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := st.List("/a/b"); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	deep := "/" + strings.Repeat("ü/", 300)
	s, err := st.Create(deep)
	must(t, err)
	must(t, s.Append(user("deep")))
	must(t, s.Close())
	if list, err := st.List(deep); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}

func FuzzParse(f *testing.F) {
	st := newStore(f)
	s := newSession(f, st)
	must(f, s.Append(user("one")))
	must(f, s.Append(answer("two", "c")))
	must(f, s.Compact("short", 1, model.Usage{}, 0))
	must(f, s.SetLeaf(s.Tree()[0].ID))
	must(f, s.Append(results("c")))
	data, err := os.ReadFile(s.Path())
	must(f, err)
	f.Add(data)
	f.Add([]byte("{\"id\":\"a\",\"kind\":\"message\",\"message\":{}}\n{\"id\":\"a\",\"parentId\":\"a\",\"kind\":\"leaf\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := parse("2026-01-01T00-00-00.000Z_ab.jsonl", data)
		if !validID(c.header.ID) || c.whole > int64(len(data)) {
			t.Fatalf("header %+v, %d bytes", c.header, c.whole)
		}
		s := &Session{store: New(nil, Options{}), c: c, leaf: c.next(len(c.entries) - 1)}
		check(t, s)
		s.Labels()
		s.Undoable()
		again := parse("2026-01-01T00-00-00.000Z_ab.jsonl", data[:c.whole])
		if len(again.entries) != len(c.entries) {
			t.Fatalf("%d entries, then %d", len(c.entries), len(again.entries))
		}
	})
}
