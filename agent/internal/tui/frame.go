package tui

import (
	"fmt"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/paint"
)

// part is a piece of the live region. When there is too little room, pieces with a lower rank lose lines first.
type part struct {
	lines []cells.Line
	rank  int
	least int  // lines that stay
	tail  bool // the end is worth more than the beginning
}

// frame puts the live region together.
func (p *program) frame() paint.Frame {
	room := max(p.height-1, 1)
	input, cursor, before, hidden := p.input(room)
	parts := []part{
		{lines: p.transcript.live(p.tick), rank: 4, tail: true},
		{lines: p.status(), rank: 5},
		{lines: p.waiting(), rank: 3, tail: true},
		{lines: []cells.Line{nil, p.look.Dim.Text(strings.Repeat("─", p.width))}, rank: 0, tail: true},
		{lines: input, rank: 9, least: len(input)},
		{lines: p.menu.lines(p.look, p.width), rank: 6},
		{lines: p.footer(), rank: 2},
	}
	fit(parts, room)
	var f paint.Frame
	for i, part := range parts {
		if i == 4 {
			f.Row = len(f.Lines) + cursor
		}
		f.Lines = append(f.Lines, part.lines...)
	}
	f.Before, f.Hidden = before, hidden
	return f
}

// fit shortens pieces until all have room.
func fit(parts []part, room int) {
	total := 0
	for _, part := range parts {
		total += len(part.lines)
	}
	for rank := 0; rank < 10 && total > room; rank++ {
		for i := range parts {
			part := &parts[i]
			if part.rank != rank {
				continue
			}
			cut := min(total-room, len(part.lines)-part.least)
			if cut <= 0 {
				continue
			}
			if part.tail {
				part.lines = part.lines[cut:]
			} else {
				part.lines = part.lines[:len(part.lines)-cut]
			}
			total -= cut
		}
	}
}

// input returns the lines of the editor or of the dialog that is open, and the cursor in them.
func (p *program) input(room int) (lines []cells.Line, cursor int, before cells.Line, hidden bool) {
	if len(p.dialogs) > 0 {
		lines, cursor, before, hidden = p.dialogs[0].lines(p.look, p.width, room)
		if over := len(lines) - room; over > 0 {
			over = min(over, cursor)
			lines, cursor = lines[over:], cursor-over
			lines = lines[:min(len(lines), room)]
		}
		return lines, cursor, before, hidden
	}
	const mark = "❯ "
	style := p.look.Accent
	if strings.HasPrefix(p.editor.Text(), "!") && p.o.Shell != nil {
		style = p.look.Warn
	}
	l := p.editor.Layout(max(p.width-3, 1))
	most := max(min(room-4, room*2/3), 1)
	from := min(max(l.Cursor-most+1, 0), len(l.Rows))
	to := min(from+most, len(l.Rows))
	for i, row := range l.Rows[from:to] {
		first := style.Text(mark)
		if from+i > 0 {
			first = cells.Line{{Text: "  "}}
		}
		lines = append(lines, cells.Join(first, cells.Line{{Text: row}}))
	}
	if p.editor.Empty() {
		lines[0] = cells.Join(lines[0], p.look.Dim.Text(p.placeholder()))
	}
	cursor = l.Cursor - from
	before = cells.Join(lines[cursor][:1], cells.Line{{Text: l.Before}})
	return lines, cursor, before, false
}

func (p *program) placeholder() string {
	if p.work != nil {
		return "say something meanwhile"
	}
	return "ask anything · / commands · @ files · ! shell"
}

// status is the line about what goes on.
func (p *program) status() []cells.Line {
	if p.work == nil || len(p.dialogs) > 0 {
		return nil
	}
	phase := p.transcript.phase
	if !p.work.prompt || phase == "" {
		phase = p.work.name
	}
	if took := p.o.Now().Sub(p.work.since).Truncate(time.Second); took > 0 {
		phase += " " + seconds(took)
	}
	line := cells.Join(p.look.Accent.Text(spinner[p.tick%len(spinner)]+" "), cells.Line{{Text: phase}}, p.look.Dim.Text(" · esc to interrupt"))
	if !p.editor.Empty() && p.work.prompt {
		line = cells.Join(line, p.look.Dim.Text(" · enter says it now · tab queues it"))
	}
	lines := []cells.Line{nil, line}
	if retry := p.transcript.retry; retry != "" {
		lines = append(lines, p.look.Warn.Text("  "+retry))
	}
	return lines
}

// waiting are the lines about what the user said and the model has not heard yet.
func (p *program) waiting() []cells.Line {
	var lines []cells.Line
	for _, s := range p.said {
		mark := "  queued: "
		if s.steer {
			mark = "  next: "
		}
		lines = append(lines, p.look.Dim.Text(mark+result.OneLine(s.text, 300)))
	}
	return lines
}

// footer is about the project, the model and what the conversation has used.
func (p *program) footer() []cells.Line {
	state := p.o.State()
	where := p.o.Dir
	if rest, ok := strings.CutPrefix(where, p.o.Home); ok && p.o.Home != "" && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		where = "~" + rest
	}
	where = result.OneLine(where, 500)
	if branch := result.OneLine(p.o.Branch(), 100); branch != "" {
		where += " (" + branch + ")"
	}
	right := result.OneLine(state.Model, 100)
	if state.Level != "" {
		right = strings.TrimPrefix(right+" · "+string(state.Level), " · ")
	}
	if state.Mode != "" {
		right = strings.TrimPrefix(right+" · "+result.OneLine(state.Mode, 40), " · ")
	}
	second, session := p.usage(state.Context), result.OneLine(state.Session, 60)
	if p.hint != "" {
		return []cells.Line{p.sides(where, right), p.look.Warn.Text(p.hint)}
	}
	if cells.Width(second)+cells.Width(session)+2 > p.width {
		session = ""
	}
	second = cells.Cut(cells.Line{{Text: second}}, p.width).Plain()
	return []cells.Line{p.sides(where, right), p.sides(second, session)}
}

// sides puts one text at the left and one at the right, as far as both have room; the right one matters more.
func (p *program) sides(left, right string) cells.Line {
	right = cells.Cut(cells.Line{{Text: right}}, p.width).Plain()
	free := p.width - cells.Width(right)
	if right != "" {
		free -= 2
	}
	const least = 8 // What is shorter says nothing.
	if cells.Width(left) > free && free < least {
		left = ""
	}
	if left = cells.CutLeft(left, free); left == "" {
		return p.look.Dim.Text(right)
	}
	if right == "" {
		return p.look.Dim.Text(left)
	}
	gap := p.width - cells.Width(left) - cells.Width(right)
	return p.look.Dim.Text(left + strings.Repeat(" ", max(gap, 1)) + right)
}

// usage tells of context, tokens and cost.
func (p *program) usage(window int64) string {
	if p.agent == nil {
		return ""
	}
	t := p.agent.Totals()
	var parts []string
	if window > 0 {
		parts = append(parts, fmt.Sprintf("%d%% of %s", t.Context*100/window, count(window)))
	}
	parts = append(parts, fmt.Sprintf("$%.2f", t.Cost))
	if t.Requests > 0 {
		used := fmt.Sprintf("↑%s ↓%s", count(t.Usage.Input+t.Usage.CacheWrite), count(t.Usage.Output))
		if t.Usage.CacheRead > 0 {
			used += fmt.Sprintf(" cached %s", count(t.Usage.CacheRead))
		}
		parts = append(parts, used)
	}
	return strings.Join(parts, " · ")
}
