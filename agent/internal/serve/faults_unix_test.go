//go:build unix

package serve_test

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// TestSlowModel has the whole program wait for a model for longer than an impatient host would: it tells at once that it has begun, and then
// at least every ten seconds that it goes on.
func TestSlowModel(t *testing.T) {
	t.Parallel()
	r := newRig(t, "-- reply --\n#delay 12s\ntext \"At last.\"\n")
	c := r.start("")
	var told lines
	began := time.Now()
	result, err := c.CallTool(t.Context(), "elyra_task", map[string]any{"task": "a", "model": sonnet},
		mcpclient.CallOptions{Timeout: 9 * time.Second, Progress: told.add})
	if err != nil {
		t.Fatal(err)
	}
	has(t, result.Content[0].Text, "At last.")
	first, longest := told.at[0].Sub(began), time.Duration(0)
	for i, at := range told.at[1:] {
		longest = max(longest, at.Sub(told.at[i]))
	}
	t.Logf("call → first progress: %v; longest without one: %v", first, longest)
	if first > time.Second || longest > 10*time.Second || len(told.at) < 4 {
		t.Errorf("first after %v, longest %v, %d reports", first, longest, len(told.at))
	}
}

// TestTwoAtOnceOverPipes calls the whole program twice at once: the second hears its place at once, and both are answered.
func TestTwoAtOnceOverPipes(t *testing.T) {
	t.Parallel()
	r := newRig(t, "-- reply --\n#delay 1s\ntext \"First.\"\n-- reply --\ntext \"Second.\"\n")
	c := r.start(mcp.V2025_11_25)
	var first, second lines
	done := make(chan error, 1)
	go func() {
		_, err := c.CallTool(t.Context(), "elyra_task", map[string]any{"task": "a", "model": sonnet}, mcpclient.CallOptions{Progress: first.add})
		done <- err
	}()
	await(t, "the first begins", func() bool { return strings.Contains(first.String(), "thinking") })
	began := time.Now()
	result, err := c.CallTool(t.Context(), "elyra_task", map[string]any{"task": "b", "model": sonnet}, mcpclient.CallOptions{Progress: second.add})
	if firstErr := <-done; err != nil || firstErr != nil {
		t.Fatal(err, firstErr)
	}
	has(t, result.Content[0].Text, "Second.")
	has(t, second.String(), "1 is before this one")
	if wait := second.at[0].Sub(began); wait > time.Second {
		t.Errorf("the place was told after %v", wait)
	}
}

// answer is a response as it is read from the program.
type answer struct {
	ID     any
	Result struct {
		IsError bool
		Content []struct{ Text string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

// read reads the next message that is a response.
func (p *program) read(t *testing.T) (a answer) {
	t.Helper()
	for {
		line, err := p.out.ReadString('\n')
		if err != nil {
			t.Fatal(err, line)
		}
		if strings.Contains(line, `"method"`) {
			continue
		}
		if err := json.Unmarshal([]byte(line), &a, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err, line)
		}
		return a
	}
}

// TestLargeMessages sends a task of 1 MB, and a line that is longer than any message may be: each is refused in words, and the
// next request is answered.
func TestLargeMessages(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	p := r.program()
	began := time.Now()
	p.send(t, 1, "tools/call", `"name":"elyra_task","arguments":{"task":"`+strings.Repeat("x", 1<<20)+`"},`)
	if a := p.read(t); a.ID != 1.0 || !a.Result.IsError || !strings.Contains(a.Result.Content[0].Text, "put it into a file") {
		t.Errorf("%+v", a)
	}
	t.Logf("1 MB: %v", time.Since(began))
	w := bufio.NewWriter(p.in)
	fmt.Fprint(w, `{"jsonrpc":"2.0","id":2,"method":"`)
	for range 17 {
		if _, err := w.WriteString(strings.Repeat("y", 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	fmt.Fprintln(w, `"}`)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if a := p.read(t); a.Error == nil || !strings.Contains(a.Error.Message, "longer than") {
		t.Errorf("%+v", a)
	}
	p.send(t, 3, "tools/call", `"name":"elyra_decisions","arguments":{},`)
	if a := p.read(t); a.ID != 3.0 || a.Result.IsError {
		t.Errorf("%+v", a)
	}
	p.in.Close()
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
}

// TestNothingToWorkWith starts the whole program without a key, and asks it for what is not there.
func TestNothingToWorkWith(t *testing.T) {
	t.Parallel()
	r := newRig(t, "")
	r.repository()
	r.write("a.txt", "x\n")
	for _, era := range mcp.Versions() {
		c := r.start(era)
		for _, tt := range []struct {
			tool string
			args map[string]any
			want []string
		}{
			{"elyra_task", map[string]any{"task": "x"}, []string{"set ANTHROPIC_API_KEY or OPENAI_API_KEY", "elyra auth"}},
			{"elyra_task", map[string]any{"task": "x", "model": sonnet}, []string{"ANTHROPIC_API_KEY", "elyra auth set anthropic"}},
			{"elyra_review", nil, []string{"set ANTHROPIC_API_KEY or OPENAI_API_KEY", "elyra auth"}},
			{"elyra_task", map[string]any{"task": "x", "model": "anthropic/claude-nonsense-9"}, []string{"claude-nonsense-9", "there is none of this name"}},
			{"elyra_task", map[string]any{"task": "x", "model": "nobody/x"}, []string{"nobody"}},
		} {
			text, isError := call(t, c, tt.tool, tt.args, nil)
			if !isError {
				t.Errorf("%s %v: %s", tt.tool, tt.args, text)
			}
			has(t, text, tt.want...)
		}
	}
}

// TestHostThatCannotBeAsked has a task want what needs the user's consent, of a host that has no elicitation: it is refused at
// once, with the flag that would allow it, and nothing hangs.
func TestHostThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	for _, era := range mcp.Versions() {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, `-- reply --
call c1 fetch {"url": "http://127.0.0.1:1/"}
call c2 mcp_call {"server": "demo", "tool": "echo", "arguments": {}}
-- request --
{"messages": ["...", {"role": "user", "content": [{"is_error": true, "content": [{"text": "~nobody can be asked here.*--allow"}]}, {"is_error": true, "content": [{"text": "~nobody can be asked here.*--allow 'mcp:demo/echo'"}]}]}]}
-- reply --
text "I may not."
`)
			r.write("../home/.elyra/agent/mcp.json", `{"mcpServers": {"demo": {"command": "false"}}}`)
			began := time.Now()
			text, isError := call(t, r.start(era), "elyra_task", map[string]any{"task": "x", "mode": "edit", "model": sonnet}, nil)
			if isError || !strings.Contains(text, "I may not.") || time.Since(began) > 10*time.Second {
				t.Errorf("%v %s after %v", isError, text, time.Since(began))
			}
		})
	}
}

// TestHostThatSaysNonsense mixes lines that are no messages with some that are: those that are get their answers.
func TestHostThatSaysNonsense(t *testing.T) {
	t.Parallel()
	p := newRig(t, "").program()
	for _, line := range []string{"", "nonsense", `{"jsonrpc":"2.0"}`, `[]`, `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":"no"}`, "\xff\xfe\x00"} {
		if _, err := io.WriteString(p.in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	p.send(t, 3, "tools/call", `"name":"elyra_decisions","arguments":{},`)
	for {
		if a := p.read(t); a.ID == 3.0 {
			break
		} else if a.Error == nil {
			t.Errorf("%+v", a)
		}
	}
	p.in.Close()
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
}

// TestKilled kills the server itself, which can do nothing then: what its task has started ends all the same.
func TestKilled(t *testing.T) {
	t.Parallel()
	r := newRig(t, stubborn)
	p := r.program()
	p.send(t, 1, "tools/call", stubbornCall)
	pids := r.running()
	began := time.Now()
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait() // It was killed.
	took := gone(t, pids, began)
	t.Logf("SIGKILL → process tree gone: %v", took)
	r.kept()
}
