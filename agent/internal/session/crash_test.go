package session

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// childVariable makes the test binary a process that writes a session below the folder it names until it is killed.
const childVariable = "ELYRA_TEST_SESSION_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		fmt.Fprintln(os.Stderr, child(path))
		os.Exit(1)
	}
	if path := os.Getenv(cleanerVariable); path != "" {
		fmt.Fprintln(os.Stderr, cleaner(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// child appends numbered messages, and tells of each one when it is on the disk.
func child(path string) error {
	dir, err := home.Open(path)
	if err != nil {
		return err
	}
	s, err := New(dir, Options{}).Create(project)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		if err := s.Append(user(fmt.Sprintf("%d %s", n, strings.Repeat("x", n*997%5000)))); err != nil {
			return err
		}
		fmt.Println(n)
	}
}

func TestKilledAtEveryWrite(t *testing.T) {
	t.Parallel()
	for round := range 12 {
		st := newStore(t)
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVariable+"="+st.dir.Path())
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		t.Cleanup(func() {
			cmd.Process.Kill() //nolint:errcheck // It is gone unless the test has failed.
			cmd.Wait()         //nolint:errcheck // As above.
		})
		lines := bufio.NewScanner(out)
		last := -1
		for lines.Scan() {
			last, err = strconv.Atoi(lines.Text())
			must(t, err)
			if last == round {
				time.Sleep(time.Duration(round) * 300 * time.Microsecond)
				must(t, cmd.Process.Kill())
			}
		}
		cmd.Wait() //nolint:errcheck // It was killed.

		info, err := st.Latest(project)
		must(t, err)
		s := reopen(t, st, info.Path)
		history := s.History()
		if len(history) <= last {
			t.Fatalf("message %d was said to be stored, and there are %d", last, len(history))
		}
		for n, m := range history {
			if !strings.HasPrefix(m.String(), strconv.Itoa(n)+" ") {
				t.Fatalf("message %d is %.20q", n, m)
			}
		}
		must(t, s.Append(user("on")))
	}
}

// small returns the bytes of a small session with all kinds of entries, and its path.
func small(t *testing.T, st *Store) (string, []byte) {
	t.Helper()
	s := newSession(t, st)
	must(t, s.Append(user("one")))
	must(t, s.Append(answer("zwei ü", "c")))
	must(t, s.Append(results("c")))
	must(t, s.Compact("short", 2, model.Usage{}, 0))
	must(t, s.Append(answer("three")))
	at := s.Leaf()
	must(t, s.Append(user("four")))
	must(t, s.SetLeaf(at))
	must(t, s.Append(user("five")))
	must(t, s.Close())
	data, err := os.ReadFile(s.Path())
	must(t, err)
	return s.Path(), data
}

// opens opens a file, looks whether the session is one that can be gone on with, and goes on with it.
func opens(t *testing.T, st *Store, path string) {
	t.Helper()
	s, err := st.Open(path)
	must(t, err)
	defer s.Close() //nolint:errcheck // The second opening would fail.
	before := len(s.Tree())
	check(t, s)
	s.file = unsynced{s.file} // thousands of times are too many for a disk
	must(t, s.Append(user("goes on")))
	if got := short(s.History()); !strings.HasSuffix(got, "u goes on") {
		t.Fatalf("history %s", got)
	}
	must(t, s.Close())
	again, err := st.Open(path)
	must(t, err)
	defer again.Close() //nolint:errcheck // The test's folder goes.
	if len(again.Tree()) != before+1 || short(again.History()) != short(s.History()) {
		t.Fatalf("opened again: %d entries, had %d:\n%s\n%s", len(again.Tree()), before+1, short(again.History()), short(s.History()))
	}
}

type unsynced struct{ file }

func (unsynced) Sync() error { return nil }

// check fails unless each call has one result, after it.
func check(t *testing.T, s *Session) {
	t.Helper()
	open := map[string]bool{}
	for _, m := range s.History() {
		if m.Role == "assistant" && len(open) > 0 {
			t.Fatalf("calls without results: %s", short(s.History()))
		}
		for _, b := range m.Content {
			switch {
			case b.Call != nil:
				open[b.Call.ID] = true
			case b.Result != nil && !open[b.Result.CallID]:
				t.Fatalf("a result without a call: %s", short(s.History()))
			case b.Result != nil:
				delete(open, b.Result.CallID)
			}
		}
	}
	if len(open) > 0 {
		t.Fatalf("calls without results: %s", short(s.History()))
	}
}

// inMemory is a session of bytes that no file holds.
func inMemory(st *Store, path string, data []byte) *Session {
	c := parse(path, data)
	return &Session{store: st, c: c, leaf: c.next(len(c.entries) - 1)}
}

// everyFile is how many of the damaged sessions are also opened as files, which takes a disk's time.
const everyFile = 13

func TestCutOffAtEveryByte(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	path, data := small(t, st)
	for cut := range len(data) + 1 {
		lines := strings.Count(string(data[:cut]), "\n")
		if cut < len(data) && data[cut] == '\n' {
			lines++ // the line is whole
		}
		whole := cut == 0 || cut == len(data) || data[cut-1] == '\n' || data[cut] == '\n'
		s := inMemory(st, path, data[:cut])
		check(t, s)
		if got, want := len(s.Tree()), max(lines-1, 0); got != want || whole != (len(s.Damage()) == 0) {
			t.Fatalf("cut at %d: %d entries, want %d; damage %q", cut, got, want, s.Damage())
		}
		if cut%everyFile != 0 && !whole {
			continue
		}
		must(t, os.WriteFile(path, data[:cut], 0o600))
		os.Remove(path + ".torn") //nolint:errcheck // It is there after some of the rounds only.
		opens(t, st, path)
		torn, err := os.ReadFile(path + ".torn")
		if whole != errors.Is(err, os.ErrNotExist) || !strings.HasSuffix(string(data[:cut]), string(torn)) {
			t.Fatalf("cut at %d: kept aside %q, %v", cut, torn, err)
		}
	}
}

func TestDamagedAtEveryByte(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	path, data := small(t, st)
	whole := strings.Count(string(data), "\n") - 1
	for i := range data {
		for _, to := range []byte{0, '\n', '"', 0xff} {
			damaged := append([]byte(nil), data...)
			damaged[i] = to
			s := inMemory(st, path, damaged)
			check(t, s)
			if n := len(s.Tree()); n < whole-2 || n < whole && len(s.Damage()) == 0 {
				t.Fatalf("byte %d as %q: %d entries of %d, damage %q", i, to, n, whole, s.Damage())
			}
			if i%everyFile != int(to)%4 {
				continue
			}
			must(t, os.WriteFile(path, damaged, 0o600))
			opens(t, st, path)
			now, err := os.ReadFile(path)
			must(t, err)
			if cut := bytes.LastIndexByte(damaged, '\n') + 1; !bytes.HasPrefix(now, damaged[:cut]) {
				t.Fatalf("byte %d as %q: lines were changed", i, to)
			}
		}
	}
}

func TestWhatHungOnADamagedLineHangsOnTheLastGoodOne(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s := newSession(t, st)
	for _, text := range []string{"one", "two", "three", "four"} {
		must(t, s.Append(user(text)))
	}
	must(t, s.Close())
	data, err := os.ReadFile(s.Path())
	must(t, err)
	lines := strings.SplitAfter(string(data), "\n")
	lines[2] = lines[2][:20] + "\x00\x00" + lines[2][22:]
	must(t, os.WriteFile(s.Path(), []byte(strings.Join(lines, "")), 0o600))
	s = reopen(t, st, s.Path())
	if got := short(s.History()); got != "u one | u three | u four" {
		t.Errorf("history %s", got)
	}
	if got := strings.Join(s.Damage(), "\n"); !strings.Contains(got, "line 3 is damaged") {
		t.Errorf("damage %s", got)
	}
	now, err := os.ReadFile(s.Path())
	must(t, err)
	if string(now) != strings.Join(lines, "") {
		t.Error("the damaged line is not kept")
	}
}

// failing is a file that takes some bytes of a write and fails.
type failing struct {
	file
	takes    int
	truncate bool
}

var errFull = errors.New("no space left on device")

func (f *failing) Write(p []byte) (int, error) {
	n, _ := f.file.Write(p[:min(f.takes, len(p))])
	return n, errFull
}

func (f *failing) Truncate(n int64) error {
	if f.truncate {
		return f.file.Truncate(n)
	}
	return errFull
}

func TestAFullDiskCostsOneMessage(t *testing.T) {
	t.Parallel()
	for _, truncate := range []bool{true, false} {
		for takes := range 20 {
			takes *= 7
			st := newStore(t)
			s := newSession(t, st)
			must(t, s.Append(user("one")))
			whole := s.file
			s.file = &failing{whole, takes, truncate}
			if err := s.Append(user("two")); !errors.Is(err, errFull) {
				t.Fatalf("append on a full disk: %v", err)
			}
			s.file = whole
			must(t, s.Append(user("three")))
			must(t, s.Close())
			s = reopen(t, st, s.Path())
			if got := short(s.History()); got != "u one | u three" || len(s.Damage()) > 0 {
				t.Fatalf("after %d bytes: %s, %q", takes, got, s.Damage())
			}
		}
	}
}

func TestALaterVersionIsNotOpened(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	path := filepath.Join(t.TempDir(), "x.jsonl")
	text := `{"type":"session","version":2,"id":"a"}` + "\n{"
	must(t, os.WriteFile(path, []byte(text), 0o600))
	if _, err := st.Open(path); err == nil || !strings.Contains(err.Error(), "update elyra") {
		t.Errorf("%v", err)
	}
	if now, _ := os.ReadFile(path); string(now) != text {
		t.Error("it was changed")
	}
}
