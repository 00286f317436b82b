package serve_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

type review struct {
	Review, Model, Error string
	OtherVendor          bool
	Files, Parts         int
	Cost                 float64
	LeftOut              []struct{ Path, Why string }
	Notes                []string
}

// repository makes the project one without commits.
func (r *rig) repository() {
	r.t.Helper()
	cmd := exec.Command("git", "init", "-q", "-b", "main")
	cmd.Dir, cmd.Env = r.project, append(r.environ, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("%v: %s", err, out)
	}
}

func TestReviewByAnotherVendor(t *testing.T) {
	t.Parallel()
	r := newRig(t, `-- request --
{"model": "~gpt", "tools": [{"name": "read"}, {"name": "grep"}, {"name": "find"}, {"name": "ls"}], "input": ["...", {"role": "user", "content": [{"text": "~(?s)Review these changes.*file=.bug.go. state=.untracked.*panic"}]}]}
-- reply --
call c1 read {"path": "bug.go"}
usage input=1000 output=10
-- reply --
text "bug.go:1: it panics."
usage input=1000 output=10
`)
	r.repository()
	r.environ = append(r.environ, "OPENAI_API_KEY=k")
	r.write("bug.go", "panic(1)\n")
	r.write("go.sum", "x\n")
	var got review
	text, isError := call(t, r.connect(""), "elyra_review", nil, &got)
	if isError || !got.OtherVendor || !strings.HasPrefix(got.Model, "openai/") || got.Review != "bug.go:1: it panics." || got.Cost <= 0 || got.Files != 1 || got.Parts != 1 {
		t.Errorf("%v %+v", isError, got)
	}
	has(t, text, "bug.go:1: it panics.", "Reviewed by openai/", "- go.sum: a lock file", "no commits yet")
}

func TestReviewWithOneKey(t *testing.T) {
	t.Parallel()
	r := newRig(t, "-- reply --\ntext \"Fine.\"\n")
	r.repository()
	r.write("a.go", "x\n")
	var got review
	text, isError := call(t, r.connect(""), "elyra_review", map[string]any{"scope": "untracked"}, &got)
	if isError || got.OtherVendor || !strings.HasPrefix(got.Model, "anthropic/") {
		t.Errorf("%v %+v", isError, got)
	}
	has(t, text, "there is no key of another one: set OPENAI_API_KEY, or run: elyra auth set openai")
}

func TestReviewByTheModelThatIsNamed(t *testing.T) {
	t.Parallel()
	r := newRig(t, "-- request --\n{\"model\": \"~haiku\"}\n-- reply --\ntext \"Fine.\"\n")
	r.repository()
	r.environ = append(r.environ, "OPENAI_API_KEY=k")
	r.write("a.go", "x\n")
	var got review
	call(t, r.connect(""), "elyra_review", map[string]any{"model": "anthropic/claude-haiku-4-5"}, &got)
	if got.OtherVendor || !strings.Contains(got.Model, "haiku") {
		t.Errorf("%+v", got)
	}
}

// TestLargeReviewIsDoneInParts, and what was found until a part failed is kept.
func TestLargeReviewIsDoneInParts(t *testing.T) {
	t.Parallel()
	r := newRig(t, `-- request --
{"messages": [{"role": "user", "content": [{"text": "~part 1 of 3"}]}]}
-- reply --
text "One."
-- request --
{"messages": [{"role": "user", "content": [{"text": "~part 2 of 3"}]}]}
-- reply --
text "Two."
-- response --
status: 400

{"type": "error", "error": {"type": "invalid_request_error", "message": "no more"}}
`)
	r.repository()
	for i := range 3 {
		r.write(fmt.Sprintf("%d.txt", i), strings.Repeat("a line of text\n", 4500))
	}
	var got review
	text, isError := call(t, r.connect(""), "elyra_review", nil, &got)
	if !isError || got.Parts != 2 || got.Files != 2 || !strings.Contains(got.Error, "no more") {
		t.Errorf("%v %+v", isError, got)
	}
	has(t, text, "The review is not complete", "## Part 1 of 3 (0.txt)\n\nOne.", "## Part 2 of 3 (1.txt)\n\nTwo.")
}

func TestReviewThatCannotBegin(t *testing.T) {
	t.Parallel()
	r := newRig(t, "") // .git is there and is no repository
	r.environ = append(r.environ, "GIT_CEILING_DIRECTORIES="+r.project)
	for _, tt := range []struct {
		name string
		args map[string]any
		want string
	}{
		{"no repository", nil, "no Git repository"},
		{"no scope", map[string]any{"scope": "everything"}, "it is all, staged, unstaged or untracked"},
	} {
		if text, isError := call(t, r.connect(""), "elyra_review", tt.args, nil); !isError || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %v %s", tt.name, isError, text)
		}
	}
	r.repository()
	if text, isError := call(t, r.connect(""), "elyra_review", nil, nil); isError || !strings.Contains(text, "There is nothing to review") {
		t.Errorf("nothing to review needs no key: %v %s", isError, text)
	}
	r.write("a.txt", "x\n")
	text, isError := call(t, r.connect(""), "elyra_review", nil, nil)
	if !isError {
		t.Error("without a key")
	}
	has(t, text, "set ANTHROPIC_API_KEY or OPENAI_API_KEY")
}
