//go:build unix

package sqlite_test

import (
	"io/fs"
	"os"
	"testing"
)

func private(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != want {
		t.Errorf("%s has permissions %o, want %o", path, got, want)
	}
}
