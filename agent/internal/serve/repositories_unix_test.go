//go:build unix

package serve_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// git runs git in the project, in a repository that the first call makes.
func (r *rig) git(args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir, cmd.Env = r.project, append(r.environ, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func (r *rig) commit() {
	r.t.Helper()
	r.git("add", ".")
	r.git("commit", "-q", "-m", "all")
}

// TestReviewsOfOddRepositories has the whole program review what is hard to review.
func TestReviewsOfOddRepositories(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		make   func(r *rig)
		prompt string // a pattern of what the model is shown
		wants  []string
		check  func(t *testing.T, got review)
	}{
		{"no commits", func(r *rig) {
			r.write("a.txt", "alpha\n")
			r.git("add", "a.txt")
			r.write("b.txt", "beta\n")
		}, `state=.staged.*alpha.*state=.untracked.*beta`, []string{"no commits yet"}, func(t *testing.T, got review) {
			if got.Files != 2 {
				t.Errorf("%+v", got)
			}
		}},
		{"detached", func(r *rig) {
			r.write("a.txt", "alpha\n")
			r.commit()
			r.git("checkout", "-q", "--detach")
			r.write("a.txt", "beta\n")
		}, `-alpha.*\+beta`, []string{"HEAD is detached"}, nil},
		{"a submodule", func(r *rig) {
			inner := newRig(r.t, "")
			inner.repository()
			inner.write("a.txt", "alpha\n")
			inner.commit()
			r.git("submodule", "--quiet", "add", inner.project, "mod")
			r.commit()
			r.write("mod/a.txt", "beta\n")
			r.write("own.txt", "gamma\n")
		}, `gamma`, []string{"- mod: a submodule"}, func(t *testing.T, got review) {
			if got.Files != 1 {
				t.Errorf("%+v", got)
			}
		}},
		{"binaries and lock files", func(r *rig) {
			r.write("image.png", "\x89PNG\x00a")
			r.commit()
			r.write("image.png", "\x89PNG\x00b")
			r.write("package-lock.json", "{}\n")
			r.write("go.sum", "x\n")
			r.write("new.bin", "\x00")
			r.write("main.go", "package main\n")
		}, `main\.go.*package main`, []string{"- image.png: binary", "- package-lock.json: a lock file", "- go.sum: a lock file", "- new.bin: binary"}, func(t *testing.T, got review) {
			if got.Files != 1 || len(got.LeftOut) != 4 {
				t.Errorf("%+v", got)
			}
		}},
		{"10,000 changed files", func(r *rig) {
			for i := range 5000 {
				r.write(fmt.Sprintf("tracked/%04d.txt", i), "x\n")
			}
			r.commit()
			for i := range 5000 {
				r.write(fmt.Sprintf("tracked/%04d.txt", i), "y\n")
				r.write(fmt.Sprintf("untracked/%04d.txt", i), "z\n")
			}
		}, `tracked/0000\.txt`, []string{"9500 more files were left out"}, func(t *testing.T, got review) {
			if got.Files != 400 || len(got.LeftOut) != 100 {
				t.Errorf("%d files, %d left out", got.Files, len(got.LeftOut))
			}
		}},
		{"names and pipes", func(r *rig) {
			r.write("a \"b\"\tñ.txt", "alpha\n")
			if err := syscall.Mkfifo(filepath.Join(r.project, "pipe.txt"), 0o600); err != nil {
				r.t.Fatal(err)
			}
		}, `alpha`, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, fmt.Sprintf("-- request --\n{\"messages\": [{\"content\": [{\"text\": %q}]}]}\n-- reply --\ntext \"Seen.\"\n", "~(?s)"+tt.prompt))
			r.repository()
			tt.make(r)
			c := r.start("")
			var got review
			began := time.Now()
			text, isError := call(t, c, "elyra_review", nil, &got)
			t.Logf("reviewed after %v: %d files", time.Since(began), got.Files)
			if isError || got.Review != "Seen." {
				t.Errorf("%v %s", isError, text)
			}
			has(t, text, tt.wants...)
			if tt.check != nil {
				tt.check(t, got)
			}
		})
	}
}

// TestTasksInOddRepositories holds that a task edits and tells what changed also where git is of no help.
func TestTasksInOddRepositories(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(r *rig){
		"no repository": func(r *rig) { os.RemoveAll(filepath.Join(r.project, ".git")) },
		"no commits":    func(r *rig) { r.repository() },
		"a broken one":  func(r *rig) { r.write(".git/HEAD", "\x00\xff") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "-- reply --\ncall c1 write {\"path\": \"a.txt\", \"content\": \"x\"}\ncall c2 bash {\"command\": \"echo y > b.txt\"}\n-- reply --\ntext \"Done.\"\n")
			r.write("README", "A project.\n")
			make(r)
			text, isError := call(t, r.start(""), "elyra_task", map[string]any{"task": "x", "mode": "edit", "model": sonnet}, nil)
			if isError {
				t.Error(text)
			}
			has(t, text, "- a.txt (created)\n- b.txt (created)")
		})
	}
}

// TestMalformedDecisions has the whole program read records that are none: those that can be read are listed, and each of the others
// is named with what is wrong.
func TestMalformedDecisions(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	for name, text := range map[string]string{
		"0001-good.md":     "# Good\n\nStatus: accepted\n",
		"0002-empty.md":    "",
		"0003-binary.md":   "\xff\xfe\x00\x01",
		"0004-unclosed.md": "---\nstatus: accepted\n# Unclosed\n",
		"0005-odd-yaml.md": "---\nstatus: [accepted\ndate: {\n---\n# Odd\n",
		"0006-date.md":     "# Date\n\nDate: the day before yesterday\n",
		"0007-notitle.md":  "just text\n",
		"0008-large.md":    "# Large\n" + strings.Repeat("x", 3<<20),
		"0009-bom.md":      "\ufeff# With a mark\r\n\r\nStatus: accepted\r\n",
		"0010-escape.md":   "# \x1b[31mRed\x07\n\nStatus: accepted\n",
		"folder.md/x.txt":  "x",
	} {
		r.write("docs/adr/"+name, text)
	}
	adr := filepath.Join(r.project, "docs/adr")
	r.write("../secret.md", "# Secret\n\nStatus: accepted\n")
	for link, to := range map[string]string{"0020-out.md": "../../../secret.md", "0021-nowhere.md": "gone.md", "0022-self.md": "0022-self.md"} {
		if err := os.Symlink(to, filepath.Join(adr, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(adr, "0023-pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := r.start("")
	var got decisions
	text, isError := call(t, c, "elyra_decisions", map[string]any{"limit": 50}, &got)
	if isError {
		t.Fatal(text)
	}
	listed := map[string]string{}
	for _, d := range got.Decisions {
		listed[filepath.Base(d.Path)] = d.Title
	}
	for name, title := range map[string]string{"0001-good.md": "Good", "0006-date.md": "Date", "0009-bom.md": "With a mark"} {
		if listed[name] != title {
			t.Errorf("%s: %q, want %q", name, listed[name], title)
		}
	}
	problems := map[string]string{}
	for _, p := range got.Problems {
		problems[filepath.Base(p.Path)] += p.Problem
	}
	for _, name := range []string{
		"0002-empty.md", "0003-binary.md", "0004-unclosed.md", "0006-date.md", "0007-notitle.md", "0008-large.md",
		"0020-out.md", "0021-nowhere.md", "0022-self.md", "0023-pipe.md",
	} {
		if problems[name] == "" {
			t.Errorf("%s is not named as a problem", name)
		}
	}
	t.Log(text)
	if strings.ContainsAny(text, "\x1b\x07") || strings.Contains(text, "Secret") {
		t.Error("what must not be there is")
	}
}
