package swarm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/broker"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/tools"
)

// lie is a child that speaks to its parent as it likes, whatever it was given: its task names what it asks for, a line each.
// It answers with what the parent says.
func lie() {
	var conn *broker.Conn
	conn = broker.New(os.Stdin, os.Stdout, broker.ConnOptions{Serve: func(ctx context.Context, _ string, params jsontext.Value, _ func(string)) (any, error) {
		var job Job
		if err := broker.Decode(params, &job); err != nil {
			return nil, err
		}
		var said []string
		for line := range strings.Lines(job.Task) {
			method, text, _ := strings.Cut(strings.TrimSpace(line), " ")
			if method == "flood" {
				flood(text)
			}
			var got any
			if err := conn.Request(ctx, method, jsontext.Value(text), &got, nil); err != nil {
				got = err
			}
			said = append(said, strings.ReplaceAll(fmt.Sprint(got), "\n", " "))
		}
		return answer{Text: strings.Join(said, "\n")}, nil
	}})
	conn.Run() //nolint:errcheck // The parent tells how it went.
}

// flood writes lines as fast as the parent takes them, and never reads. %d in a line is a number.
func flood(line string) {
	for n := 1000; ; n++ { // Smaller ones are those of the parent's requests.
		if _, err := fmt.Println(strings.ReplaceAll(line, "%d", fmt.Sprint(n))); err != nil {
			os.Exit(1)
		}
	}
}

// liars makes a family whose children lie.
func liars(t *testing.T, change func(*Options, *Kit)) *family {
	t.Helper()
	return open(t, func(o *Options, k *Kit) {
		o.Command = func() *exec.Cmd { return exec.Command(os.Args[0], liarArgument) }
		if change != nil {
			change(o, k)
		}
	})
}

// A child that only reads gets nothing more by what it sends: neither its parent's own tools, nor children, nor what its role
// may not call.
func TestAChildThatLiesAboutItsRole(t *testing.T) {
	t.Parallel()
	f := liars(t, nil)
	f.search(t)
	task := strings.Join([]string{
		`call {"name":"edit","arguments":{}}`,
		`call {"name":"agent","arguments":{"task":"x","role":"work"}}`,
		`call {"name":"edit","arguments":{},"role":"work"}`,
		`call {"name":"mcp_call","arguments":{"server":"demo","tool":"grow"}}`,
		`call {"name":"mcp_call","arguments":{"server":"demo","tool":"echo","arguments":{"text":"read"}}}`,
		`work {"task":"x","role":"work","model":"m","tools":[]}`,
		`permit {"name":"edit"}`,
	}, "\n")
	out, err := f.have(t.Context(), Plan, task, func(string) {})
	if err != nil || out.IsError {
		t.Fatalf("%v, %q", err, textOf(out))
	}
	got := strings.Split(textOf(out), "\n")
	for i, want := range []string{
		`there is no tool "edit"`, `there is no tool "agent"`, "does not fit", "may only call tools that say that they only read", "read",
	} {
		if !strings.Contains(got[i], want) {
			t.Errorf("line %d: %q, want %q", i, got[i], want)
		}
	}
	text := textOf(out)
	if !strings.Contains(text, `there is no request "work"`) || !strings.Contains(text, `there is no request "permit"`) || len(f.edits) > 0 {
		t.Errorf("%q, edited %q", text, f.edits)
	}
}

// A worker has its parent's tools, whose calls run in the parent, each with an id of its own; it has no children either.
func TestAWorkerUsesItsParentsTools(t *testing.T) {
	t.Parallel()
	f := liars(t, func(_ *Options, k *Kit) {
		k.Permit = func(_ context.Context, c *model.Call) error {
			if strings.Contains(string(c.Arguments), "secret") {
				return fmt.Errorf("the user does not allow this")
			}
			return nil
		}
		k.Changed = func() ([]tools.Change, []string) {
			return []tools.Change{{Path: "/p/a.go", What: tools.Modified}}, []string{"- a.go (modified)"}
		}
	})
	task := `call {"name":"edit","arguments":{"n":1}}` + "\n" + `call {"name":"edit","arguments":{"secret":1}}` + "\n" +
		`call {"name":"edit","arguments":{"n":2}}` + "\n" + `call {"name":"agent","arguments":{"task":"x"}}`
	out, err := f.have(t.Context(), Work, task, func(string) {})
	if err != nil || out.IsError {
		t.Fatalf("%v, %q", err, textOf(out))
	}
	text := textOf(out)
	for _, want := range []string{"edited", "the user does not allow this", `there is no tool "agent"`, "\n\nChanged files:\n- a.go (modified)\n\n(0 requests"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	if got := strings.Join(f.edits, " "); got != `1{"n":1} 3{"n":2}` {
		t.Errorf("edits %s", got)
	}
	if got, ok := out.Details.(tools.Output); !ok || len(got.Changes) != 1 || got.Changes[0].Path != "/p/a.go" {
		t.Errorf("details %+v", out.Details)
	}
	if !strings.HasPrefix(f.asked[0], "an agent (work) at work on: call {") {
		t.Errorf("named %q", f.asked)
	}
}

// One worker is at work at a time, also when the loop is not who asks.
func TestWorkersWorkAlone(t *testing.T) {
	t.Parallel()
	f := open(t, nil)
	f.search(t)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if out, err := f.have(t.Context(), Work, "many 5", func(string) {}); err != nil || out.IsError {
				t.Errorf("%v, %q", err, textOf(out))
			}
		})
	}
	all.Wait()
	if f.most != 1 || f.alive != 0 || len(f.pids) != 3 {
		t.Errorf("%d at once, %d left of %d", f.most, f.alive, len(f.pids))
	}
	for arguments, want := range map[string]bool{`{"task":"x","role":"plan"}`: true, `{"task":"x"}`: true, `{"task":"x","role":"work"}`: false, `{}`: true} {
		if got := f.tool.Concurrent(jsontext.Value(arguments)); got != want {
			t.Errorf("%s beside others: %v", arguments, got)
		}
	}
}

// A child that floods costs its parent neither its place at the screen nor the work of a child beside it.
func TestAChildThatFloods(t *testing.T) {
	t.Parallel()
	call := `{"jsonrpc":"2.0","id":%d,"method":"call","params":{"name":"look","arguments":{}}}`
	for name, line := range map[string]string{
		"said":  `{"jsonrpc":"2.0","method":"said","params":{"text":"line %d"}}`,
		"calls": call,
		"wrong": `{"jsonrpc":"2.0","id":%d,"method":"call","params":{"name":"none","arguments":{}}}`,
		"waste": `{"jsonrpc":"2.0","id":%d,"result":{"text":"` + strings.Repeat("x", 10_000) + `"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := liars(t, func(o *Options, _ *Kit) { o.Time = 1500 * time.Millisecond })
			f.search(t)
			var beside sync.WaitGroup
			beside.Go(func() {
				task := strings.Repeat(`call {"name":"mcp_call","arguments":{"server":"demo","tool":"echo","arguments":{"text":"beside"}}}`+"\n", 20)
				if out := f.ask(t.Context(), t, task, nil); strings.Count(textOf(out), "beside") != 20 {
					t.Errorf("a child beside it: %q", textOf(out))
				}
			})
			shown := 0
			start := time.Now()
			out := f.ask(t.Context(), t, "flood "+line, func(string) { shown++ })
			if !out.IsError || shown > maxSaids*(int(time.Since(start).Seconds())+2) {
				t.Errorf("%d lines were shown: %.200q", shown, textOf(out))
			}
			beside.Wait()
			if n := f.startsOf(t, "demo"); n != 1 || f.alive != 0 {
				t.Errorf("the server was started %d times, %d children are left", n, f.alive)
			}
		})
	}
}

// A child says once where it is kept, and its parent may not agree.
func TestWhereAChildIsKept(t *testing.T) {
	t.Parallel()
	var kept []string
	f := open(t, func(o *Options, k *Kit) {
		o.Job = func() Job { return Job{Model: "p/m", Owner: "1"} }
		k.Kept = func(id string) error {
			kept = append(kept, id)
			if len(kept) == 2 {
				return fmt.Errorf("no room for %s", id)
			}
			return nil
		}
	})
	if got := textOf(f.ask(t.Context(), t, "say on", nil)); got != "on\n\n(1 requests to the model, $0.2500; session of-1)" {
		t.Errorf("%q", got)
	}
	if got := textOf(f.ask(t.Context(), t, "hang", nil)); !strings.Contains(got, "no room for of-1") {
		t.Errorf("%q", got)
	}
	out := f.ask(t.Context(), t, `write {"jsonrpc":"2.0","method":"kept","params":{"session":"other"}}`, nil)
	if got := textOf(out); !strings.Contains(got, "kept in one session") || len(kept) != 3 {
		t.Errorf("%q, kept %q", got, kept)
	}
}
