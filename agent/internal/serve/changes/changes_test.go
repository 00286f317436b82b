package changes_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/serve/changes"
)

// repo is a repository for a test.
type repo struct {
	t   *testing.T
	dir string
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	r := &repo{t, filepath.Join(t.TempDir(), "repo")}
	if err := os.Mkdir(r.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r.git("init", "-q", "-b", "main")
	return r
}

func environ() []string {
	return append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.invalid",
		"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.invalid")
}

func (r *repo) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = r.dir, environ()
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) commit() {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "x")
}

func (r *repo) collect(scope changes.Scope) *changes.Set {
	r.t.Helper()
	s, err := changes.Collect(r.t.Context(), r.dir, environ(), scope)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// show is a set in a few lines.
func show(s *changes.Set) string {
	var b strings.Builder
	for _, f := range s.Files {
		fmt.Fprintf(&b, "%s %s\n", f.From, f.Path)
	}
	for _, o := range s.Omitted {
		fmt.Fprintf(&b, "- %s: %s\n", o.Path, o.Why)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "! %s\n", n)
	}
	return b.String()
}

func is(t *testing.T, s *changes.Set, want string) {
	t.Helper()
	if got := show(s); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestStagedUnstagedAndUntracked(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("both.txt", "one\n")
	r.write("moved from.txt", "a\nb\nc\nd\ne\n")
	r.write("gone.txt", "x\n")
	r.write("naïve \"name\"\t.txt", "x\n")
	r.write(".gitignore", "ignored.txt\n")
	r.commit()
	r.write("both.txt", "two\n")
	r.git("add", "both.txt")
	r.git("mv", "moved from.txt", "moved to.txt")
	r.write("both.txt", "three\n")
	r.write("moved to.txt", "a\nb\nc\nd\nf\n")
	r.write("naïve \"name\"\t.txt", "y\n")
	r.write("new/file.txt", "fresh\x1b[31m\n")
	r.write("ignored.txt", "x\n")
	if err := os.Remove(filepath.Join(r.dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	s := r.collect(changes.All)
	is(t, s, "staged both.txt\nstaged moved to.txt\nunstaged both.txt\nunstaged gone.txt\nunstaged moved to.txt\nunstaged naïve \"name\" .txt\nuntracked new/file.txt\n")
	for i, want := range []string{"-one\n+two\n", "rename from moved from.txt", "-two\n+three\n", "deleted file", "-e\n+f\n", "-x\n+y\n", "+fresh\n"} {
		if !strings.Contains(s.Files[i].Text, want) {
			t.Errorf("%s: no %q in:\n%s", s.Files[i].Path, want, s.Files[i].Text)
		}
	}
	is(t, r.collect(changes.Staged), "staged both.txt\nstaged moved to.txt\n")
	is(t, r.collect(changes.Untracked), "untracked new/file.txt\n")
}

func TestLeftOut(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("package-lock.json", "{}\n")
	r.write("image.png", "\x89PNG\x00a")
	r.write("go.mod", "module x\n")
	r.commit()
	r.write("package-lock.json", "{\"a\":1}\n")
	r.write("image.png", "\x89PNG\x00b")
	r.write("go.mod", "module y\n")
	r.write("sub/Cargo.lock", "x\n")
	r.write("new.bin", "\x00\x01")
	r.write("app.min.js", "x\n")
	r.write("other/.git/HEAD", "ref: refs/heads/main\n")
	s := r.collect(changes.All)
	if len(s.Files) != 1 || s.Files[0].Path != "go.mod" {
		t.Error(show(s))
	}
	for _, want := range []string{"package-lock.json: a lock file", "image.png: binary", "sub/Cargo.lock: a lock file", "new.bin: binary", "app.min.js: made by a build"} {
		if !strings.Contains(show(s), want) {
			t.Errorf("%q is not in:\n%s", want, show(s))
		}
	}
}

func TestRepositoriesInOddStates(t *testing.T) {
	t.Parallel()
	t.Run("no repository", func(t *testing.T) {
		t.Parallel()
		_, err := changes.Collect(t.Context(), t.TempDir(), append(environ(), "GIT_CEILING_DIRECTORIES="+os.TempDir()), changes.All)
		if !errors.Is(err, changes.ErrNoRepository) {
			t.Error(err)
		}
	})
	t.Run("no commits", func(t *testing.T) {
		t.Parallel()
		r := newRepo(t)
		r.write("a.txt", "x\n")
		r.git("add", "a.txt")
		r.write("b.txt", "x\n")
		is(t, r.collect(changes.All), "staged a.txt\nuntracked b.txt\n! The repository has no commits yet.\n")
	})
	t.Run("detached, in a folder below", func(t *testing.T) {
		t.Parallel()
		r := newRepo(t)
		r.write("sub/a.txt", "x\n")
		r.commit()
		r.git("checkout", "-q", "--detach")
		r.write("sub/a.txt", "y\n")
		top := r.dir
		r.dir = filepath.Join(top, "sub")
		is(t, r.collect(changes.All), "unstaged sub/a.txt\n! HEAD is detached.\n")
	})
	t.Run("submodule", func(t *testing.T) {
		t.Parallel()
		inner := newRepo(t)
		inner.write("a.txt", "x\n")
		inner.commit()
		r := newRepo(t)
		r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "mod")
		r.commit()
		(&repo{t, filepath.Join(r.dir, "mod")}).write("a.txt", "y\n")
		is(t, r.collect(changes.All), "- mod: a submodule: its own changes are in its own repository\n")
	})
	t.Run("conflict", func(t *testing.T) {
		t.Parallel()
		r := newRepo(t)
		r.write("a.txt", "x\n")
		r.commit()
		r.git("checkout", "-q", "-b", "side")
		r.write("a.txt", "side\n")
		r.commit()
		r.git("checkout", "-q", "main")
		r.write("a.txt", "main\n")
		r.commit()
		cmd := exec.Command("git", "merge", "-q", "side")
		cmd.Dir, cmd.Env = r.dir, environ()
		if err := cmd.Run(); err == nil {
			t.Fatal("there was no conflict")
		}
		s := r.collect(changes.Unstaged)
		if len(s.Files) != 1 || !strings.Contains(s.Files[0].Text, "<<<<<<<") {
			t.Errorf("%s%+v", show(s), s.Files)
		}
	})
}

// TestNothingOfTheRepositoryIsStarted has settings name programs that show differences, filter files, watch them or fetch
// what is missing, in the repository and in a submodule.
func TestNothingOfTheRepositoryIsStarted(t *testing.T) {
	t.Parallel()
	inner := newRepo(t)
	inner.write("a.txt", "x\n")
	inner.write(".gitattributes", "*.txt filter=inner\n")
	inner.commit()
	r := newRepo(t)
	r.write("a.txt", "x\n")
	r.write("b.txt", "x\n")
	r.write("c.txt", "x\n")
	r.write(".gitattributes", "*.txt diff=evil\na.txt filter=evil\nb.txt filter=e=v.i\\\"l\nc.txt filter=own\n")
	r.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.dir, "mod")
	r.commit()
	started := filepath.ToSlash(filepath.Join(r.dir, "..", "started"))
	evil := "touch " + started + "; cat"
	for _, name := range []string{
		"diff.external", "diff.evil.command", "diff.evil.textconv", "core.fsmonitor", "core.pager", "core.sshCommand",
		"filter.evil.clean", "filter.evil.process", "filter.e=v.i\\\"l.clean", "remote.origin.uploadpack",
	} {
		r.git("config", name, evil)
	}
	r.git("config", "filter.evil.required", "true")
	r.git("config", "remote.origin.url", r.dir)
	r.git("config", "extensions.partialClone", "origin")
	mod := &repo{t, filepath.Join(r.dir, "mod")}
	mod.git("config", "filter.inner.clean", evil)
	for _, name := range []string{"a.txt", "b.txt", "c.txt", "mod/a.txt"} {
		r.write(name, "y\n")
	}
	own := filepath.Join(t.TempDir(), "own")
	s, err := changes.Collect(t.Context(), r.dir, append(environ(), "GIT_EXTERNAL_DIFF="+evil, "GIT_DIR=/nowhere",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=filter.own.clean", "GIT_CONFIG_VALUE_0=touch "+filepath.ToSlash(own)+"; cat"), changes.All)
	if err != nil {
		t.Fatal(err)
	}
	is(t, s, "unstaged a.txt\nunstaged b.txt\nunstaged c.txt\n- mod: a submodule: its own changes are in its own repository\n")
	if _, err := os.Stat(started); err == nil {
		t.Error("a program that the settings name was started")
	}
	if _, err := os.Stat(own); err != nil {
		t.Error("the user's own filter was not asked")
	}
}

// TestNothingIsFetched lacks a version of a file, which the settings say how to get.
func TestNothingIsFetched(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a.txt", "x\n")
	r.commit()
	started := filepath.ToSlash(filepath.Join(t.TempDir(), "started"))
	r.git("config", "extensions.partialClone", "origin")
	r.git("config", "remote.origin.url", r.dir)
	r.git("config", "remote.origin.promisor", "true")
	r.git("config", "remote.origin.uploadpack", "touch "+started+"; git-upload-pack")
	const x = "58/7be6b4c3f93f93c489c0111bba5596147a26cb" // what "x" and a line's end are to git
	if err := os.Remove(filepath.Join(r.dir, ".git/objects", x)); err != nil {
		t.Fatal(err)
	}
	r.write("a.txt", "y\n")
	if _, err := changes.Collect(t.Context(), r.dir, environ(), changes.All); err == nil {
		t.Error("a change was shown without what there was before")
	}
	if _, err := os.Stat(started); err == nil {
		t.Error("a program that the settings name was started")
	}
}

// TestFilesThatAreElsewhere has settings say that the repository's files are in another folder, such as the user's home.
func TestFilesThatAreElsewhere(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a.txt", "x\n")
	r.commit()
	r.git("config", "core.worktree", filepath.Dir(r.dir))
	if _, err := changes.Collect(t.Context(), r.dir, environ(), changes.All); err == nil || !strings.Contains(err.Error(), "where there is no repository") {
		t.Error(err)
	}
}

// TestTenThousandFiles costs a bounded time and gives a bounded text.
func TestTenThousandFiles(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	for i := range 5000 {
		r.write(fmt.Sprintf("tracked/%04d.txt", i), "x\n")
	}
	r.commit()
	for i := range 5000 {
		r.write(fmt.Sprintf("tracked/%04d.txt", i), "y\n")
		r.write(fmt.Sprintf("untracked/%04d.txt", i), "z\n")
	}
	r.write("tracked/0000.txt", strings.Repeat("long line of text\n", 20_000))
	began := time.Now()
	s := r.collect(changes.All)
	t.Logf("10,000 changed files: %v, %d shown, %d left out", time.Since(began), len(s.Files), s.Left)
	size := 0
	for _, f := range s.Files {
		size += len(f.Text)
	}
	if len(s.Files) != 400 || s.Left != 9600 || len(s.Omitted) != 100 || size > 1<<20 {
		t.Errorf("%d files, %d left out, %d named, %d bytes", len(s.Files), s.Left, len(s.Omitted), size)
	}
	if !strings.Contains(s.Files[0].Text, "the rest of this file's changes is left out") {
		t.Error("the long change is not cut")
	}
}

func TestChunks(t *testing.T) {
	t.Parallel()
	file := func(size int) changes.File { return changes.File{Text: strings.Repeat("x", size)} }
	var sizes []int
	for _, chunk := range changes.Chunks([]changes.File{file(5), file(5), file(1), file(50), file(2), file(8)}, 10) {
		sizes = append(sizes, len(chunk))
	}
	if !slices.Equal(sizes, []int{2, 1, 1, 2}) {
		t.Error(sizes)
	}
}
