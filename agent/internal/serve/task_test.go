package serve_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/serve"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

const sonnet = "anthropic/claude-sonnet-4-5"

// TestReadOnlyTaskInEveryEra is the plain case: the model has tools that read, answers, and the result has all of it.
func TestReadOnlyTaskInEveryEra(t *testing.T) {
	t.Parallel()
	for _, era := range mcp.Versions() {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, `-- request --
{"tools": [{"name": "read"}, {"name": "grep"}, {"name": "find"}, {"name": "ls"}], "messages": [{"content": [{"text": "what does it say"}]}]}
-- reply --
call c1 read {"path": "note.txt"}
usage input=100 output=10
-- reply --
text "It says hello."
usage input=200 output=20
`)
			r.write("note.txt", "hello\n")
			c := r.connect(era)
			var got outcome
			text, isError := call(t, c, "elyra_task", map[string]any{"task": "what does it say", "model": sonnet}, &got)
			if isError {
				t.Fatal(text)
			}
			has(t, text, "It says hello.", "Cost: $0.00", "elyra --session ")
			if era == mcp.V2025_03_26 {
				return // It has no data in results.
			}
			if got.Answer != "It says hello." || got.Mode != "read-only" || len(got.ChangedFiles) != 0 || got.Cost <= 0 || got.Session == "" ||
				!strings.HasPrefix(got.Model, sonnet) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestReadOnlyNeverWrites has the model try what it is not given.
func TestReadOnlyNeverWrites(t *testing.T) {
	t.Parallel()
	r := newRig(t, `-- reply --
call c1 write {"path": "new.txt", "content": "x"}
call c2 bash {"command": "touch new.txt"}
call c3 mcp_call {"server": "demo", "tool": "echo"}
call c4 read {"path": "/etc/passwd"}
-- request --
{"messages": ["...", {"role": "user", "content": [
{"is_error": true, "content": [{"text": "~there is no tool"}]}, {"is_error": true, "content": [{"text": "~there is no tool"}]},
{"is_error": true, "content": [{"text": "~there is no tool"}]}, {"is_error": true, "content": [{"text": "~nobody can be asked"}]}]}]}
-- reply --
text "I cannot."
`)
	r.write("../home/.elyra/agent/mcp.json", `{"mcpServers": {"demo": {"command": "false"}}}`)
	r.write("../home/.elyra/agent/settings.json", `{"hooks": {"userPrompt": [{"hooks": [{"type": "command", "command": "touch hooked.txt"}]}]}}`)
	var got outcome
	call(t, r.connect(""), "elyra_task", map[string]any{"task": "write", "model": sonnet}, &got)
	if got.Answer != "I cannot." {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"new.txt", "hooked.txt"} {
		if _, err := os.Stat(filepath.Join(r.project, name)); err == nil {
			t.Errorf("a read-only task made %s", name)
		}
	}
}

// TestUsersRulesComeBeforeTheHost holds that choosing edit allows nothing that the user denies or wants to be asked about.
func TestUsersRulesComeBeforeTheHost(t *testing.T) {
	t.Parallel()
	r := newRig(t, `-- reply --
call c1 bash {"command": "make deploy"}
call c2 write {"path": "secret/x", "content": "x"}
-- request --
{"messages": ["...", {"role": "user", "content": [{"is_error": true, "content": [{"text": "~denies this"}]}, {"is_error": true, "content": [{"text": "~nobody can be asked"}]}]}]}
-- reply --
text "No."
`)
	r.write("../home/.elyra/agent/settings.json", `{"sandbox":"off","permissions":{"deny":["bash:make deploy"],"ask":["edit:secret/**"]}}`)
	call(t, r.connect(""), "elyra_task", map[string]any{"task": "deploy", "mode": "edit", "model": sonnet}, nil)
}

// TestNoCommandLeavesTheSandbox holds that nobody steps out of it where no person can say yes. Without a sandbox the call has
// an argument that is not there.
func TestNoCommandLeavesTheSandbox(t *testing.T) {
	t.Parallel()
	r := newRig(t, `-- reply --
call c1 bash {"command": "touch out.txt", "unsandboxed": true}
-- request --
{"messages": ["...", {"role": "user", "content": [{"is_error": true}]}]}
-- reply --
text "I may not."
`)
	r.write("../home/.elyra/agent/settings.json", `{"sandbox":"auto"}`)
	var got outcome
	if _, isError := call(t, r.connect(""), "elyra_task", map[string]any{"task": "x", "mode": "edit", "model": sonnet}, &got); isError || got.Answer != "I may not." {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(r.project, "out.txt")); err == nil {
		t.Error("the command has run")
	}
}

func TestReadOnlyServerHasNoEdit(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	r.options = func(o *serve.Options) { o.ReadOnly = true }
	c := r.connect("")
	tools, err := c.ListTools(t.Context())
	if err != nil || len(tools) != 3 {
		t.Fatal(tools, err)
	}
	for _, tool := range tools {
		if strings.Contains(string(tool.InputSchema)+tool.Description, `"edit"`) || !*tool.Annotations.ReadOnlyHint {
			t.Errorf("%s offers to edit: %s", tool.Name, tool.InputSchema)
		}
	}
	text, isError := call(t, c, "elyra_task", map[string]any{"task": "x", "mode": "edit"}, nil)
	if !isError {
		t.Error("an edit was accepted")
	}
	has(t, text, "--read-only")
}

// TestSessions goes on with a session, and not with one of another project.
func TestSessions(t *testing.T) {
	t.Parallel()
	r := newRig(t, `-- reply --
text "One."
-- request --
{"messages": [{"role": "user"}]}
-- reply --
text "Fresh."
-- request --
{"messages": [{"role": "user"}, {"role": "assistant", "content": [{"text": "One."}]}, {"role": "user", "content": [{"text": "and now"}]}]}
-- reply --
text "Two."
`)
	c := r.connect("")
	var first, fresh, second outcome
	call(t, c, "elyra_task", map[string]any{"task": "a", "model": sonnet}, &first)
	call(t, c, "elyra_task", map[string]any{"task": "b", "model": sonnet}, &fresh)
	call(t, c, "elyra_task", map[string]any{"task": "and now", "model": sonnet, "session": first.Session}, &second)
	if second.Answer != "Two." || second.Session != first.Session || fresh.Session == first.Session {
		t.Errorf("%+v %+v %+v", first, fresh, second)
	}
	other := *r
	other.project = filepath.Join(filepath.Dir(r.project), "other")
	other.write(".git/HEAD", "ref: refs/heads/main\n")
	text, isError := call(t, other.connect(""), "elyra_task", map[string]any{"task": "c", "model": sonnet, "session": first.Session}, nil)
	if !isError {
		t.Error("another project's session was opened")
	}
	has(t, text, "this project has no such session")
}

func TestWhatCannotBegin(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	c := r.connect("")
	for _, tt := range []struct {
		name string
		args map[string]any
		want string
	}{
		{"no key", map[string]any{"task": "x"}, "set ANTHROPIC_API_KEY or OPENAI_API_KEY, or run: elyra auth"},
		{"no key of the model's", map[string]any{"task": "x", "model": sonnet}, "ANTHROPIC_API_KEY"},
		{"no such model", map[string]any{"task": "x", "model": "anthropic/claude-nonsense-9"}, "did you mean"},
		{"no such session", map[string]any{"task": "x", "session": "zzz"}, "no such session"},
		{"no task", map[string]any{"task": "  "}, "say what to do"},
		{"no arguments", nil, "say what to do"},
		{"an unknown argument", map[string]any{"task": "x", "yolo": true}, "yolo"},
		{"another type", map[string]any{"task": 1}, "do not fit"},
		{"an unknown mode", map[string]any{"task": "x", "mode": "root"}, `it is "read-only" or "edit"`},
		{"1 MB", map[string]any{"task": strings.Repeat("x", 1<<20)}, "put it into a file"},
	} {
		text, isError := call(t, c, "elyra_task", tt.args, nil)
		if !isError || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %v %q", tt.name, isError, text)
		}
	}
	var refused *wire.Error
	if _, err := c.CallTool(t.Context(), "elyra_tusk", nil, mcpclient.CallOptions{}); !errors.As(err, &refused) || !strings.Contains(refused.Message, `did you mean "elyra_task"`) {
		t.Errorf("an unknown tool: %v", err)
	}
}

// TestFailingModelKeepsWhatWasDone has the vendor refuse in the middle.
func TestFailingModelKeepsWhatWasDone(t *testing.T) {
	t.Parallel()
	r := newRig(t, `-- reply --
text "I begin."
call c1 write {"path": "new.txt", "content": "x\n"}
-- response --
status: 401

{"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}}
`)
	var got outcome
	text, isError := call(t, r.connect(""), "elyra_task", map[string]any{"task": "x", "mode": "edit", "model": sonnet}, &got)
	if !isError || !strings.Contains(got.Error, "invalid x-api-key") || len(got.ChangedFiles) != 1 || got.Session == "" {
		t.Errorf("%v %+v", isError, got)
	}
	has(t, text, "The task is not done", "new.txt (created)")
}

// TestOneAtATime calls twice at once: the second is told its place at once, and hears of it while it waits.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	r := newRig(t, `-- reply --
#delay 700ms
text "First."
-- reply --
text "Second."
`)
	r.options = func(o *serve.Options) { o.Beat = 100 * time.Millisecond }
	c := r.connect("")
	var first, second lines
	done := make(chan error, 1)
	go func() {
		_, err := c.CallTool(t.Context(), "elyra_task", map[string]any{"task": "a", "model": sonnet}, mcpclient.CallOptions{Progress: first.add})
		done <- err
	}()
	await(t, "the first begins", func() bool { return strings.Contains(first.String(), "thinking") })
	began := time.Now()
	result, err := c.CallTool(t.Context(), "elyra_task", map[string]any{"task": "b", "model": sonnet}, mcpclient.CallOptions{Progress: second.add})
	if err != nil || <-done != nil {
		t.Fatal(err)
	}
	has(t, result.Content[0].Text, "Second.")
	has(t, second.String(), "waiting: tasks run one at a time, and 1 is before this one\n", "before this one (for 0s)\n", "starting\n", "at work with")
	if wait := second.at[0].Sub(began); wait > time.Second {
		t.Errorf("the first report came after %v", wait)
	}
	has(t, first.String(), "starting\n", "session ", "the model is thinking (for ")
}

// TestImpatientHost gives up after a time without a report: there are reports, so it does not.
func TestImpatientHost(t *testing.T) {
	t.Parallel()
	r := newRig(t, "-- reply --\n#delay 1200ms\ntext \"At last.\"\n")
	r.options = func(o *serve.Options) { o.Beat = 150 * time.Millisecond }
	c := r.connect("")
	result, err := c.CallTool(t.Context(), "elyra_task", map[string]any{"task": "a", "model": sonnet}, mcpclient.CallOptions{
		Timeout: 600 * time.Millisecond, Progress: func(float64, float64, string) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	has(t, result.Content[0].Text, "At last.")
}

// TestHostGivesUp does, because it asked for no reports; the next task begins at once.
func TestHostGivesUp(t *testing.T) {
	t.Parallel()
	r := newRig(t, "-- reply --\n#hang\n-- reply --\ntext \"Free again.\"\n")
	c := r.connect("")
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := c.CallTool(ctx, "elyra_task", map[string]any{"task": "a", "model": sonnet}, mcpclient.CallOptions{}); err == nil {
		t.Fatal("it was answered")
	}
	var got outcome
	call(t, c, "elyra_task", map[string]any{"task": "b", "model": sonnet}, &got)
	if got.Answer != "Free again." {
		t.Errorf("%+v", got)
	}
}

// TestTranscript reads what happened in a task, and is told when there is one.
func TestTranscript(t *testing.T) {
	t.Parallel()
	r := newRig(t, "-- reply --\ncall c1 read {\"path\": \"note.txt\"}\n-- reply --\ntext \"It says hello.\"\n")
	r.write("note.txt", "hello\n## not a heading\n")
	r.write("docs/adr/0001-first.md", "# First\n\nStatus: accepted\n")
	c := r.connect("")
	var got outcome
	call(t, c, "elyra_task", map[string]any{"task": "what", "model": sonnet}, &got)
	list, err := c.Request(t.Context(), mcp.MethodListResources, nil)
	if err != nil {
		t.Fatal(err)
	}
	has(t, string(list), got.Transcript, "elyra://decisions/docs/adr/0001-first.md")
	for uri, wants := range map[string][]string{
		got.Transcript: {"# Task in session", "## Call of read", "> 2\\t## not a heading", "It says hello.", "Cost: $"},
		"elyra://decisions/docs/adr/0001-first.md": {"# First"},
	} {
		read, err := c.Request(t.Context(), mcp.MethodReadResource, map[string]string{"uri": uri})
		if err != nil {
			t.Fatal(uri, err)
		}
		has(t, strings.ReplaceAll(string(read), `\u003e`, ">"), wants...)
	}
	for _, uri := range []string{"elyra://tasks/none", "elyra://decisions/../note.txt", "elyra://decisions/note.txt", "file:///etc/passwd"} {
		if _, err := c.Request(t.Context(), mcp.MethodReadResource, map[string]string{"uri": uri}); err == nil {
			t.Errorf("%s was read", uri)
		}
	}
}

// TestTranscriptIsWatched tells who wants to know that there are more tasks, and that one goes on.
func TestTranscriptIsWatched(t *testing.T) {
	t.Parallel()
	r := newRig(t, "-- reply --\ntext \"One.\"\n-- reply --\ntext \"Two.\"\n")
	c := r.connect(mcp.V2026_07_28)
	var got outcome
	call(t, c, "elyra_task", map[string]any{"task": "a", "model": sonnet}, &got)
	var told lines
	s, err := c.Listen(t.Context(), mcp.SubscriptionFilter{ResourcesListChanged: true, ResourceSubscriptions: []string{got.Transcript}},
		func(method string, params jsontext.Value) { told.add(0, 0, method) })
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	call(t, c, "elyra_task", map[string]any{"task": "b", "model": sonnet, "session": got.Session}, nil)
	await(t, "a change is told", func() bool {
		return strings.Contains(told.String(), mcp.NotifyResourcesChanged) && strings.Contains(told.String(), mcp.NotifyResourceUpdated)
	})
}
