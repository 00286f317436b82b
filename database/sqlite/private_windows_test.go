package sqlite_test

import (
	"io/fs"
	"testing"
)

// private has nothing to ask on Windows, where files inherit what their folder allows.
func private(*testing.T, string, fs.FileMode) {}
