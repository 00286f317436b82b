package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
)

// spinner are the pictures of the sign that something goes on.
var spinner = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// live returns the lines of what is still going on, the most important at the end.
func (t *transcript) live(tick int) []cells.Line {
	var lines []cells.Line
	if !t.thinking.IsZero() {
		lines = append(lines, t.thoughts()...)
	}
	if t.stream != nil {
		lines = append(lines, t.stream.Tail()...)
		if t.last == streaming {
			return lines
		}
	}
	for _, r := range t.calls {
		lines = append(lines, t.running(r, tick)...)
	}
	if t.writing != nil {
		line := cells.Join(t.look.Dim.Text("○ "), t.look.Bold.Text(result.OneLine(t.writing.Name, 100)))
		if t.size > 0 {
			line = cells.Join(line, t.look.Dim.Text(" "+size(t.size)))
		}
		lines = append(lines, line)
	}
	if len(lines) > 0 && t.last != nothing && t.last != streaming {
		lines = append([]cells.Line{nil}, lines...)
	}
	return lines
}

// thoughts returns the end of what is being thought.
func (t *transcript) thoughts() []cells.Line {
	most := 2
	if t.wide {
		most = 12
	}
	text := t.thought.String()
	const enough = 4 << 10
	if len(text) > enough {
		text = strings.ToValidUTF8(text[len(text)-enough:], "")
	}
	style := t.look.Dim.With(t.look.Italic)
	lines := cells.Wrap(style.Text(strings.TrimSpace(result.Clean(text))), t.width, cells.Line{{Text: "  "}}, cells.Line{{Text: "  "}})
	return append([]cells.Line{t.look.Dim.Text("✻ Thinking")}, lines[max(len(lines)-most, 0):]...)
}

// running returns the lines of a call that runs: what it is, and the end of what it prints.
func (t *transcript) running(r *running, tick int) []cells.Line {
	head := cells.Join(t.look.Accent.Text(spinner[tick%len(spinner)]+" "), t.described(r.call))
	if took := t.o.Now().Sub(r.since); took >= 2*time.Second {
		head = cells.Join(head, t.look.Dim.Text(" · "+seconds(took.Truncate(time.Second))))
	}
	lines := []cells.Line{head}
	most := 3
	if t.wide {
		most = 15
	}
	if text := strings.TrimSpace(result.Clean(r.progress)); text != "" {
		all := strings.Split(text, "\n")
		for _, line := range all[max(len(all)-most, 0):] {
			lines = append(lines, t.look.Dim.Text("  "+cells.Expand(line)))
		}
	}
	return lines
}

// size shows a number of bytes.
func size(n int) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1000)
}

// count shows a number of tokens.
func count(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprint(n)
	case n < 100_000:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	case n < 1_000_000:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}
