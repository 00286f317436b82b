package change

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// folder makes a folder with files, whose paths have forward slashes.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree is everything below a folder, one a line: "path: content", folders with a slash.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		b.WriteString(filepath.ToSlash(rel))
		if entry.IsDir() {
			b.WriteString("/\n")
			return nil
		}
		text, err := os.ReadFile(name)
		b.WriteString(": " + string(text) + "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func lines(done []Done) string {
	var all []string
	for _, d := range done {
		all = append(all, d.String())
	}
	return strings.Join(all, ", ")
}

func TestFilesAreCreatedAndUpdated(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"list.go": "old\r\n", "same": "same"})
	s := New(dir)
	s.Create("new/deep/file.go", []byte("one"))
	s.Rewrite("list.go", []byte("old\n"), []byte("new\n"))
	s.Create("same", []byte("same"))
	s.Create("new/deep/file.go", []byte("two")) // the last content counts
	done, err := s.Apply(false)
	if err != nil {
		t.Fatal(err)
	}
	if got := lines(done); got != "created new/deep/file.go, updated list.go, unchanged same" {
		t.Errorf("done: %s", got)
	}
	if got, want := tree(t, dir), "list.go: new\n\nnew/\nnew/deep/\nnew/deep/file.go: two\nsame: same\n"; got != want {
		t.Errorf("the folder has\n%s\nwant\n%s", got, want)
	}
}

func TestFolderIsMadeForTheFirstFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := New(dir)
	s.Create("file", []byte("x"))
	if err := s.Conflicts(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Apply(false); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir); got != "file: x\n" {
		t.Errorf("the folder has %s", got)
	}
}

func TestConflictsAreToldAllAtOnce(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"differs": "mine", "edited": "before, and a line of mine", "folder/inside": "", "file": "",
	})
	plan := func(folders bool) *Set {
		s := New(dir)
		s.Create("fine", []byte("fine"))
		s.Create("differs", []byte("new"))
		s.Rewrite("edited", []byte("before"), []byte("after"))
		s.Rewrite("gone", []byte("before"), []byte("after"))
		if folders {
			s.Create("folder", []byte("x"))
			s.Create("file/below", []byte("x"))
			s.Create("../outside", []byte("x"))
		}
		return s
	}
	before := tree(t, dir)
	for _, force := range []bool{false, true} {
		_, err := plan(true).Apply(force)
		found, ok := errors.AsType[Conflicts](err)
		if !ok {
			t.Fatalf("force %v: %v", force, err)
		}
		want := []string{
			"folder is a folder and no file", "file/below needs the folder file, which is a file", "../outside is no path below the folder",
			"move them out of the way first",
		}
		if !force {
			want = append(want[:3], "differs is there and differs", "edited is not as rata wrote it", "gone is missing",
				"--force overwrites files; move the rest")
		}
		for _, line := range want {
			if !strings.Contains(found.Error(), line) {
				t.Errorf("force %v: %v\nlacks %q", force, found, line)
			}
		}
		if after := tree(t, dir); after != before {
			t.Errorf("the folder has changed:\n%s", after)
		}
	}
	done, err := plan(false).Apply(true)
	if err != nil {
		t.Fatal(err)
	}
	if got := lines(done); got != "created fine, overwrote differs, overwrote edited, created gone" {
		t.Errorf("with force: %s", got)
	}
}

func TestNothingIsWrittenThroughALinkOutOfTheFolder(t *testing.T) {
	t.Parallel()
	outside := folder(t, map[string]string{"file": "theirs"})
	dir := folder(t, nil)
	for name, target := range map[string]string{"out": outside, "link": filepath.Join(outside, "file"), "nowhere": "gone"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	s := New(dir)
	s.Create("out/new", []byte("x"))
	s.Create("link", []byte("x"))
	s.Create("nowhere/new", []byte("x"))
	_, err := s.Apply(true)
	if err == nil {
		t.Fatal("it was written")
	}
	for _, line := range []string{"out/new needs the folder out, which cannot be used", "link is a link and no file", "nowhere/new needs the folder nowhere, which is a link to nothing"} {
		if !strings.Contains(err.Error(), line) {
			t.Errorf("%v\nlacks %q", err, line)
		}
	}
	if got := tree(t, outside); got != "file: theirs\n" {
		t.Errorf("the other folder has %s", got)
	}
}

// A name that has room for itself, but not for that of the temporary file beside it.
var tooLong = strings.Repeat("n", 252)

func TestFailureMidwayLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"list": "old"})
	inside := filepath.Join(dir, "not", "yet")
	for name, s := range map[string]*Set{"here": New(dir), "new folder": New(inside)} {
		s.Create("a/b/file", []byte("x"))
		if name == "here" {
			s.Rewrite("list", []byte("old"), []byte("new"))
		}
		s.Create("a/"+tooLong, []byte("x"))
		_, err := s.Apply(false)
		if err == nil || !strings.Contains(err.Error(), "nothing was changed") || strings.Contains(err.Error(), "put back") {
			t.Errorf("%s: %v", name, err)
		}
		if got := tree(t, dir); got != "list: old\n" {
			t.Errorf("%s: the folder has\n%s", name, got)
		}
	}
}

func TestFileThatChangesMeanwhileIsKept(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"list": "old", "other": "old"})
	s := New(dir)
	s.Create("new", []byte("x"))
	s.Rewrite("list", []byte("old"), []byte("new"))
	s.Rewrite("other", []byte("old"), []byte("new"))
	files, err := s.look()
	if err != nil {
		t.Fatal(err)
	}
	w := &writing{}
	if err := w.open(dir); err != nil {
		t.Fatal(err)
	}
	for i := range files {
		if err := w.stage(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "other"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	for i, f := range w.staged {
		if err := w.place(f); (err != nil) != (i == 2) {
			t.Fatalf("place %s: %v", f.path, err)
		}
	}
	if err := w.undo(); err != nil {
		t.Error(err)
	}
	if got := tree(t, dir); got != "list: old\nother: mine\n" {
		t.Errorf("the folder has\n%s", got)
	}
}

func TestModeOfAFileStays(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"list": "old"})
	if err := os.Chmod(filepath.Join(dir, "list"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := New(dir)
	s.Rewrite("list", []byte("old"), []byte("new"))
	if _, err := s.Apply(false); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "list"))
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o600 && runtime.GOOS != "windows" { // which has no such modes
		t.Errorf("the mode is %v", mode)
	}
}

func TestDiffShowsWhatForceWouldWrite(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{"list": "a\nb\nc\n", "same": "s", "folder/x": ""})
	s := New(dir)
	s.Create("new.txt", []byte("one\ntwo\n"))
	s.Create("empty", nil)
	s.Create("icon", []byte{0, 1, 2})
	s.Create("list", []byte("a\nB\nc\n"))
	s.Create("same", []byte("s"))
	s.Create("folder", []byte("x"))
	before := tree(t, dir)
	var b strings.Builder
	if err := s.Diff(&b); err != nil {
		t.Fatal(err)
	}
	want := `diff /dev/null b/new.txt
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+one
+two
diff /dev/null b/empty
Binary files /dev/null and b/icon differ
diff a/list b/list
--- a/list
+++ b/list
@@ -1,3 +1,3 @@
 a
-b
+B
 c
`
	if b.String() != want {
		t.Errorf("the difference is\n%s\nwant\n%s", b.String(), want)
	}
	if tree(t, dir) != before {
		t.Error("the folder has changed")
	}
}
