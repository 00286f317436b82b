//go:build unix

package sqlite_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
)

// TestAFileBehindALink opens one file by two names, of which one is a link in another folder.
func TestAFileBehindALink(t *testing.T) {
	t.Parallel()
	file := open(t, schema)
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(file.path, link); err != nil {
		t.Fatal(err)
	}
	linked := openAt(t, link)
	first, _ := database.HandleOf(file.DB)
	second, _ := database.HandleOf(linked.DB)

	unlock, err := first.Lock(t.Context(), "migrate")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := second.Lock(ctx, "migrate"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a second lock by another name: %v", err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}

	linked.watch("select message from log")
	defer second.Watch()()
	for _, name := range []string{"first", "second", "third"} {
		file.exec(t.Context(), "insert into log(message) values (?)", name)
		told := ""
		for wait := 0; told == "" && wait < 1000; wait++ {
			time.Sleep(10 * time.Millisecond)
			told = linked.told()
		}
		if want := "log*"; name != "first" && told != want { // the first has no log to be compared with
			t.Errorf("%s: told %q, want %q", name, told, want)
		}
	}
}
