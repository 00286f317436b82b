package swarm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/broker"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/mcptools"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// search lets what the servers have be known.
func (f *family) search(t testing.TB) {
	t.Helper()
	for _, server := range []string{"demo", "second", "third"} {
		if _, err := f.host.Listing(t.Context(), server); err != nil {
			t.Fatal(err)
		}
	}
}

// startsOf is how often a server was started.
func (f *family) startsOf(t testing.TB, server string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, server))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

// Eight children that use three servers at the same time start none of them again.
func TestEightChildrenShareTheServers(t *testing.T) {
	t.Parallel()
	f := open(t, func(o *Options, _ *Kit) { o.AtOnce = 4 })
	f.search(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			out := f.ask(t.Context(), t, "many 10 demo;many 10 second;many 10 third", nil)
			if got := textOf(out); got != "all\nall\nall\n\n(1 requests to the model, $0.2500)" || out.IsError || out.Cost != 0.25 || out.Usage.Output != 5 {
				t.Errorf("%q, %+v", got, out)
			}
		})
	}
	all.Wait()
	for _, server := range []string{"demo", "second", "third"} {
		if n := f.startsOf(t, server); n != 1 {
			t.Errorf("the server %s was started %d times", server, n)
		}
	}
	if f.most > 4 || f.alive != 0 || len(f.pids) != 8 {
		t.Errorf("%d children, at most %d at once, %d left", len(f.pids), f.most, f.alive)
	}
}

// What a child may do is decided in the parent, whatever the child sends.
func TestTheRoleIsTheParents(t *testing.T) {
	t.Parallel()
	var permitted []string
	f := open(t, func(_ *Options, k *Kit) {
		k.Permit = func(_ context.Context, c *model.Call) error {
			permitted = append(permitted, string(c.Arguments))
			if strings.Contains(string(c.Arguments), "secret") {
				return errors.New("the user does not allow this")
			}
			return nil
		}
	})
	for _, tt := range []struct{ task, want string }{
		{"tools", "mcp_search mcp_call look question\n"},
		{`call mcp_call {"server":"demo","tool":"echo","arguments":{"text":"hi"}}`, `refused: it is not known what the tool "echo" of server "demo" does`},
		{`call mcp_search {"query":"say a text back"}`, `<tool server="demo" name="echo">`},
		{`call mcp_call {"server":"demo","tool":"echo","arguments":{"text":"hi"}}`, "\nhi\n</result>"},
		{`call mcp_call {"server":"demo","tool":"echo","arguments":{"text":"secret"}}`, "refused: the user does not allow this"},
		{`call mcp_call {"server":"demo","tool":"grow"}`, "refused: an agent of the role plan may only call tools that say that they only read"},
		{`call mcp_call {"server":"demo"}`, "refused: the arguments of mcp_call do not fit"},
		{`call mcp_call []`, "refused: the arguments of mcp_call are no JSON object"},
		{`call question {}`, "the answer is accept"},
	} {
		if got := textOf(f.ask(t.Context(), t, tt.task, nil)); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.task, got, tt.want)
		}
	}
	if len(permitted) != 4 || !strings.HasPrefix(permitted[0], `{"query"`) {
		t.Errorf("the user's rules were asked about %q", permitted)
	}
	if len(f.asked) != 10 || f.asked[0] != "an agent (plan) at work on: tools" || f.asked[9] != "demo asks May I?" {
		t.Errorf("the user was asked %q", f.asked)
	}
}

// A child that writes what is no message, or repeats an id, or takes back what it has used, loses its connection, and a child
// beside it goes on.
func TestARogueChildCostsOnlyItself(t *testing.T) {
	t.Parallel()
	f := open(t, nil)
	f.search(t)
	var beside sync.WaitGroup
	for line, want := range map[string]string{
		`hello`:                                "a line is no message",
		`{"jsonrpc":"2.0","method":"unheard"}`: `there is no notice "unheard"`,
		`{"jsonrpc":"2.0","method":"spent","params":{"usage":{"input":0,"output":0},"cost":0,"requests":0}}`:                                                                "cannot become less",
		`{"jsonrpc":"2.0","method":"said","params":{"text":7}}`:                                                                                                             "does not fit",
		`{"jsonrpc":"2.0","id":1,"method":"call","params":{"name":"look","arguments":{}}}|{"jsonrpc":"2.0","id":1,"method":"call","params":{"name":"look","arguments":{}}}`: "two requests",
		strings.Repeat("x", 100): "a line is no message",
	} {
		beside.Go(func() {
			// A task is divided at semicolons and spaces, which no line has in a place that matters.
			out := f.ask(t.Context(), t, "write "+line, nil)
			if got := textOf(out); !out.IsError || !strings.Contains(got, want) || out.Cost != 0.25 {
				t.Errorf("%.80s: %q, $%g", line, got, out.Cost)
			}
		})
	}
	for range 2 {
		beside.Go(func() {
			if out := f.ask(t.Context(), t, "many 50", nil); out.IsError {
				t.Errorf("a child beside it: %q", textOf(out))
			}
		})
	}
	beside.Wait()
	if n := f.startsOf(t, "demo"); n != 1 {
		t.Errorf("the server was started %d times", n)
	}
}

// ended is a tool that notes how its calls end.
type ended struct {
	loop.Tool
	note func(error)
}

func (e ended) Run(ctx context.Context, c *model.Call, progress func(string)) (loop.Output, error) {
	out, err := e.Tool.Run(ctx, c, progress)
	e.note(err)
	return out, err
}

func (e ended) Subject(a jsontext.Value) (mcptools.Subject, bool) { return subjectOf(e.Tool, a) }

func TestAChildThatDiesInACall(t *testing.T) {
	t.Parallel()
	ends := make(chan error, 10)
	f := open(t, func(o *Options, k *Kit) {
		for i, tool := range k.Tools {
			if tool.Spec().Name == "look" {
				k.Tools[i] = ended{tool, func(err error) { ends <- err }}
			}
		}
		o.AtOnce = 2
	})
	f.search(t)
	var beside sync.WaitGroup
	beside.Go(func() {
		if out := f.ask(t.Context(), t, "many 100", nil); out.IsError {
			t.Errorf("a child beside it: %q", textOf(out))
		}
	})
	out := f.ask(t.Context(), t, "die", nil)
	if got := textOf(out); !out.IsError || !strings.Contains(got, "its process ended before it had answered") || !strings.Contains(got, "out of paper") || out.Cost != 0.25 {
		t.Errorf("%q, $%g", got, out.Cost)
	}
	select {
	case err := <-ends:
		if !errors.Is(err, broker.ErrEnded) && !errors.Is(err, context.Canceled) {
			t.Errorf("its call ended with %v", err)
		}
	default:
		t.Error("its call goes on")
	}
	beside.Wait()
	for range 2 { // as many as there are places
		beside.Go(func() {
			if out := f.ask(t.Context(), t, "many 1", nil); out.IsError {
				t.Errorf("a child after it: %q", textOf(out))
			}
		})
	}
	beside.Wait()
	if n := f.startsOf(t, "demo"); n != 1 || f.alive != 0 {
		t.Errorf("the server was started %d times, %d children are left", n, f.alive)
	}
}

func TestACancelEndsTheChild(t *testing.T) {
	t.Parallel()
	for task, most := range map[string]time.Duration{"call look {}": time.Second, "hang": time.Second, "stay": 1500 * time.Millisecond} {
		t.Run(strings.Fields(task)[0], func(t *testing.T) {
			t.Parallel()
			f := open(t, nil)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(500*time.Millisecond, cancel)
			start := time.Now()
			out := f.ask(ctx, t, task, nil)
			if took := time.Since(start) - 500*time.Millisecond; took > most {
				t.Errorf("it took %v", took)
			}
			if !out.IsError || out.Cost != 0.25 || f.alive != 0 || len(f.pids) != 1 {
				t.Errorf("%q, $%g, %d left of %v", textOf(out), out.Cost, f.alive, f.pids)
			}
		})
	}
}

func TestAUserWhoStopsEndsTheChild(t *testing.T) {
	t.Parallel()
	f := open(t, func(_ *Options, k *Kit) {
		k.Permit = func(context.Context, *model.Call) error { return fmt.Errorf("no: %w", loop.ErrStop) }
	})
	out, err := f.have(t.Context(), Plan, "call look {};say on", func(string) {})
	if got := textOf(out); !errors.Is(err, loop.ErrStop) || !out.IsError || !strings.Contains(got, loop.ErrStop.Error()) || strings.Contains(got, "on\n") || out.Cost != 0.25 {
		t.Errorf("%v: %q, $%g", err, got, out.Cost)
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	f := open(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	var said []string
	f.ask(ctx, t, "call look {}", func(text string) {
		if said = append(said, text); len(said) == 3 {
			cancel()
		}
	})
	if len(said) < 3 || said[0] != "look: still waiting" {
		t.Errorf("said %q", said)
	}
}

func TestWhatIsWrongWithACall(t *testing.T) {
	t.Parallel()
	tool := New(Options{})
	for arguments, want := range map[string]string{
		`{}`:                         `"task" is empty`,
		`{"task":" "}`:               `"task" is empty`,
		`{"task":"x","role":"king"}`: `no role "king"`,
		`{"task":"x","more":1}`:      "do not fit",
		`{"task":"` + strings.Repeat("x", maxTask+1) + `"}`: "put it into a file",
	} {
		out, err := tool.Run(t.Context(), &model.Call{Arguments: jsontext.Value(arguments)}, func(string) {})
		if err != nil || !out.IsError || !strings.Contains(textOf(out), want) {
			t.Errorf("%.40s: %q, %v", arguments, textOf(out), err)
		}
	}
	f := open(t, func(o *Options, _ *Kit) { o.Time = 400 * time.Millisecond })
	if got := textOf(f.ask(t.Context(), t, "hang", nil)); !strings.Contains(got, "it was ended after 400ms") {
		t.Errorf("%q", got)
	}
	f = open(t, nil)
	if got := textOf(f.ask(t.Context(), t, "say a;unheard", nil)); !strings.HasPrefix(got, "The agent is not done: no command \"unheard\"\n\na\n") {
		t.Errorf("%q", got)
	}
}
