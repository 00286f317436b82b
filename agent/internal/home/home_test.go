package home

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T) *Dir {
	t.Helper()
	d, err := Open(filepath.Join(t.TempDir(), ".elyra", "agent"))
	must(t, err)
	return d
}

func TestLocate(t *testing.T) {
	t.Parallel()
	user := filepath.Join(t.TempDir(), "user")
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	tests := []struct{ name, variable, want string }{
		{"unset", "", filepath.Join(user, ".elyra", "agent")},
		{"absolute", elsewhere + string(filepath.Separator), elsewhere},
		{"relative", filepath.Join("x", "y"), filepath.Join(user, "x", "y")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			getenv := func(name string) string {
				if name != "ELYRA_HOME" {
					t.Errorf("asked for %s", name)
				}
				return test.variable
			}
			if got := Locate(getenv, user); got != test.want {
				t.Errorf("Locate = %s, want %s", got, test.want)
			}
		})
	}
}

func TestNothingIsMadeBeforeTheFirstWrite(t *testing.T) {
	t.Parallel()
	d := open(t)
	if _, err := d.Read("a.json"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read: %v, want fs.ErrNotExist", err)
	}
	if _, err := os.Stat(filepath.Dir(d.Path())); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening and reading made %s", filepath.Dir(d.Path()))
	}
	must(t, d.Write("a.json", []byte("1")))
	if got, err := d.Read("a.json"); err != nil || string(got) != "1" {
		t.Errorf("Read = %q, %v", got, err)
	}
}

func TestNamesStayBelowTheFolder(t *testing.T) {
	t.Parallel()
	d := open(t)
	for _, name := range []string{"", ".", "..", "../a", "a/../../b", filepath.Join(t.TempDir(), "a")} {
		if _, err := d.Read(name); !errors.Is(err, ErrUnsafe) {
			t.Errorf("Read(%q): %v", name, err)
		}
		if err := d.Write(name, nil); !errors.Is(err, ErrUnsafe) {
			t.Errorf("Write(%q): %v", name, err)
		}
	}
	must(t, d.Write("logs/a/b.log", []byte("x")))
	if _, err := os.Stat(d.Path("logs", "a", "b.log")); err != nil {
		t.Error(err)
	}
	if _, err := Open("relative"); err == nil {
		t.Error("a relative folder was opened")
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	tests := []struct {
		name    string
		old     string // "" for none
		change  func(old []byte) ([]byte, error)
		want    string
		written bool
		err     error
	}{
		{"new file", "", func(old []byte) ([]byte, error) { return append(old, 'a'), nil }, "a", true, nil},
		{"new empty file", "", func([]byte) ([]byte, error) { return []byte{}, nil }, "", true, nil},
		{"no file, nothing to say", "", func(old []byte) ([]byte, error) { return old, nil }, "", false, nil},
		{"changed", "a", func(old []byte) ([]byte, error) { return append(old, 'b'), nil }, "ab", true, nil},
		{"the same", "a", func([]byte) ([]byte, error) { return []byte("a"), nil }, "a", false, nil},
		{"refused", "a", func([]byte) ([]byte, error) { return []byte("b"), refused }, "a", false, refused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := open(t)
			old := time.Now().Add(-time.Hour).Truncate(time.Second)
			if test.old != "" {
				must(t, d.Write("f", []byte(test.old)))
				must(t, os.Chtimes(d.Path("f"), old, old))
			}
			if err := d.Update(t.Context(), "f", test.change); err != test.err {
				t.Fatalf("Update: %v, want %v", err, test.err)
			}
			info, err := os.Stat(d.Path("f"))
			if written := err == nil && !info.ModTime().Equal(old); written != test.written {
				t.Errorf("written: %v, want %v", written, test.written)
			}
			if got, _ := d.Read("f"); string(got) != test.want {
				t.Errorf("the file holds %q, want %q", got, test.want)
			}
		})
	}
}

func TestUpdatesTakeTurns(t *testing.T) {
	t.Parallel()
	const writers, each = 4, 25
	path := open(t).Path()
	var wait sync.WaitGroup
	for range writers {
		wait.Go(func() {
			d, err := Open(path) // as another process would
			if err != nil {
				t.Error(err)
				return
			}
			for range each {
				err := d.Update(t.Context(), "count", func(old []byte) ([]byte, error) {
					n, _ := strconv.Atoi(string(old))
					return strconv.AppendInt(nil, int64(n+1), 10), nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	got, err := os.ReadFile(filepath.Join(path, "count"))
	if err != nil || string(got) != strconv.Itoa(writers*each) {
		t.Errorf("count = %s, %v; an update was lost", got, err)
	}
}

func TestLockWaitsForItsContext(t *testing.T) {
	t.Parallel()
	d := open(t)
	unlock, err := d.Lock(t.Context(), "f")
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := d.Lock(ctx, "f"); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "f.lock") {
		t.Errorf("Lock while held: %v", err)
	}
	other, err := d.Lock(t.Context(), "g")
	must(t, err)
	other()
	unlock()
	unlock() // twice does no harm
	again, err := d.Lock(t.Context(), "f")
	must(t, err)
	again()
}

func TestStaleTemporaryFilesGo(t *testing.T) {
	t.Parallel()
	d := open(t)
	must(t, d.Write("f", nil))
	old := time.Now().Add(-2 * staleAfter)
	for name, when := range map[string]time.Time{
		".f.1.tmp": old, ".f.2.tmp": time.Now(), ".other.1.tmp": old, ".f.tmp": old,
	} {
		must(t, os.WriteFile(d.Path(name), nil, 0o600))
		must(t, os.Chtimes(d.Path(name), when, when))
	}
	must(t, d.Write("f", []byte("x")))
	entries, err := os.ReadDir(d.Path())
	must(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if got, want := strings.Join(names, " "), ".f.2.tmp .f.tmp .other.1.tmp f"; got != want {
		t.Errorf("the folder holds %s, want %s", got, want)
	}
}

func TestDamagedFilesAreSetAside(t *testing.T) {
	t.Parallel()
	d := open(t)
	for round := range maxAside + 2 {
		content := strconv.Itoa(round)
		must(t, d.Write("f", []byte(content)))
		aside, err := d.SetAside("f")
		must(t, err)
		if want := d.Path("f.damaged-" + strconv.Itoa(min(round+1, maxAside))); aside != want {
			t.Errorf("set aside as %s, want %s", aside, want)
		}
		if got, err := os.ReadFile(aside); err != nil || string(got) != content {
			t.Errorf("%s holds %q, %v", aside, got, err)
		}
		if _, err := d.Read("f"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the file is still there: %v", err)
		}
	}
}

func TestWhatIsNoFileIsRefused(t *testing.T) {
	t.Parallel()
	d := open(t)
	must(t, d.Write("x/y", nil))
	if _, err := d.Read("x"); err == nil {
		t.Error("a folder was read")
	}
	if err := d.Write("x", nil); !errors.Is(err, ErrUnsafe) {
		t.Errorf("writing over a folder: %v", err)
	}
	must(t, os.WriteFile(d.Path("long"), nil, 0o600))
	must(t, os.Truncate(d.Path("long"), maxFile+1))
	if _, err := d.Read("long"); err == nil || !strings.Contains(err.Error(), "longer than 64 MiB") {
		t.Errorf("reading a file that is too long: %v", err)
	}
	if runtime.GOOS != "windows" {
		if err := WriteFile(filepath.Join(d.Path("none"), "f"), nil, 0o644); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("writing to a folder that is absent: %v", err)
		}
	}
}

func TestAFolderIsPrivateAndBelowTheHome(t *testing.T) {
	t.Parallel()
	d, err := Open(filepath.Join(t.TempDir(), "agent"))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := d.Folder("logs")
	if err != nil || folder != d.Path("logs") {
		t.Fatalf("folder %q, %v", folder, err)
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		t.Errorf("stat: %v, %v", info, err)
	}
	if _, err := d.Folder("../elsewhere"); !errors.Is(err, ErrUnsafe) {
		t.Errorf("a folder outside of the home: %v", err)
	}
}
