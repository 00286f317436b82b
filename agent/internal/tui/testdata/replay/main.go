// Command replay shows the terminal interface with an agent that plays a script: for benchmarks, for tests at a real
// terminal, and to look at.
//
// What it is told decides what it does: "stream 200 5" writes 200 tokens a second for 5 seconds, "ask" asks for an approval,
// "form" puts a server's question, "fail" fails; anything else plays a whole conversation.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/tui"
	"github.com/elyra-go/elyra/internal/mcp"
)

func main() {
	a := &agent{pace: 15 * time.Millisecond}
	models := []tui.Item{{ID: "a", Name: "Claude Opus", Note: "200k"}, {ID: "b", Name: "GPT", Note: "400k"}, {ID: "c", Name: "Qwen local", Note: "32k"}}
	name := "Claude Opus"
	a.ui = tui.New(tui.Options{
		Dir: "/home/someone/project", Home: "/home/someone", Input: os.Stdin, Output: os.Stdout, Environ: os.Environ(),
		Title:   "elyra 0.0 (replay)",
		Welcome: "Type `/help` for commands and keys.",
		State: func() tui.State {
			return tui.State{Model: name, Context: 200_000, Level: model.LevelHigh}
		},
		Branch: func() string { return "main" },
		Models: &tui.Picker{
			Title: "Model", Items: func(context.Context) ([]tui.Item, error) { return models, nil },
			Choose: func(_ context.Context, id string) (tui.Result, error) {
				for _, m := range models {
					if m.ID == id {
						name = m.Name
					}
				}
				return tui.Result{Text: "The model is now **" + name + "**."}, nil
			},
		},
		Commands: []tui.Command{{Name: "compact", Args: "[focus]", Help: "summarise what was said early", Run: func(ctx context.Context, _ string) (tui.Result, error) {
			return tui.Result{Text: "There is nothing to summarise."}, sleep(ctx, 300*time.Millisecond)
		}}},
		Files: func(context.Context) ([]string, error) {
			return []string{"README.md", "cmd/app/main.go", "internal/parse/parse.go", "internal/parse/parse_test.go"}, nil
		},
		Shell: func(_ context.Context, command string, progress func(string)) (string, error) {
			progress("running\n")
			return "output of " + command, nil
		},
		Outcome: a.outcome,
		Past:    []string{"an earlier prompt"},
		Prompt:  strings.Join(os.Args[1:], " "),
	})
	if err := a.ui.Run(context.Background(), a); err != nil {
		fmt.Fprintln(os.Stderr, "replay:", err)
		os.Exit(1)
	}
}

// agent plays scripts.
type agent struct {
	ui   *tui.UI
	pace time.Duration // between two tokens

	mu      sync.Mutex
	history []model.Message
	totals  loop.Totals
	waiting []model.Message
}

func (a *agent) Prompt(ctx context.Context, content ...model.Block) (model.Message, error) {
	m := model.Message{Role: model.User, Content: content}
	a.ui.On(loop.Event{Kind: loop.KindPrompt, Message: &m})
	text := m.String()
	var err error
	switch {
	case strings.HasPrefix(text, "stream "):
		err = a.stream(ctx, text)
	case text == "ask":
		err = a.ask(ctx)
	case text == "form":
		err = a.form(ctx)
	case text == "fail":
		err = &model.Error{Kind: model.ErrAuth, Message: "the key is not accepted: set ANTHROPIC_API_KEY"}
	default:
		err = a.conversation(ctx)
	}
	a.mu.Lock()
	a.totals.Requests++
	a.totals.Usage.Input += 1200
	a.totals.Usage.Output += 800
	a.totals.Usage.CacheRead += 15_000
	a.totals.Cost += 0.021
	a.totals.Context += 17_000
	a.mu.Unlock()
	a.ui.On(loop.Event{Kind: loop.KindEnd})
	return m, err
}

func (a *agent) Steer(content ...model.Block) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.waiting = append(a.waiting, model.Message{Role: model.User, Content: content})
}
func (a *agent) Queue(content ...model.Block) { a.Steer(content...) }
func (a *agent) Unqueue() []model.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	w := a.waiting
	a.waiting = nil
	return w
}

func (a *agent) History() []model.Message {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]model.Message(nil), a.history...)
}

func (a *agent) Totals() loop.Totals {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.totals
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func (a *agent) step(kind model.EventKind, text string) {
	a.ui.On(loop.Event{Kind: loop.KindStream, Stream: &model.Event{Kind: kind, Text: text}})
}

// write streams a text word by word.
func (a *agent) write(ctx context.Context, kind model.EventKind, text string) error {
	for word := range strings.SplitAfterSeq(text, " ") {
		a.step(kind, word)
		if err := sleep(ctx, a.pace); err != nil {
			return err
		}
	}
	if kind == model.EventText {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.history = append(a.history, model.Message{Role: model.Assistant, Content: []model.Block{model.Text(text)}})
	}
	return nil
}

// call plays a tool.
func (a *agent) call(ctx context.Context, name, args string, steps []string, out string, failed bool) error {
	c := &model.Call{ID: name + args, Name: name, Arguments: jsontext.Value(args)}
	a.ui.On(loop.Event{Kind: loop.KindStream, Stream: &model.Event{Kind: model.EventCallStart, Call: c}})
	a.step(model.EventCallArgs, args)
	a.ui.On(loop.Event{Kind: loop.KindStream, Stream: &model.Event{Kind: model.EventCallEnd, Call: c}})
	a.ui.On(loop.Event{Kind: loop.KindCall, Call: c})
	for _, s := range steps {
		a.ui.On(loop.Event{Kind: loop.KindProgress, Call: c, Text: s})
		if err := sleep(ctx, 10*a.pace); err != nil {
			return err
		}
	}
	a.ui.On(loop.Event{Kind: loop.KindResult, Call: c, Output: &loop.Output{Content: []model.Block{model.Text(out)}, IsError: failed, Details: name}})
	return nil
}

const change = `--- a/internal/parse/parse.go
+++ b/internal/parse/parse.go
@@ -40,7 +40,10 @@ func Parse(r io.Reader) (*File, error) {
 	for {
 		line, err := in.ReadString('\n')
-		if err != nil {
+		if err == io.EOF {
+			break
+		}
+		if err != nil {
 			return nil, fmt.Errorf("read line %d: %w", n, err)
 		}
 		n++
`

func (a *agent) outcome(c *model.Call, out *loop.Output) tui.Outcome {
	text := ""
	for _, b := range out.Content {
		text += b.Text
	}
	switch {
	case c.Name == "edit":
		return tui.Outcome{Summary: "+4 -1", Diff: change}
	case c.Name == "read":
		return tui.Outcome{Summary: fmt.Sprint(strings.Count(text, "\n"), " lines")}
	case out.IsError:
		return tui.Outcome{Summary: "exit 1", Text: text}
	}
	return tui.Outcome{Summary: "exit 0", Text: text}
}

func (a *agent) conversation(ctx context.Context) error {
	var tests strings.Builder
	for i := range 12 {
		fmt.Fprintf(&tests, "ok  \texample.com/project/internal/p%d\t0.0%ds\n", i, i)
	}
	for _, step := range []func() error{
		func() error {
			return a.write(ctx, model.EventThinking, "The user wants the parser to stop at the end of the file. I have to look at how it reads lines, and at the tests, before I change anything.")
		},
		func() error {
			return a.write(ctx, model.EventText, "I look at the parser first.\n")
		},
		func() error {
			return a.call(ctx, "read", `{"path":"internal/parse/parse.go"}`, nil, strings.Repeat("line\n", 120), false)
		},
		func() error {
			return a.call(ctx, "grep", `{"pattern":"Parse\\("}`, nil, "internal/parse/parse_test.go\n12: Parse(r)", false)
		},
		func() error {
			return a.call(ctx, "bash", `{"command":"go test ./internal/parse"}`, []string{"--- FAIL: TestParse\n", "    parse_test.go:14: unexpected EOF\n"}, "--- FAIL: TestParse (0.00s)\n    parse_test.go:14: read line 3: unexpected EOF\nFAIL", true)
		},
		func() error { return a.call(ctx, "edit", `{"path":"internal/parse/parse.go"}`, nil, "done", false) },
		func() error {
			return a.call(ctx, "bash", `{"command":"go test ./..."}`, []string{"ok p0\n", "ok p1\n", "ok p2\n"}, tests.String(), false)
		},
		func() error { return a.write(ctx, model.EventText, answer) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

const answer = "The parser treated the **end of the file** as an error. Now it stops there:\n\n" +
	"1. `ReadString` returns `io.EOF` with the last line, so the loop ends instead of failing.\n" +
	"2. Other errors still name the line.\n\n" +
	"```go\nif err == io.EOF {\n\tbreak // the last line has no line break\n}\n```\n\n" +
	"| file | change |\n|---|---|\n| `internal/parse/parse.go` | stops at the end |\n| `internal/parse/parse_test.go` | unchanged |\n\n" +
	"All tests pass. Names like 日本語 or 👨‍👩‍👧‍👦 and שלום stay as they are. See [the docs](https://pkg.go.dev/bufio#Reader.ReadString).\n"

func (a *agent) stream(ctx context.Context, text string) error {
	rate, duration := 200, 5
	if _, err := fmt.Sscanf(text, "stream %d %d", &rate, &duration); err != nil {
		return err
	}
	words := strings.SplitAfter(strings.Repeat(answer, 1), " ")
	begin := time.Now()
	for i := 0; i < rate*duration; i++ {
		a.step(model.EventText, words[i%len(words)])
		if i%len(words) == len(words)-1 {
			a.step(model.EventText, "\n")
		}
		if err := sleep(ctx, time.Until(begin.Add(time.Duration(i+1)*time.Second/time.Duration(rate)))); err != nil {
			return err
		}
	}
	a.step(model.EventText, "\n\nstreamed to the end\n")
	return nil
}

func (a *agent) ask(ctx context.Context) error {
	n, err := a.ui.Ask(ctx, tui.Question{
		Title: "Edit internal/parse/parse.go?", Diff: change,
		Choices: []string{"Yes, once", "Yes, for this session", "Yes, always for this tool", "No"},
	})
	if err != nil {
		return fmt.Errorf("%w: %w", loop.ErrStop, err)
	}
	return a.write(ctx, model.EventText, fmt.Sprintf("You chose **%d**.\n", n+1))
}

func (a *agent) form(ctx context.Context) error {
	r, err := a.ui.Elicit(ctx, "crm", mcp.ElicitParams{
		Message:         "Which customer is it for?",
		RequestedSchema: jsontext.Value(`{"type":"object","properties":{"name":{"type":"string","title":"Customer"},"urgent":{"type":"boolean","default":false}},"required":["name"]}`),
	})
	if err != nil {
		return err
	}
	return a.write(ctx, model.EventText, fmt.Sprintf("The answer is `%s` `%s`.\n", r.Action, r.Content))
}
