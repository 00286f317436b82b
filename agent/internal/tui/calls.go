package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/diff"
)

const (
	foldText = 4  // lines of a result's text that are shown
	foldDiff = 40 // lines of a difference that are shown

	// maxProgress bounds what is kept of what a running call prints, in bytes.
	maxProgress = 8 << 10
)

// running is a call that runs.
type running struct {
	call     *model.Call
	since    time.Time
	progress string
}

func (t *transcript) progress(c *model.Call, text string) {
	for _, r := range t.calls {
		if r.call.ID == c.ID {
			r.progress += text
			if over := len(r.progress) - maxProgress; over > 0 {
				r.progress = strings.ToValidUTF8(r.progress[over:], "")
			}
		}
	}
}

// result shows what a call came to.
func (t *transcript) result(c *model.Call, out *loop.Output) {
	took := time.Duration(0)
	for i, r := range t.calls {
		if r.call.ID == c.ID {
			took = t.o.Now().Sub(r.since)
			t.calls = append(t.calls[:i:i], t.calls[i+1:]...)
			break
		}
	}
	t.call(c, out, took)
}

// call shows a call that has ended.
func (t *transcript) call(c *model.Call, out *loop.Output, took time.Duration) {
	shown := t.o.Outcome(c, out)
	mark, style := t.look.Good, t.look.Dim
	if out.IsError {
		mark, style = t.look.Bad, t.look.Bad
	}
	summary := result.OneLine(shown.Summary, 300)
	if took >= 5*time.Second {
		summary = strings.TrimPrefix(summary+" · "+seconds(took), " · ")
	}
	sign := "● "
	if out.IsError {
		sign = "✗ "
	}
	head := cells.Join(mark.Text(sign), t.described(c))
	if summary != "" {
		if rest := t.width - head.Width() - 3; rest < cells.Width(summary) && rest < 12 {
			head = cells.Cut(head, max(t.width-min(cells.Width(summary), t.width/2)-3, 1))
		}
		head = cells.Join(head, t.look.Dim.Text(" · "), style.Text(summary))
	}
	lines := []cells.Line{cells.Cut(head, t.width)}
	body, full := t.body(shown)
	lines = append(lines, body...)
	kind := shortCall
	if len(lines) > 1 {
		kind = longCall
	}
	t.put(kind, lines...)
	if full != nil {
		t.fold(t.described(c).Plain(), full)
	}
}

// body returns what is shown below the line of a call, and what shows all of it when that is not all.
func (t *transcript) body(shown Outcome) (lines []cells.Line, full func(int) []cells.Line) {
	if shown.Diff != "" {
		lines = diff.Render(t.look, max(t.width-2, 1), shown.Diff)
		lines, full = t.shorten(lines, foldDiff, func(width int) []cells.Line { return diff.Render(t.look, width, shown.Diff) })
	}
	if text := strings.Trim(result.Clean(shown.Text), "\n"); text != "" {
		all := func(width int) []cells.Line {
			var all []cells.Line
			for line := range strings.SplitSeq(text, "\n") {
				all = append(all, cells.Wrap(cells.Line{{Text: line}}, width, nil, nil)...)
			}
			return all
		}
		var part []cells.Line
		for line := range strings.SplitSeq(text, "\n") {
			part = append(part, cells.Cut(t.look.Dim.Text(cells.Expand(line)), max(t.width-2, 1)))
		}
		short, rest := t.shorten(part, foldText, all)
		lines = append(lines, short...)
		if full == nil {
			full = rest
		}
	}
	for i, l := range lines {
		lines[i] = cells.Join(cells.Line{{Text: "  "}}, l)
	}
	return lines, full
}

// shorten keeps the first lines, and says how many there are more.
func (t *transcript) shorten(lines []cells.Line, most int, full func(int) []cells.Line) ([]cells.Line, func(int) []cells.Line) {
	if len(lines) <= most+1 {
		return lines, nil
	}
	more := cells.Cut(t.look.Dim.Text(fmt.Sprintf("… %d more lines (ctrl+o shows them)", len(lines)-most)), max(t.width-2, 1))
	return append(lines[:most:most], more), full
}

// described is the line about a call, with its first word set off.
func (t *transcript) described(c *model.Call) cells.Line {
	name, about, _ := strings.Cut(result.OneLine(t.o.Describe(c), 300), " ")
	line := t.look.Bold.Text(name)
	if about != "" {
		line = append(line, cells.Span{Text: " " + about})
	}
	return line
}

// describe is what is said of a call when nobody knows better.
func describe(c *model.Call) string {
	args := string(c.Arguments)
	if args == "" || args == "{}" {
		args = c.Raw
	}
	return c.Name + " " + args
}

// outcome is what is shown of a result when nobody knows better.
func outcome(_ *model.Call, out *loop.Output) Outcome {
	text, images := "", 0
	for _, b := range out.Content {
		text += b.Text
		if b.Image != nil {
			images++
		}
	}
	text = strings.TrimSpace(text)
	lines := strings.Count(text, "\n") + 1
	switch {
	case out.IsError:
		first, rest, _ := strings.Cut(text, "\n")
		return Outcome{Summary: first, Text: rest}
	case images > 0:
		return Outcome{Summary: fmt.Sprintf("%d images", images), Text: text}
	case lines == 1:
		return Outcome{Summary: text}
	}
	return Outcome{Summary: fmt.Sprintf("%d lines", lines), Text: text}
}

// history shows the end of an earlier conversation.
func (t *transcript) history(messages []model.Message) {
	const most = 60
	if n := len(messages) - most; n > 0 {
		t.note(fmt.Sprintf("… %d earlier messages", n))
		messages = messages[n:]
	}
	results := map[string]*model.Result{}
	for _, m := range messages {
		for _, b := range m.Content {
			if b.Result != nil {
				results[b.Result.CallID] = b.Result
			}
		}
	}
	for _, m := range messages {
		if m.Role == model.User {
			if m.String() != "" {
				t.user(&m)
			}
			continue
		}
		for _, b := range m.Content {
			switch {
			case b.Text != "":
				t.markdown(b.Text)
			case b.Call != nil && results[b.Call.ID] != nil:
				r := results[b.Call.ID]
				t.call(b.Call, &loop.Output{Content: r.Content, IsError: r.IsError}, 0)
			case b.Thinking != nil && b.Thinking.Text != "":
				t.put(speech, t.look.Dim.Text("✻ Thought"))
				t.fold("Thoughts", t.thoughtLines(b.Thinking.Text))
			}
		}
		if m.Stop == model.StopError {
			t.fail(m.Error)
		}
	}
}

// shellOutput shows what a command of the user's printed.
func (t *transcript) shellOutput(output string) {
	if output == "" {
		return
	}
	const most = 30
	lines := strings.Split(result.Clean(output), "\n")
	more := len(lines) - most
	var shown []cells.Line
	for _, line := range lines[max(more, 0):] {
		shown = append(shown, cells.Wrap(cells.Line{{Text: line}}, t.width, cells.Line{{Text: "  "}}, cells.Line{{Text: "  "}})...)
	}
	if more > 0 {
		shown = append([]cells.Line{t.look.Dim.Text(fmt.Sprintf("  … %d earlier lines", more))}, shown...)
	}
	t.put(shortCall, shown...)
	t.last = speech
}
