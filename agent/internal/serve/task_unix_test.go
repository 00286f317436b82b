//go:build unix

package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEditReportsWhatChangedOnDisk also has commands change files, and files that come and go.
func TestEditReportsWhatChangedOnDisk(t *testing.T) {
	t.Parallel()
	r := newRig(t, `-- reply --
call c1 read {"path": "note.txt"}
-- reply --
call c2 edit {"path": "note.txt", "edits": [{"oldText": "hello", "newText": "goodbye"}]}
call c3 write {"path": "sub/new.txt", "content": "new\n"}
call c4 bash {"command": "echo x > made.txt; rm old.txt; echo y > gone.txt"}
call c5 bash {"command": "rm gone.txt"}
call c6 write {"path": "../outside.txt", "content": "x"}
call c7 write {"path": ".git/hooks/post-commit", "content": "x"}
-- request --
{"messages": ["...", {"role": "user", "content": ["...", {"tool_use_id": "c6", "is_error": true}, {"tool_use_id": "c7", "is_error": true}]}]}
-- reply --
text "Done."
`)
	r.write("note.txt", "hello\n")
	r.write("old.txt", "old\n")
	var got outcome
	text, isError := call(t, r.connect(""), "elyra_task", map[string]any{"task": "change", "mode": "edit", "model": sonnet}, &got)
	if isError {
		t.Fatal(text)
	}
	var changed []string
	for _, c := range got.ChangedFiles {
		changed = append(changed, c.Path+" "+c.Change)
	}
	if all := strings.Join(changed, ", "); all != "made.txt created, note.txt modified, old.txt deleted, sub/new.txt created" {
		t.Errorf("changed: %s", all)
	}
	has(t, text, "Changed files:", "- made.txt (created)")
	if _, err := os.Stat(filepath.Join(r.project, "..", "outside.txt")); err == nil {
		t.Error("a file outside of the project was written")
	}
}
