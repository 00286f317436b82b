package core

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// An agent that is opened removes what files held before changes that nobody can take back any more.
func TestOldContentsAreRemoved(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"home/.elyra/agent/sessions/--gone--/before/0000": "old"})
	old := filepath.Join(p.home, ".elyra", "agent", "sessions", "--gone--", "before", "0000")
	at := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(old, at, at); err != nil {
		t.Fatal(err)
	}
	p.open("", nil).cleaning.Wait()
	if _, err := os.Stat(old); err == nil {
		t.Error("it is still there")
	}
}
