package permission

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

func TestDefaults(t *testing.T) {
	t.Parallel()
	o := world(t)
	o.TrustHints = []string{"trusted"}
	tool := func(server string, readOnly bool) Request {
		return Request{Tool: "mcp", Kind: MCP, Server: server, Name: "t", Hash: "h", ReadOnly: readOnly}
	}
	shadow := tool("trusted", true)
	shadow.Project, shadow.Shadows = "/p", true
	for _, tt := range []struct {
		name       string
		request    Request
		want, plan Effect
	}{
		{"read", Request{Tool: "read", Kind: Read, Paths: []string{"a"}}, Allow, Allow},
		{"edit", Request{Tool: "edit", Kind: Write, Paths: []string{"a"}}, Ask, Deny},
		{"fetch", Request{Tool: "fetch", Kind: Network, Host: "x"}, Ask, Deny},
		{"a command that looks", Request{Tool: "bash", Kind: Run, Command: "ls"}, Ask, Ask},
		{"a command", Request{Tool: "bash", Kind: Run, Command: "make"}, Ask, Deny},
		{"a command that writes", Request{Tool: "bash", Kind: Run, Command: "echo x > y"}, Ask, Deny},
		{"a tool", tool("x", false), Ask, Deny},
		{"a tool with a hint", tool("x", true), Ask, Deny},
		{"a tool with a trusted hint", tool("trusted", true), Allow, Allow},
		{"a tool of a trusted server without one", tool("trusted", false), Ask, Deny},
		{"a project's server that took the name", shadow, Ask, Deny},
	} {
		g := New(o)
		if d := g.Decide(tt.request); d.Effect != tt.want {
			t.Errorf("%s: effect %d", tt.name, d.Effect)
		}
		g.SetPlan(true)
		if d := g.Decide(tt.request); d.Effect != tt.plan {
			t.Errorf("%s in plan mode: effect %d", tt.name, d.Effect)
		}
	}
	o.FreeCommands = true
	for command, want := range map[string]Effect{"ls": Allow, "cat docs/a": Allow, "cat /etc/passwd": Ask, "cat docs/out/a": Ask, "cat agent/auth.json": Deny} {
		if d := New(o).Decide(Request{Tool: "bash", Kind: Run, Command: command}); d.Effect != want {
			t.Errorf("%s when commands that look are free: effect %d", command, d.Effect)
		}
	}
}

func TestAChangedToolAsksAgain(t *testing.T) {
	t.Parallel()
	o := world(t)
	saved := map[string]string{}
	o.SaveTool = func(_ context.Context, id, hash string) error { saved[id] = hash; return nil }
	asked := 0
	o.Asker = func(context.Context, Question) (Answer, error) { asked++; return Answer{Choice: Forever}, nil }
	g := New(o)
	r := Request{Tool: "mcp", Kind: MCP, Server: "db", Name: "query", Hash: "one"}
	must(t, g.Permit(t.Context(), r))
	must(t, g.Permit(t.Context(), r))
	if asked != 1 || saved["db/query"] != "one" {
		t.Fatalf("asked %d times, saved %v", asked, saved)
	}
	o.Approved = saved
	g = New(o)
	must(t, g.Permit(t.Context(), r))
	if asked != 1 {
		t.Fatal("what is allowed for ever was asked again")
	}
	for _, change := range []func(*Request){
		func(r *Request) { r.Hash = "two" },
		func(r *Request) { r.Hash = "" },
		func(r *Request) { r.Name = "drop" },
		func(r *Request) { r.Server = "db2" },
		func(r *Request) { r.Project = "/p" },
		func(r *Request) { r.Shadows = true },
	} {
		changed := r
		change(&changed)
		if d := New(o).Decide(changed); d.Effect != Ask {
			t.Errorf("%+v: effect %d", changed, d.Effect)
		}
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	stop := errors.New("stop")
	for _, tt := range []struct {
		answer Answer
		err    string // "" when it runs
		again  bool   // the next one asks again
		saved  string
	}{
		{Answer{Choice: Once}, "", true, ""},
		{Answer{Choice: Session}, "", false, ""},
		{Answer{Choice: Forever}, "", false, "bash:git push *"},
		{Answer{Choice: No}, "the user did not allow this", true, ""},
		{Answer{Choice: No, Text: "use make"}, "says: use make", true, ""},
		{Answer{Choice: Stop}, "stop", true, ""},
	} {
		o := world(t)
		o.Stop = stop
		saved, asked := "", 0
		o.SaveRule = func(_ context.Context, rule string) error { saved += rule; return nil }
		o.Asker = func(context.Context, Question) (Answer, error) { asked++; return tt.answer, nil }
		o.Describe = func(c *model.Call) (Request, error) {
			return Request{Tool: c.Name, Kind: Run, Command: string(c.Arguments)}, nil
		}
		g := New(o)
		err := g.Allow(t.Context(), &model.Call{Name: "bash", Arguments: []byte("git push")})
		if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) || errors.Is(err, stop) != (tt.answer.Choice == Stop) {
			t.Errorf("%+v: %v", tt.answer, err)
		}
		g.Allow(t.Context(), &model.Call{Name: "bash", Arguments: []byte("git push origin")}) //nolint:errcheck // It is counted.
		if asked != map[bool]int{true: 2, false: 1}[tt.again] || saved != tt.saved {
			t.Errorf("%+v: asked %d times, saved %q", tt.answer, asked, saved)
		}
	}
}

func TestWhatIsProtectedIsAllowedOnceOnly(t *testing.T) {
	t.Parallel()
	o := world(t)
	o.SaveRule = func(context.Context, string) error { t.Error("a rule was saved"); return nil }
	asked := 0
	o.Asker = func(_ context.Context, q Question) (Answer, error) {
		asked++
		if q.Warning == "" || len(q.Choices) != 3 {
			t.Errorf("question %+v", q)
		}
		return Answer{Choice: Forever}, nil // a choice that was not offered
	}
	g := New(o)
	r := Request{Tool: "edit", Kind: Write, Paths: []string{".git/config"}}
	for range 2 {
		if err := g.Permit(t.Context(), r); err == nil {
			t.Error("an answer that was not offered allowed it")
		}
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}

// No rule lets a command out of the sandbox.
func TestOutOfTheSandboxIsAllowedOnceOnly(t *testing.T) {
	t.Parallel()
	rules, err := ParseRules([]string{"bash", "*", "bash:go test *"})
	if err != nil {
		t.Fatal(err)
	}
	g := New(Options{Project: t.TempDir(), Allow: rules, Judge: func(string) Command { return Command{Parsed: true, Prefixes: []string{"go test"}} }})
	r := Request{Tool: "bash", Kind: Run, Command: "go test ./..."}
	if d := g.Decide(r); d.Effect != Allow {
		t.Errorf("in the sandbox: %+v", d)
	}
	r.Unconfined = true
	if d := g.Decide(r); d.Effect != Ask || !d.Once || !strings.Contains(d.Warning, "outside of the sandbox") {
		t.Errorf("outside of it: %+v", d)
	}
}

func TestNobodyCanBeAsked(t *testing.T) {
	t.Parallel()
	o := world(t)
	for _, tt := range []struct {
		request Request
		want    string
	}{
		{Request{Tool: "bash", Kind: Run, Command: "git push x && make y"}, "--allow 'bash:git push *' --allow 'bash:make y *'"},
		{Request{Tool: "bash", Kind: Run, Command: "sh -c 'x'"}, `--allow 'bash:=sh -c '\''x'\'''`},
		{Request{Tool: "edit", Kind: Write, Paths: []string{"docs/a"}}, "--allow 'edit:**'"},
		{Request{Tool: "read", Kind: Read, Paths: []string{"/etc/hosts"}}, "--allow 'read:/etc/**'"},
		{Request{Tool: "fetch", Kind: Network, Host: "example.com"}, "--allow 'fetch:example.com'"},
		{Request{Tool: "mcp", Kind: MCP, Server: "db", Name: "q"}, "--allow 'mcp:db/q'"},
		{Request{Tool: "swarm", Kind: "other"}, "--allow 'swarm'"},
		{Request{Tool: "edit", Kind: Write, Paths: []string{".git/config"}}, "--allow-all"},
	} {
		err := New(o).Permit(t.Context(), tt.request)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt.request, err)
		}
	}
}

func TestOneQuestionAtATimeAndNoneForNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := Options{Project: "/p"}
		var mu sync.Mutex
		open, most, asked := 0, 0, 0
		answer := make(chan Answer)
		o.Asker = func(ctx context.Context, _ Question) (Answer, error) {
			mu.Lock()
			open++
			asked++
			most = max(most, open)
			mu.Unlock()
			defer func() { mu.Lock(); open--; mu.Unlock() }()
			select {
			case a := <-answer:
				return a, nil
			case <-ctx.Done():
				return Answer{}, ctx.Err()
			}
		}
		g := New(o)
		r := Request{Tool: "fetch", Kind: Network, Host: "example.com"}
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error, 5)
		for range 3 {
			go func() { results <- g.Permit(ctx, r) }()
		}
		synctest.Wait()
		cancel()
		for range 3 {
			if err := <-results; !errors.Is(err, context.Canceled) {
				t.Errorf("a question that nobody waits for: %v", err)
			}
		}
		for range 5 {
			go func() { results <- g.Permit(t.Context(), r) }()
		}
		synctest.Wait()
		answer <- Answer{Choice: Session}
		for range 5 {
			if err := <-results; err != nil {
				t.Errorf("after one answer for all: %v", err)
			}
		}
		if most != 1 || asked != 2 {
			t.Errorf("%d questions at once, %d in all", most, asked)
		}
	})
}

// A gate is what the loop asks.
var _ loop.Gate = (*Gate)(nil)
