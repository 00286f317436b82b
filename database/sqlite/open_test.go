package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
)

func TestURLs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, test := range []struct{ url, name, reason string }{
		{"sqlite:crm.db", filepath.Join(dir, "crm.db"), ""},
		{"sqlite:sub/crm.db", filepath.Join(dir, "sub", "crm.db"), ""},
		{"sqlite:My%20data.db", filepath.Join(dir, "My data.db"), ""},
		{"crm.db", filepath.Join(dir, "crm.db"), ""},
		{"./a%20b.db", filepath.Join(dir, "a%20b.db"), ""},
		{"", "", "no path given"},
		{"sqlite:", "", "no path given"},
		{"sqlite://crm.db", "", "write sqlite:crm.db"},
		{":memory:", "", "in-memory"},
		{"sqlite::memory:", "", "in-memory"},
		{"sqlite:%3Amemory:", "", "in-memory"},
		{"sqlite:crm.db?mode=memory", "", "in-memory"},
		{"file::memory:?cache=shared", "", "in-memory"},
		{"sqlite:crm.db?cache=shared", "", `unknown parameter "cache=shared"`},
		{"crm.db?_pragma=foreign_keys(0)", "", "unknown parameter"},
		{"postgres://localhost/crm", "", `"postgres" is no scheme of this driver`},
		{"file:crm.db", "", `"file" is no scheme of this driver`},
		{"sqlite:a%zz", "", "invalid URL escape"},
		{"sqlite:a%00b", "", "zero byte"},
		{"sqlite:a#b", "", "%23"},
	} {
		db, err := sqlite.Driver().Open(database.OpenOptions{URL: test.url, Dir: dir})
		if test.reason != "" {
			if err == nil || !strings.Contains(err.Error(), test.reason) {
				t.Errorf("%q: %v, want %q", test.url, err, test.reason)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", test.url, err)
			continue
		}
		if h, _ := database.HandleOf(db); h.Name() != test.name {
			t.Errorf("%q is %q, want %q", test.url, h.Name(), test.name)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	absolute := filepath.ToSlash(filepath.Join(dir, "x # ? %.db"))
	if !strings.HasPrefix(absolute, "/") {
		absolute = "/" + absolute
	}
	escaped := strings.NewReplacer("%", "%25", "#", "%23", "?", "%3F").Replace(absolute)
	db := openAt(t, "sqlite://"+escaped, "create table t(x)")
	if _, err := os.Stat(filepath.Join(dir, "x # ? %.db")); err != nil {
		t.Errorf("after opening %s: %v", escaped, err)
	}
	db.expect()
}

func TestWhatCannotBeOpened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	long := strings.Repeat("not a database\n", 1000)
	for _, test := range []struct{ name, path, reason string }{
		{"a folder", dir, "it is a folder"},
		{"a text", write("long.txt", long), "not a SQLite database"},
		{"a short text", write("short.txt", "hello"), "not a SQLite database"},
		{"below a file", filepath.Join(write("file", "x"), "crm.db"), "open database"},
	} {
		db, err := sqlite.Driver().Open(database.OpenOptions{URL: test.path})
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range []func() error{
			func() error { return db.PingContext(t.Context()) },
			func() error { _, err := db.ExecContext(t.Context(), "create table t(x)"); return err },
			func() error { _, err := db.QueryContext(t.Context(), "select 1"); return err },
		} {
			if err := use(); err == nil || !strings.Contains(err.Error(), test.reason) || !strings.Contains(err.Error(), test.path) {
				t.Errorf("%s: %v, want %q and the path", test.name, err, test.reason)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "long.txt")); err != nil || string(text) != long {
		t.Errorf("the text was changed: %v", err)
	}
	entries, err := filepath.Glob(filepath.Join(dir, ".mode-*"))
	if err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// A new database whose folder has a name with spaces and signs takes what it is told, also of the mode of its files.
func TestAFolderWithAHardName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"my folder", "a+b", "100%", "a&b=c#d"} {
		folder := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		db, err := sqlite.Driver().Open(database.OpenOptions{URL: "new.db", Dir: folder})
		if err == nil {
			_, err = db.Exec(`CREATE TABLE t (x)`)
			err = errors.Join(err, db.Close())
		}
		if err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	db := open(t)
	again := openAt(t, db.path)
	first, _ := database.HandleOf(db.DB)
	second, _ := database.HandleOf(again.DB)
	unlock, err := first.Lock(t.Context(), "migrate")
	if err != nil {
		t.Fatal(err)
	}
	other, err := second.Lock(t.Context(), "seed")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := second.Lock(ctx, "migrate"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second lock: %v", err)
	}
	if err := errors.Join(unlock(), other()); err != nil {
		t.Fatal(err)
	}
	unlock, err = second.Lock(t.Context(), "migrate")
	if err != nil {
		t.Fatal(err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Lock(t.Context(), "../escape"); err == nil {
		t.Error("a purpose with a path was taken")
	}
}

func TestUnlockTurnsForeignKeysOn(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	h, _ := database.HandleOf(db.DB)
	unlock, err := h.Lock(t.Context(), "migrate")
	if err != nil {
		t.Fatal(err)
	}
	db.exec(t.Context(), "pragma foreign_keys = off")
	db.exec(t.Context(), "insert into person(name, team) values ('a', 99)")
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "insert into person(name, team) values ('b', 99)"); err == nil {
		t.Error("foreign keys are still off")
	}
}

func TestCloseWhileInUse(t *testing.T) {
	t.Parallel()
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: filepath.Join(t.TempDir(), "x.db")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "create table t(x)"); err != nil {
		t.Fatal(err)
	}
	h, _ := database.HandleOf(db)
	bound := h.Bind(t.Context())
	tx, err := bound.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), "insert into t values (1)"); err != nil {
		t.Errorf("the transaction that was open: %v", err)
	}
	if err := tx.Commit(); err != nil {
		t.Error(err)
	}
	if _, err := bound.ExecContext(t.Context(), "insert into t values (1)"); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("after closing: %v", err)
	}
}
