package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// script is a provider that answers with the next of its answers and keeps what it was asked.
type script struct {
	t       *testing.T
	answers []answer

	mu       sync.Mutex
	requests []model.Request
}

// answer is a message, or what goes wrong, and what happens before it.
type answer struct {
	m      model.Message
	err    error
	before func(ctx context.Context)
}

func (s *script) Stream(ctx context.Context, r model.Request, on func(model.Event)) (model.Message, error) {
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	if n >= len(s.answers) {
		return model.Message{}, &model.Error{Kind: model.ErrServer, Message: "the script has ended"}
	}
	a := s.answers[n]
	if a.before != nil {
		a.before(ctx)
	}
	if err := ctx.Err(); err != nil {
		return a.m, err
	}
	on(model.Event{Kind: model.EventText, Text: a.m.String()})
	return a.m, a.err
}

func says(text string) answer {
	return answer{m: model.Message{Content: []model.Block{model.Text(text)}, Stop: model.StopEnd}}
}

func calls(list ...model.Call) answer {
	var m model.Message
	for _, c := range list {
		m.Content = append(m.Content, model.Block{Call: &c})
	}
	m.Stop = model.StopCalls
	return answer{m: m}
}

func call(id, name, args string) model.Call {
	return model.Call{ID: id, Name: name, Arguments: jsontext.Value(args)}
}

// tool is a tool of tests: what it does is a function.
type tool struct {
	name  string
	reads bool
	do    func(ctx context.Context, args string) (Output, error)
}

func (t tool) Spec() model.Tool {
	return model.Tool{Name: t.name, Description: t.name, InputSchema: jsontext.Value(`{"type":"object"}`)}
}
func (t tool) Concurrent(jsontext.Value) bool { return t.reads }
func (t tool) Run(ctx context.Context, c *model.Call, progress func(string)) (Output, error) {
	progress("working")
	return t.do(ctx, string(c.Arguments))
}

// echo answers with its arguments.
func echo() tool {
	return tool{name: "echo", reads: true, do: func(_ context.Context, args string) (Output, error) {
		return Output{Content: []model.Block{model.Text("got " + args)}}, nil
	}}
}

// memory is a store in memory.
type memory struct {
	mu       sync.Mutex
	messages []model.Message
	summary  string
	keep     int
}

func (m *memory) Append(msg model.Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages = append(m.messages, msg)
	return nil
}

func (m *memory) Compact(summary string, keep int, _ model.Usage, _ float64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.summary, m.keep = summary, keep
	return nil
}

// agent makes an agent that follows a script.
func agent(t *testing.T, change func(*Options), tools []Tool, answers ...answer) (*Agent, *script, *memory) {
	t.Helper()
	s, m := &script{t: t, answers: answers}, &memory{}
	o := Options{Provider: s, Model: model.Spec{Provider: "p", ID: "m", Context: 100_000, MaxOutput: 8_000}, System: "be good", Tools: tools, Store: m}
	if change != nil {
		change(&o)
	}
	a, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.check() })
	return a, s, m
}

// check looks at every request that was made: the prefix never changes, and each call has its result at once after it.
func (s *script) check() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var first string
	for i, r := range s.requests {
		prefix, err := json.Marshal(struct {
			System string
			Tools  []model.Tool
		}{r.System, r.Tools}, json.Deterministic(true))
		if err != nil {
			s.t.Fatal(err)
		}
		if i == 0 {
			first = string(prefix)
		}
		if string(prefix) != first {
			s.t.Errorf("request %d has another prefix:\n%s\n%s", i, first, prefix)
		}
		if err := paired(r.Messages); err != nil {
			s.t.Errorf("request %d: %v", i, err)
		}
	}
}

// paired reports a call without a result after it, or a result without a call before it.
func paired(messages []model.Message) error {
	var open []string
	for i, m := range messages {
		var results []string
		for _, b := range m.Content {
			if b.Result != nil {
				results = append(results, b.Result.CallID)
			}
		}
		if fmt.Sprint(results) != fmt.Sprint(open) {
			return fmt.Errorf("message %d has the results %v for the calls %v", i, results, open)
		}
		open = nil
		for _, c := range m.Calls() {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("the calls %v have no results", open)
	}
	return nil
}

func results(m model.Message) string {
	var texts []string
	for _, b := range m.Content {
		if b.Result == nil {
			continue
		}
		mark := ""
		if b.Result.IsError {
			mark = "! "
		}
		texts = append(texts, mark+b.Result.Content[0].Text)
	}
	return strings.Join(texts, " | ")
}

func TestAPromptIsWorkedOnUntilTheModelIsDone(t *testing.T) {
	t.Parallel()
	var kinds []string
	a, s, m := agent(t, func(o *Options) {
		o.On = func(e Event) { kinds = append(kinds, string(e.Kind)) }
	}, []Tool{echo()}, calls(call("1", "echo", `{"a":1}`)), says("done"))
	last, err := a.Prompt(t.Context(), model.Text("go"))
	if err != nil || last.String() != "done" {
		t.Fatalf("%q, %v", last.String(), err)
	}
	if len(s.requests) != 2 || len(m.messages) != 4 || results(m.messages[2]) != `got {"a":1}` {
		t.Errorf("%d requests, stored %+v", len(s.requests), m.messages)
	}
	want := "prompt request stream message call progress result request stream message end"
	if got := strings.Join(kinds, " "); got != want {
		t.Errorf("events\n%s\nwant\n%s", got, want)
	}
}

func TestCallsThatCannotRun(t *testing.T) {
	t.Parallel()
	broken := call("2", "echo", "")
	broken.Arguments, broken.Broken, broken.Raw = nil, "its arguments were cut off", `{"a":`
	panics := tool{name: "panics", do: func(context.Context, string) (Output, error) { panic("oh") }}
	fails := tool{name: "fails", do: func(context.Context, string) (Output, error) { return Output{}, errors.New("no disk") }}
	silent := tool{name: "silent", do: func(context.Context, string) (Output, error) { return Output{}, nil }}
	a, _, m := agent(t, nil, []Tool{echo(), panics, fails, silent},
		calls(call("1", "ehco", `{}`), broken, call("3", "panics", `{}`), call("4", "fails", `{}`), call("5", "silent", `{}`)), says("ok"))
	if _, err := a.Prompt(t.Context(), model.Text("go")); err != nil {
		t.Fatal(err)
	}
	want := `! there is no tool "ehco"; did you mean "echo"? | ! the call did not run: its arguments were cut off | ! the tool panics failed: oh | ! no disk | (nothing)`
	if got := results(m.messages[2]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestReadsRunBesideEachOtherAndWritesAlone(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	running, most, during := 0, 0, 0
	step := func(writes bool) func(context.Context, string) (Output, error) {
		return func(context.Context, string) (Output, error) {
			mu.Lock()
			running++
			most = max(most, running)
			if writes {
				during = max(during, running)
			}
			mu.Unlock()
			time.Sleep(30 * time.Millisecond)
			mu.Lock()
			running--
			mu.Unlock()
			return Output{}, nil
		}
	}
	read, write := tool{name: "read", reads: true, do: step(false)}, tool{name: "write", do: step(true)}
	a, _, _ := agent(t, nil, []Tool{read, write}, calls(
		call("1", "read", `{}`), call("2", "read", `{}`), call("3", "write", `{}`), call("4", "read", `{}`), call("5", "read", `{}`), call("6", "write", `{}`),
	), says("ok"))
	if _, err := a.Prompt(t.Context(), model.Text("go")); err != nil {
		t.Fatal(err)
	}
	if most != 2 || during != 1 {
		t.Errorf("%d ran beside each other, %d beside a write", most, during)
	}
}

// gate refuses by the name of the tool.
type gate map[string]error

func (g gate) Allow(_ context.Context, c *model.Call) error { return g[c.Name] }

func TestTheGate(t *testing.T) {
	t.Parallel()
	ran := false
	rm := tool{name: "rm", do: func(context.Context, string) (Output, error) { ran = true; return Output{}, nil }}
	a, _, m := agent(t, func(o *Options) { o.Gate = gate{"rm": errors.New("the user does not allow it")} }, []Tool{rm, echo()},
		calls(call("1", "rm", `{}`), call("2", "echo", `{}`)), says("ok"))
	if _, err := a.Prompt(t.Context(), model.Text("go")); err != nil || ran {
		t.Fatalf("ran %v, %v", ran, err)
	}
	if got := results(m.messages[2]); got != `! the user does not allow it | got {}` {
		t.Error(got)
	}

	a, s, m := agent(t, func(o *Options) { o.Gate = gate{"rm": fmt.Errorf("%w", ErrStop)} }, []Tool{rm, echo()},
		calls(call("1", "rm", `{}`), call("2", "echo", `{}`)))
	if _, err := a.Prompt(t.Context(), model.Text("go")); !errors.Is(err, ErrStop) || ran {
		t.Fatalf("ran %v, %v", ran, err)
	}
	if got := results(m.messages[2]); len(s.requests) != 1 || !strings.Contains(got, "| ! the user stopped the work before this call ran") {
		t.Error(got)
	}
}

// rewriter is a gate that changes arguments.
type rewriter string

func (r rewriter) Allow(_ context.Context, c *model.Call) error {
	c.Arguments = jsontext.Value(r)
	return nil
}

func TestAGateMayChangeWhatRunsAndNotWhatWasSaid(t *testing.T) {
	t.Parallel()
	a, _, m := agent(t, func(o *Options) { o.Gate = rewriter(`{"safe":true}`) }, []Tool{echo()}, calls(call("1", "echo", `{"safe":false}`)), says("ok"))
	if _, err := a.Prompt(t.Context(), model.Text("go")); err != nil {
		t.Fatal(err)
	}
	if got := results(m.messages[2]); got != `got {"safe":true}` {
		t.Error(got)
	}
	if said := a.History()[1].Calls()[0].Arguments; string(said) != `{"safe":false}` {
		t.Errorf("the history says %s", said)
	}
}

func TestWhatTheUserSaysMeanwhile(t *testing.T) {
	t.Parallel()
	var a *Agent
	talk := tool{name: "talk", do: func(context.Context, string) (Output, error) {
		a.Queue(model.Text("afterwards"))
		a.Steer(model.Text("faster"))
		return Output{}, nil
	}}
	a, s, _ := agent(t, nil, []Tool{talk}, calls(call("1", "talk", `{}`)), says("first"), says("second"))
	last, err := a.Prompt(t.Context(), model.Text("go"))
	if err != nil || last.String() != "second" {
		t.Fatalf("%q, %v", last.String(), err)
	}
	second, third := s.requests[1].Messages, s.requests[2].Messages
	if got := second[len(second)-1].String(); got != "faster" {
		t.Errorf("the second request ends with %q", got)
	}
	if got := third[len(third)-1].String(); got != "afterwards" {
		t.Errorf("the third request ends with %q", got)
	}
	a.Queue(model.Text("x"))
	a.Steer(model.Text("y"))
	if back := a.Unqueue(); len(back) != 2 || back[0].String() != "y" {
		t.Errorf("taken back %+v", back)
	}
}

func TestWhatBreaksOffIsKept(t *testing.T) {
	t.Parallel()
	partial := model.Message{
		Content: []model.Block{model.Text("half a"), {Call: &model.Call{ID: "1", Name: "echo", Broken: "it was cut off", Raw: `{"a`}}},
		Usage:   &model.Usage{Input: 10, Output: 3}, Cost: 0.5,
	}
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		a, _, m := agent(t, nil, []Tool{echo()}, answer{m: partial, before: func(context.Context) { cancel() }}, says("again"))
		if _, err := a.Prompt(ctx, model.Text("go")); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if len(m.messages) != 3 || m.messages[1].Stop != model.StopCancelled || m.messages[1].String() != "half a" {
			t.Errorf("stored %+v", m.messages)
		}
		if totals := a.Totals(); totals.Cost != 0.5 || totals.Usage.Output != 3 {
			t.Errorf("totals %+v", totals)
		}
		if last, err := a.Prompt(t.Context(), model.Text("go on")); err != nil || last.String() != "again" {
			t.Errorf("%q, %v", last.String(), err)
		}
	})
	t.Run("failed", func(t *testing.T) {
		t.Parallel()
		a, _, m := agent(t, nil, []Tool{echo()}, answer{m: partial, err: &model.Error{Kind: model.ErrNetwork, Message: "the stream ended"}}, says("again"))
		if _, err := a.Prompt(t.Context(), model.Text("go")); err == nil || err.Error() != "the stream ended" {
			t.Fatal(err)
		}
		if m.messages[1].Stop != model.StopError || m.messages[1].Error != "the stream ended" {
			t.Errorf("stored %+v", m.messages[1])
		}
		if _, err := a.Prompt(t.Context(), model.Text("go on")); err != nil {
			t.Error(err)
		}
	})
}

// What tools use of models is the conversation's, and is stored with their results.
func TestWhatToolsUseIsCounted(t *testing.T) {
	t.Parallel()
	costly := tool{name: "costly", reads: true, do: func(context.Context, string) (Output, error) {
		return Output{Usage: model.Usage{Input: 10, Output: 2}, Cost: 0.25}, nil
	}}
	a, _, m := agent(t, nil, []Tool{costly, echo()}, calls(call("1", "costly", `{}`), call("2", "costly", `{}`)), calls(call("3", "echo", `{}`)), says("ok"))
	if _, err := a.Prompt(t.Context(), model.Text("go")); err != nil {
		t.Fatal(err)
	}
	if stored := m.messages[2]; stored.Cost != 0.5 || stored.Usage == nil || stored.Usage.Input != 20 {
		t.Errorf("stored %+v", stored)
	}
	if stored := m.messages[4]; stored.Cost != 0 || stored.Usage != nil {
		t.Errorf("stored once more: %+v", stored)
	}
	if totals := a.Totals(); totals.Cost != 0.5 || totals.Usage.Output != 4 || totals.Requests != 3 || totals.Context != 0 {
		t.Errorf("totals %+v", totals)
	}
}

func TestACancelDuringACall(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	wait := tool{name: "wait", do: func(ctx context.Context, _ string) (Output, error) {
		cancel()
		<-ctx.Done()
		return Output{Content: []model.Block{model.Text("it was interrupted")}, IsError: true}, nil
	}}
	a, s, m := agent(t, nil, []Tool{wait, echo()}, calls(call("1", "wait", `{}`), call("2", "wait", `{}`)), says("again"))
	if _, err := a.Prompt(ctx, model.Text("go")); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if got := results(m.messages[2]); len(s.requests) != 1 || got != "! it was interrupted | ! the user stopped the work before this call ran: nothing was done" {
		t.Error(got)
	}
	if _, err := a.Prompt(t.Context(), model.Text("go on")); err != nil {
		t.Error(err)
	}
}

func TestAModelThatGoesRoundInCirclesIsStopped(t *testing.T) {
	t.Parallel()
	var same []answer
	for i := range 50 {
		same = append(same, calls(call(fmt.Sprint(i), "echo", fmt.Sprintf(`{"n":%d}`, i%2))))
	}
	a, s, _ := agent(t, nil, []Tool{echo()}, same...)
	if _, err := a.Prompt(t.Context(), model.Text("go")); err == nil || !strings.Contains(err.Error(), "the same calls with the same results") {
		t.Fatal(err)
	}
	if n := len(s.requests); n != 2+maxRepeats {
		t.Errorf("stopped after %d requests", n)
	}
	var other []answer
	for i := range 50 {
		other = append(other, calls(call(fmt.Sprint(i), "echo", fmt.Sprintf(`{"n":%d}`, i))))
	}
	a, s, _ = agent(t, func(o *Options) { o.MaxTurns = 20 }, []Tool{echo()}, other...)
	if _, err := a.Prompt(t.Context(), model.Text("go")); err == nil || !strings.Contains(err.Error(), "was asked 20 times") || len(s.requests) != 20 {
		t.Errorf("%d requests, %v", len(s.requests), err)
	}
}

func TestEmptyAnswers(t *testing.T) {
	t.Parallel()
	nothing := answer{}
	a, _, _ := agent(t, nil, nil, nothing, says("now"))
	if last, err := a.Prompt(t.Context(), model.Text("go")); err != nil || last.String() != "now" {
		t.Errorf("%q, %v", last.String(), err)
	}
	a, _, _ = agent(t, nil, nil, nothing, nothing)
	if _, err := a.Prompt(t.Context(), model.Text("go")); err == nil || !strings.Contains(err.Error(), "with nothing, twice") {
		t.Error(err)
	}
}

func TestOnePromptAtATime(t *testing.T) {
	t.Parallel()
	var a *Agent
	again := tool{name: "again", do: func(ctx context.Context, _ string) (Output, error) {
		_, err := a.Prompt(ctx, model.Text("x"))
		return Output{Content: []model.Block{model.Text(err.Error())}}, nil
	}}
	a, _, m := agent(t, nil, []Tool{again}, calls(call("1", "again", `{}`)), says("ok"))
	if _, err := a.Prompt(t.Context(), model.Text("go")); err != nil || results(m.messages[2]) != ErrBusy.Error() {
		t.Errorf("%v, %s", err, results(m.messages[2]))
	}
	if _, err := New(Options{Tools: []Tool{echo(), echo()}}); err == nil {
		t.Error("two tools of one name")
	}
}
