package cli

import (
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// replace puts a text in place of another one, which is in the file once.
func replace(ts *testscript.TestScript, file, old, text string) {
	before := ts.ReadFile(file)
	if strings.Count(before, old) != 1 {
		ts.Fatalf("%s has %q %d times", file, old, strings.Count(before, old))
	}
	ts.Check(os.WriteFile(ts.MkAbs(file), []byte(strings.Replace(before, old, text, 1)), 0o666))
}
