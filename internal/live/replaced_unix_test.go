//go:build unix

package live_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAReplacedFileIsOpenedAnew(t *testing.T) {
	t.Parallel()
	db, r, path := shared(t, sharedSchema)
	const text = "select name from person where id = 1"
	s := query(t, db, r, text)
	last := settles(t, db, s, text, "")
	copied := filepath.Join(t.TempDir(), "copy.db")
	write(t, db, "vacuum into ?", copied)
	o := startOther(t, copied)
	o.must("update person set name = 'Restored' where id = 1")
	o.must("pragma wal_checkpoint(truncate)")
	_ = o.in.Close()
	_ = o.cmd.Wait()
	// What belongs to the old file goes first: SQLite would take its log for the new one's.
	for _, end := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + end); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(copied, path); err != nil {
		t.Fatal(err)
	}
	end := time.After(10 * time.Second)
	for !strings.Contains(last, "Restored") {
		select {
		case u := <-s.Updates():
			last = show(string(u.Value), u.Err)
		case <-end:
			t.Fatalf("still %s", last)
		}
	}
	write(t, db, "update person set name = 'Ours' where id = 1")
	settles(t, db, s, text, last)
}
