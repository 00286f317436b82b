package elyra_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
)

// board is an app with live commands of every form, whose data is a number that tests set.
type board struct {
	*elyratest.App
	value atomic.Int64
	fail  atomic.Bool
	runs  atomic.Int64
}

type boardQuery struct {
	Page int  `json:"page,omitempty" validate:"max=9"`
	Mine bool `json:"mine,omitempty"`
}

func newBoard(t testing.TB, change ...func(*elyra.App, *elyra.MCP)) *board {
	t.Helper()
	b := &board{}
	number := func(ctx context.Context) (int64, error) {
		b.runs.Add(1)
		elyra.Reads(ctx, "number")
		if b.fail.Load() {
			return 0, errors.New("the number is out of order")
		}
		return b.value.Load(), nil
	}
	live := elyra.CommandOptions{Live: true, Can: "board.view", Doc: "Index lists numbers. Use it to look."}
	secret := elyra.CommandOptions{Live: true, Can: "board.secret"}
	b.App = elyratest.New(t, func(*elyra.Env) (*elyra.App, error) {
		a := elyra.New().Commands(
			elyra.NewCommand("board_index", func(ctx context.Context, _ struct {
				Query *boardQuery `json:"query,omitempty"`
			},
			) (int64, error) {
				return number(ctx)
			}, live),
			elyra.NewCommand("board_show", func(ctx context.Context, in struct {
				ID int64 `json:"id"`
			},
			) (int64, error) {
				n, err := number(ctx)
				return n/10*10 + in.ID, err
			}, live),
			elyra.NewCommand("board_guarded", func(ctx context.Context, _ struct{}) (int64, error) { return number(ctx) }, secret),
			elyra.NewCommand("board_plain", func(ctx context.Context, _ struct{}) (int64, error) { return number(ctx) }, elyra.CommandOptions{ReadOnly: true, Can: "board.view"}),
			elyra.NewCommand("board_hidden", func(ctx context.Context, _ struct{}) (int64, error) { return number(ctx) }, elyra.CommandOptions{Live: true, Can: "board.hidden"}),
			elyra.NewCommand("board_panics", func(context.Context, struct{}) (int64, error) { panic("secret") }, live),
		)
		m := elyra.NewMCP().AllowAbilities("board.view", "board.secret").Confirm("board.secret")
		for _, f := range change {
			f(a, m)
		}
		return a.MCP(m), nil
	})
	return b
}

// set changes the number and tells the live queries.
func (b *board) set(n int64) {
	b.value.Store(n)
	b.Instance.Changed("number")
}

func TestS38_granted_live_commands_are_resources(t *testing.T) {
	t.Parallel()
	b := newBoard(t)
	for _, era := range eras {
		agent := b.MCP(elyratest.Era(era))
		var uris []string
		for _, r := range append(agent.ListResources(), agent.ListTemplates()...) {
			uris = append(uris, r.URI)
			if r.MIMEType != "application/json" || r.Description == "" || (r.Title == "") != (era == "2025-03-26") {
				t.Errorf("%s: %+v", era, r)
			}
		}
		want := []string{"app://board_index", "app://board_panics", "app://board_index{?mine,page}", "app://board_show/{id}"}
		if !slices.Equal(uris, want) {
			t.Errorf("%s: %q, want %q", era, uris, want)
		}
		if got := agent.Complete("app://board_index{?mine,page}", "mine", "T"); !slices.Equal(got, []string{"true"}) {
			t.Errorf("%s: completed to %q", era, got)
		}
	}
}

func TestS39_reads(t *testing.T) {
	t.Parallel()
	b := newBoard(t)
	b.value.Store(70)
	for _, era := range eras {
		agent := b.MCP(elyratest.Era(era))
		unknown := -32602
		if era != eras[0] {
			unknown = -32002
		}
		for _, tt := range []struct {
			uri, text string
			code      int
			variable  string
		}{
			{"app://board_index", "70", 0, ""},
			{"app://board_index?page=2&mine=false", "70", 0, ""},
			{"app://board_show/3", "73", 0, ""},
			{"app://board_show/x", "must be an integer", -32602, "id"},
			{"app://board_index?page=10&page=2", "more than once", -32602, "page"},
			{"app://board_index?page=10", "page: must be", -32602, "page"},
			{"app://board_index?Page=1", "is no variable of app://board_index{?mine,page}", -32602, "Page"},
			{"app://board_index#x", "percent-encoded", -32602, ""},
			{"app://board_show", "app://board_show/{id}", unknown, ""},
			{"app://board_shwo/1", `did you mean "board_show"`, unknown, ""},
			{"file:///etc/passwd", "no resource", unknown, ""},
			// What is not granted, not live or has to be confirmed is as unknown as what does not exist.
			{"app://board_hidden", "no resource", unknown, ""},
			{"app://board_guarded", "no resource", unknown, ""},
			{"app://board_plain", "no resource", unknown, ""},
			{"app://board_panics", "error", -32603, ""},
		} {
			r := agent.Read(tt.uri)
			if r.Code != tt.code || !strings.Contains(r.Text, tt.text) || tt.code == 0 && r.Text != tt.text || strings.Contains(r.Text, "secret") {
				t.Errorf("%s: %s: code %d, %q; want %d, %q", era, tt.uri, r.Code, r.Text, tt.code, tt.text)
			}
			if tt.variable != "" && len(r.Errors[tt.variable]) == 0 {
				t.Errorf("%s: %s: the errors are %v; want some of %s", era, tt.uri, r.Errors, tt.variable)
			}
		}
		b.fail.Store(true)
		if r := agent.Read("app://board_index"); r.Code != -32603 || r.Text != "the number is out of order" {
			t.Errorf("%s: a command that fails: %+v", era, r)
		}
		b.fail.Store(false)
	}
}

func TestReadsCountForTheToolsLimit(t *testing.T) {
	t.Parallel()
	b := newBoard(t, func(_ *elyra.App, m *elyra.MCP) { m.RateLimit("board.view", 3, time.Hour) })
	agent := b.MCP()
	watching := agent.Listen("app://board_index")
	for i := range 5 { // runs again for the subscription count for nothing
		b.set(int64(i + 1))
		watching.Next()
	}
	if r := agent.Call("board_index", nil); r.IsError {
		t.Fatal(r.Text)
	}
	for range 2 {
		if r := agent.Read("app://board_index?page=x"); r.Code != -32602 {
			t.Errorf("a bad read: %+v", r)
		}
	}
	for _, uri := range []string{"app://board_index", "app://board_index?page=1"} {
		if r := agent.Read(uri); r.Code != 429 || !strings.Contains(r.Text, "more than 3 times") {
			t.Errorf("the fourth use: %+v", r)
		}
	}
	if r := agent.Call("board_index", nil); !r.IsError || !strings.Contains(r.Text, "more than 3 times") {
		t.Errorf("the tool after the reads: %+v", r)
	}
	if r := agent.Read("app://board_show/1"); r.IsError {
		t.Errorf("another resource: %+v", r)
	}
	b.Instance.PauseAgents(true)
	if r := agent.Read("app://board_show/1"); r.Code != 503 || !strings.Contains(r.Text, "paused") {
		t.Errorf("while agents are paused: %+v", r)
	}
	if w := agent.Listen("app://board_show/1"); len(w.Refused) != 1 {
		t.Errorf("while agents are paused: watching %q", w.Honoured)
	}
}

func TestS50_S51_S52_subscriptions(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			b := newBoard(t)
			agent, other := b.MCP(elyratest.Era(era)), b.MCP(elyratest.Era(era))
			first := agent.Listen("app://board_index", "app://nonesuch", "app://board_show/x", "app://board_guarded")
			if !slices.Equal(first.Honoured, []string{"app://board_index"}) || len(first.Refused) != 3 {
				t.Errorf("honoured %q, refused %q", first.Honoured, first.Refused)
			}
			second := agent.Listen("app://board_show/3", "app://board_index?page=1")
			strange := other.Listen("app://board_index")
			b.set(7) // board_show goes by tens, so its result is the same
			for _, w := range []*elyratest.Watching{first, strange} {
				if got := w.Next(); got != "app://board_index" {
					t.Errorf("told of %s", got)
				}
			}
			if got := second.Next(); got != "app://board_index?page=1" {
				t.Errorf("told of %s", got)
			}
			b.Instance.Changed("number", "something else")
			for _, w := range []*elyratest.Watching{first, second, strange} {
				w.QuietFor(50 * time.Millisecond)
			}
			if r := agent.Read("app://board_index"); r.Text != "7" {
				t.Errorf("read %+v after it was told", r)
			}
			first.Close()
			b.set(20)
			got := []string{second.Next(), second.Next()}
			if slices.Sort(got); !slices.Equal(got, []string{"app://board_index?page=1", "app://board_show/3"}) {
				t.Errorf("told of %q", got)
			}
			strange.Next()
			first.QuietFor(20 * time.Millisecond)
		})
	}
}

func TestSubscriptionOfAFailingCommandStays(t *testing.T) {
	t.Parallel()
	b := newBoard(t)
	b.fail.Store(true)
	watching := b.MCP().Listen("app://board_index")
	if len(watching.Honoured) != 1 {
		t.Fatalf("honoured %q", watching.Honoured)
	}
	b.fail.Store(false)
	b.set(1)
	watching.Next()
	b.fail.Store(true)
	b.set(2)
	watching.Next()
	b.set(3)
	watching.QuietFor(50 * time.Millisecond)
}

func TestEndOfAConnectionEndsItsSubscriptions(t *testing.T) {
	t.Parallel()
	b := newBoard(t)
	c := rawAgent(t, b.App, "raw", cannotAsk)
	for range 3 {
		c.request("subscriptions/listen", `"notifications":{"resourceSubscriptions":["app://board_index"]}`)
	}
	before := b.runs.Load()
	if before != 1 {
		t.Errorf("three equal subscriptions of one client ran the command %d times", before)
	}
	c.hangUp()
	b.set(5)
	if app := b.Live("board_index", nil); app.Value() != "5" {
		t.Errorf("the app sees %s", app.Value())
	}
	if runs := b.runs.Load(); runs != before+1 {
		t.Errorf("the command ran %d more times; want once, for the app", runs-before)
	}
}

func TestReadsAreSeen(t *testing.T) {
	t.Parallel()
	b := newBoard(t, withPrompts)
	agent := b.MCP(elyratest.Named("Claude"))
	agent.Read("app://board_show/1")
	agent.Read("app://board_show/x")
	agent.Prompt("board_talk", map[string]string{"mood": "sad"})
	var seen []string
	for _, e := range b.Events() {
		if e, ok := e.(elyra.AgentCalled); ok {
			seen = append(seen, fmt.Sprint(e.Kind, " ", e.Tool, " ", e.Client, " ", e.OK))
		}
	}
	want := []string{"resource board_show Claude true", "resource board_show Claude false", "prompt board_talk Claude true"}
	if !slices.Equal(seen, want) {
		t.Errorf("the events are %q; want %q", seen, want)
	}
	var kinds []string
	for deadline := time.Now().Add(5 * time.Second); len(kinds) < 6 && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		kinds = nil
		for _, m := range b.Channel("elyra:mcp") {
			var a elyra.AgentActivity
			if err := json.Unmarshal([]byte(m), &a); err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, a.Kind+" "+a.Phase)
		}
	}
	if want := []string{"resource started", "resource finished", "resource started", "resource finished", "prompt started", "prompt finished"}; !slices.Equal(kinds, want) {
		t.Errorf("the channel carried %q; want %q", kinds, want)
	}
}

func TestAReadHasTheDeadlineOfACall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wait := func(ctx context.Context, _ struct{}) (string, error) { <-ctx.Done(); return "", ctx.Err() }
		app := elyratest.New(t, func(*elyra.Env) (*elyra.App, error) {
			return elyra.New().Commands(elyra.NewCommand("waits", wait, elyra.CommandOptions{Live: true, Can: "x"})).MCP(elyra.NewMCP().AllowAbility("x")), nil
		})
		agent := app.MCP()
		began := time.Now()
		if r := agent.Read("app://waits"); r.Code != -32603 || !strings.Contains(r.Text, "longer than 1m0s") {
			t.Errorf("%+v after %v", r, time.Since(began))
		}
		// A subscription does not wait that long; its first outcome is told as a change.
		began = time.Now()
		w := agent.Listen("app://waits")
		if took := time.Since(began); len(w.Honoured) != 1 || took > 3*time.Second {
			t.Errorf("acknowledged %q after %v", w.Honoured, took)
		}
		time.Sleep(time.Minute)
		w.Next()
	})
}

// withPrompts adds prompts, of which one is granted.
func withPrompts(_ *elyra.App, m *elyra.MCP) {
	run := func(ctx context.Context, args map[string]string) ([]elyra.PromptMessage, error) {
		who, _ := elyra.OriginOf(ctx).(elyra.Agent)
		switch args["about"] {
		case "failure":
			return nil, errors.New("there is nothing to say")
		case "panic":
			panic("secret")
		}
		return []elyra.PromptMessage{{Text: "I am " + args["mood"] + ", " + who.Client}, {Assistant: true, Text: "Go on."}}, nil
	}
	args := []elyra.PromptArg{
		{Name: "mood", Doc: "How the user feels.", Required: true, Values: []string{"happy", "sad", "hungry"}},
		{Name: "about", Doc: "What it is about."},
	}
	m.Prompt(elyra.Prompt{Name: "board_talk", Doc: "Talks about the board. At length.", Can: "board.talk", Args: args, Run: run}).
		Prompt(elyra.Prompt{Name: "board_secret_talk", Can: "board.other", Run: run}).
		Prompt(elyra.Prompt{Name: "board_free_talk", Run: run}).
		AllowAbility("board.talk")
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	b := newBoard(t, withPrompts)
	for _, era := range eras {
		agent := b.MCP(elyratest.Era(era), elyratest.Named("Claude"))
		if names := agent.ListPrompts(); !slices.Equal(names, []string{"board_talk"}) {
			t.Errorf("%s: the prompts are %q", era, names)
		}
		if r := agent.Prompt("board_talk", map[string]string{"mood": "sad"}); r.Text != "user: I am sad, Claude\nassistant: Go on.\n" {
			t.Errorf("%s: %+v", era, r)
		}
		for _, tt := range []struct {
			name string
			args map[string]string
			code int
			want string
		}{
			{"board_talk", nil, -32602, "mood: is missing"},
			{"board_talk", map[string]string{"mood": "angry"}, -32602, "must be one of happy, sad, hungry"},
			{"board_talk", map[string]string{"mood": "sad", "abuot": "x"}, -32602, `did you mean "about"`},
			{"board_talk", map[string]string{"mood": "sad", "about": "failure"}, -32603, "nothing to say"},
			{"board_talk", map[string]string{"mood": "sad", "about": "panic"}, -32603, "error"},
			{"board_secret_talk", nil, -32602, "unknown prompt"},
			{"board_free_talk", nil, -32602, "unknown prompt"},
		} {
			if r := agent.Prompt(tt.name, tt.args); r.Code != tt.code || !strings.Contains(r.Text, tt.want) || strings.Contains(r.Text, "secret") && tt.name == "board_talk" {
				t.Errorf("%s: %s %v: %+v; want code %d, %q", era, tt.name, tt.args, r, tt.code, tt.want)
			}
		}
	}
}

func TestMistakesInPromptsAreSaidAtStart(t *testing.T) {
	t.Parallel()
	run := func(context.Context, map[string]string) ([]elyra.PromptMessage, error) { return nil, nil }
	for _, tt := range []struct {
		prompt elyra.Prompt
		want   string
	}{
		{elyra.Prompt{Name: "A b", Run: run}, "lower-case"},
		{elyra.Prompt{Name: "a"}, "no Run"},
		{elyra.Prompt{Name: "ok", Run: run}, "two prompts"},
		{elyra.Prompt{Name: "a", Run: run, Can: "x y"}, "x y"},
		{elyra.Prompt{Name: "a", Run: run, Args: []elyra.PromptArg{{Name: "x"}, {Name: "x"}}}, "differ"},
	} {
		_, err := elyra.New().MCP(elyra.NewMCP().Prompt(elyra.Prompt{Name: "ok", Run: run}).Prompt(tt.prompt)).Start(t.Context(), elyratest.Env(t))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v; want %q", tt.prompt, err, tt.want)
		}
	}
}
