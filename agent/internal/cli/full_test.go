//go:build bubblewrap && linux

package cli

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestAFullDisk needs bubblewrap, which makes a small file system for a program without being root.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	testscript.Run(t, params("testdata/full", func(*testscript.Env) {}))
}
