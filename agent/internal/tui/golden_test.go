package tui

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const change = `--- a/parse.go
+++ b/parse.go
@@ -40,4 +40,7 @@ func Parse(r io.Reader) (*File, error) {
 	for {
 		line, err := in.ReadString('\n')
-		if err != nil {
+		if err == io.EOF {
+			break
+		}
+		if err != nil {
 			return nil, err
`

// A conversation from its beginning to an error, as terminals of three sizes show it.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{20, 10}, {80, 24}, {160, 50}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			got := conversation(t, size[0], size[1])
			file := filepath.Join("testdata", fmt.Sprintf("golden.%dx%d.txt", size[0], size[1]))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func conversation(t *testing.T, width, height int) string {
	release := make(chan error)
	d := newDesk(t, width, height, func(o *Options) {
		o.Branch = func() string { return "main" }
		o.Outcome = func(c *model.Call, out *loop.Output) Outcome {
			if c.Name == "edit" {
				return Outcome{Summary: "+4 -1", Diff: change}
			}
			return outcome(c, out)
		}
	})
	d.agent.do = func(context.Context, string) error { return <-release }
	var b strings.Builder
	shot := func(title string) { fmt.Fprintf(&b, "=== %s\n%s", title, d.screen()) }

	shot("start")
	d.keys("'fix the parser, please", "shift+enter", "'and 日本語 👨‍👩‍👧‍👦 שלום")
	shot("written")
	d.keys("enter")
	bash, edit := call("1", "bash", `{"command":"go test ./..."}`), call("2", "edit", `{"path":"parse.go"}`)
	d.events(prompted("fix the parser, please\nand 日本語 👨‍👩‍👧‍👦 שלום"), loop.Event{Kind: loop.KindRequest}, step(model.EventThinking, "The parser has to stop at the end of the file."))
	d.now = d.now.Add(4 * time.Second)
	d.drain()
	shot("thinking")
	d.events(says("I run the **tests** first, to see what fails and\nwhere it does.\n\n- one\n- tw"))
	d.keys("'hurry up")
	shot("streaming, with something written")
	d.keys("tab")
	d.events(loop.Event{Kind: loop.KindMessage, Message: &model.Message{Stop: model.StopCalls}}, calls(bash), prints(bash, "--- FAIL: TestParse\n"), prints(bash, "    parse_test.go:14: EOF\n"))
	d.now = d.now.Add(3 * time.Second)
	d.drain()
	shot("running, with something queued")
	d.events(results(bash, "--- FAIL: TestParse\n    parse_test.go:14: EOF\n1\n2\n3\n4\n5\nFAIL", true))
	asked := make(chan error, 1)
	go func() {
		_, err := d.ui.Ask(t.Context(), Question{Title: "Edit parse.go?", Diff: change, Choices: []string{"Yes", "Yes, for this session", "No"}})
		asked <- err
	}()
	d.until("a question", func() bool { return len(d.p.dialogs) > 0 })
	d.now = d.now.Add(time.Second)
	d.keys("down")
	shot("asked")
	d.keys("enter")
	if err := <-asked; err != nil {
		t.Error(err)
	}
	d.agent.totals = loop.Totals{Usage: model.Usage{Input: 1200, Output: 345, CacheRead: 20_000}, Cost: 0.1234, Requests: 2, Context: 21_000}
	d.events(calls(edit), results(edit, "done", false), says("It **stops** now:\n\n```go\nbreak // at the end\n```\n"))
	d.agent.Unqueue()
	release <- errors.New("the key is not accepted: set a key with elyra auth")
	d.settle()
	shot("done, with an error")
	return b.String()
}
