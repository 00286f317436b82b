//go:build unix

package hooks

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/settings"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// one returns the settings of hooks for an event.
func one(event, matcher string, commands ...string) map[string][]settings.HookGroup {
	g := settings.HookGroup{Matcher: matcher}
	for _, c := range commands {
		g.Hooks = append(g.Hooks, settings.Hook{Command: c})
	}
	return map[string][]settings.HookGroup{event: {g}}
}

// runner returns hooks in a folder of their own, and what is told to the user.
func runner(t testing.TB, o Options) (*Runner, func() string) {
	t.Helper()
	var mu sync.Mutex
	var notices []string
	o.Dir = t.TempDir()
	o.Environ = []string{"PATH=" + os.Getenv("PATH")}
	o.Session, o.Transcript = "s1", "/t.jsonl"
	o.Notice = func(text string) { mu.Lock(); defer mu.Unlock(); notices = append(notices, text) }
	r, problems := New(o)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return r, func() string { mu.Lock(); defer mu.Unlock(); return strings.Join(notices, "\n") }
}

func TestWhatACommandSays(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		event   Event
		command string
		want    Outcome
		notice  string // "" for none
	}{
		"nothing":                   {PreTool, "true", Outcome{}, ""},
		"text before a call":        {PreTool, "echo hello", Outcome{}, ""},
		"text after a prompt":       {UserPrompt, "echo hello", Outcome{Context: "hello"}, ""},
		"text at the beginning":     {SessionStart, "echo hello", Outcome{Context: "hello"}, ""},
		"exit code 2":               {PreTool, "echo no >&2; exit 2", Outcome{Block: true, Reason: "no"}, ""},
		"exit code 2 with nothing":  {PreTool, "exit 2", Outcome{Block: true, Reason: "a hook for preTool gave no reason"}, ""},
		"exit code 2 at the start":  {SessionStart, "echo no >&2; exit 2", Outcome{}, "exit status 2: no"},
		"another code":              {PreTool, "echo oops >&2; exit 1", Outcome{}, "exit status 1: oops"},
		"no such command":           {PreTool, "/nothing/here", Outcome{}, "exit status 127"},
		"killed":                    {PreTool, "kill -9 $$", Outcome{}, "signal: killed"},
		"block":                     {PreTool, `echo '{"decision":"block","reason":"no"}'`, Outcome{Block: true, Reason: "no"}, ""},
		"approve is no permission":  {PreTool, `echo '{"decision":"approve","hookSpecificOutput":{"permissionDecision":"allow"}}'`, Outcome{}, ""},
		"deny as others do":         {PreTool, `echo '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}'`, Outcome{Block: true, Reason: "no"}, ""},
		"end":                       {Stop, `echo '{"continue":false,"stopReason":"enough"}'`, Outcome{End: true, Reason: "enough"}, ""},
		"other arguments":           {PreTool, `echo '{"arguments":{"a":2}}'`, Outcome{Arguments: []byte(`{"a":2}`)}, ""},
		"other arguments as others": {PreTool, `echo '{"hookSpecificOutput":{"updatedInput":{"a":2}}}'`, Outcome{Arguments: []byte(`{"a":2}`)}, ""},
		"arguments that are none":   {PreTool, `echo '{"arguments":[1]}'`, Outcome{}, "no JSON object"},
		"arguments too late":        {PostTool, `echo '{"arguments":{"a":2}}'`, Outcome{}, ""},
		"another prompt":            {UserPrompt, `echo '{"prompt":"better"}'`, Outcome{Prompt: "better"}, ""},
		"context":                   {PostTool, `echo '{"additionalContext":"and"}'`, Outcome{Context: "and"}, ""},
		"no JSON":                   {PreTool, "echo '{'", Outcome{}, "none that is understood"},
		"a flood":                   {PreTool, "head -c 3000000 /dev/zero | tr '\\0' x", Outcome{}, "more than 1024 KB"},
		"it does not read":          {PreTool, "exec <&-; true", Outcome{}, ""},
		"no UTF-8":                  {UserPrompt, `printf 'a\377b'`, Outcome{Context: "a\ufffdb"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, notices := runner(t, Options{User: one(string(tt.event), "", tt.command)})
			got := r.Run(t.Context(), Input{Event: tt.event, Tool: "bash", Arguments: []byte(`{"a":1}`), Prompt: strings.Repeat("x", 200_000)})
			if got.Block != tt.want.Block || got.End != tt.want.End || got.Reason != tt.want.Reason || got.Prompt != tt.want.Prompt ||
				got.Context != tt.want.Context || string(got.Arguments) != string(tt.want.Arguments) {
				t.Errorf("outcome %+v", got)
			}
			if n := notices(); (n == "") != (tt.notice == "") || !strings.Contains(n, tt.notice) {
				t.Errorf("notices %q", n)
			}
		})
	}
}

func TestWhatACommandIsTold(t *testing.T) {
	t.Parallel()
	r, _ := runner(t, Options{User: one("PostToolUse", "", `cat > in.json; pwd > dir; echo "$ELYRA_PROJECT_DIR" >> dir`)})
	r.Run(t.Context(), Input{Event: PostTool, Tool: "bash", Arguments: []byte(`{"command":"ls"}`), Result: "out", IsError: true})
	got, err := os.ReadFile(filepath.Join(r.o.Dir, "in.json"))
	must(t, err)
	want := `{"event":"postTool","hook_event_name":"PostToolUse","session_id":"s1","transcript_path":"/t.jsonl","cwd":"` + r.o.Dir +
		`","tool_name":"bash","tool_input":{"command":"ls"},"tool_response":{"content":"out","is_error":true}}` + "\n"
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	dir, err := os.ReadFile(filepath.Join(r.o.Dir, "dir"))
	must(t, err)
	if lines := strings.Fields(string(dir)); len(lines) != 2 || lines[1] != r.o.Dir {
		t.Errorf("folders %q", dir)
	}
}

func TestHooksRunInOrderUntilOneBlocks(t *testing.T) {
	t.Parallel()
	r, _ := runner(t, Options{
		User:    one("preTool", "bash|ed.*", `sed 's/.*"tool_input":{"a":\([0-9]*\).*/{"arguments":{"a":\11}}/'`),
		Project: one("PreToolUse", "Bash", `sed 's/.*"tool_input":{"a":\([0-9]*\).*/{"arguments":{"a":\12}}/'`, "echo stop >&2; exit 2", "touch never"),
	})
	o := r.Run(t.Context(), Input{Event: PreTool, Tool: "bash", Arguments: []byte(`{"a":1}`)})
	if !o.Block || o.Reason != "stop" || string(o.Arguments) != `{"a":112}` {
		t.Errorf("outcome %+v", o)
	}
	if _, err := os.Stat(filepath.Join(r.o.Dir, "never")); err == nil {
		t.Error("a hook ran after one that blocked")
	}
	if o := r.Run(t.Context(), Input{Event: PreTool, Tool: "edit", Arguments: []byte(`{"a":1}`)}); o.Block || string(o.Arguments) != `{"a":11}` {
		t.Errorf("outcome %+v", o)
	}
	if o := r.Run(t.Context(), Input{Event: PreTool, Tool: "mybash", Arguments: []byte(`{"a":1}`)}); o.Block || o.Arguments != nil {
		t.Errorf("a tool that only contains the name: %+v", o)
	}
}

// gone reports whether the process whose number a file holds has ended.
func gone(t *testing.T, path string) bool {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(t, err)
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(state), ") Z ") {
			return true
		}
	}
	return false
}

func TestNothingIsLeftRunning(t *testing.T) {
	t.Parallel()
	groups := one("preTool", "", "sleep 100 & echo $! > pid; wait")
	groups["preTool"][0].Hooks[0].Timeout = 1
	r, notices := runner(t, Options{User: groups})
	if o := r.Run(t.Context(), Input{Event: PreTool, Tool: "x"}); o.Block || !strings.Contains(notices(), "longer than 1s") {
		t.Errorf("%+v, %q", o, notices())
	}
	if !gone(t, filepath.Join(r.o.Dir, "pid")) {
		t.Error("what a hook that took too long had started runs on")
	}

	r, notices = runner(t, Options{User: one("preTool", "", `sleep 100 & echo $! > pid; echo '{"decision":"block","reason":"no"}'`)})
	begin := time.Now()
	if o := r.Run(t.Context(), Input{Event: PreTool, Tool: "x"}); !o.Block || notices() != "" {
		t.Errorf("%+v, %q", o, notices())
	}
	if !gone(t, filepath.Join(r.o.Dir, "pid")) || time.Since(begin) > 30*time.Second {
		t.Error("what a hook has left in the background runs on")
	}

	r, notices = runner(t, Options{User: one("preTool", "", "echo $$ > pid; sleep 100", "touch never")})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for ctx.Err() == nil {
			if text, _ := os.ReadFile(filepath.Join(r.o.Dir, "pid")); strings.HasSuffix(string(text), "\n") {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	r.Run(ctx, Input{Event: PreTool, Tool: "x"})
	if _, err := os.Stat(filepath.Join(r.o.Dir, "never")); err == nil || !gone(t, filepath.Join(r.o.Dir, "pid")) || notices() != "" {
		t.Errorf("after a cancellation: %v, %q", err, notices())
	}
}
