package tui

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/diff"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
	"github.com/elyra-go/elyra/internal/terminal"
)

// readTime passes before a question takes keys: what was pressed earlier was meant for something else.
const readTime = 400 * time.Millisecond

// dialog is a question in the place of the editor.
type dialog interface {
	lines(l *look.Look, width, room int) (lines []cells.Line, cursor int, before cells.Line, hidden bool)
	key(k tea.KeyPressMsg) (done bool)
	paste(text string)
	dismiss()
	since() time.Time
	shown(now time.Time)
	id() any
}

// base is what dialogs have in common.
type base struct{ at time.Time }

func (b *base) since() time.Time    { return b.at }
func (b *base) shown(now time.Time) { b.at = now }
func (*base) paste(string)          {}

// open shows a question, when its turn comes.
func (p *program) open(q asked) {
	if q.waits().Err() != nil {
		return
	}
	var d dialog
	switch q := q.(type) {
	case question:
		d = &choice{question: q}
	case picking:
		d = newPick(q)
	case talking:
		d = newTalk(p, q)
	default:
		return
	}
	if p.dialogs = append(p.dialogs, d); len(p.dialogs) == 1 {
		d.shown(p.o.Now())
		p.menu.close()
		p.bell()
	}
}

// shut takes a dialog away.
func (p *program) shut(d dialog) {
	for i, other := range p.dialogs {
		if other == d {
			p.dialogs = append(p.dialogs[:i:i], p.dialogs[i+1:]...)
			break
		}
	}
	if len(p.dialogs) > 0 {
		p.dialogs[0].shown(p.o.Now())
	}
}

// withdraw takes away a question that nobody waits for any more.
func (p *program) withdraw(id any) {
	for _, d := range p.dialogs {
		if d.id() == id {
			d.dismiss()
			p.shut(d)
			return
		}
	}
}

// choice asks for one of a few answers.
type choice struct {
	base
	question
	at      int
	scrolls int // lines of the difference that are above
}

func (c *choice) dismiss() { c.reply(0, ErrDismissed) }

func (c *choice) lines(l *look.Look, width, room int) ([]cells.Line, int, cells.Line, bool) {
	lines := cells.Wrap(l.Bold.Text(terminal.Visible(result.Clean(c.Title))), width, l.Warn.Text("? "), cells.Line{{Text: "  "}})
	for _, line := range c.Lines {
		lines = append(lines, cells.Wrap(cells.Line{{Text: terminal.Visible(result.Clean(line))}}, width, cells.Line{{Text: "  "}}, cells.Line{{Text: "  "}})...)
	}
	body := diff.Render(l, max(width-2, 1), c.Diff)
	for i := range body {
		body[i] = cells.Join(cells.Line{{Text: "  "}}, body[i])
	}
	lines = append(lines, body...)
	var choices []cells.Line
	for i, text := range c.Choices {
		mark, style := "  ", cells.Style("")
		if i == c.at {
			mark, style = "▸ ", l.Selected
		}
		choices = append(choices, cells.Cut(style.Text(mark+strconv.Itoa(i+1)+". "+result.OneLine(text, 300)), width))
	}
	keys := cells.Cut(l.Dim.Text("  ↑↓ or a number, enter · esc to say something else"), width)
	// What is asked about scrolls when there is too little room for all of it.
	if most := max(room-len(choices)-3, 1); len(lines) > most {
		c.scrolls = min(max(c.scrolls, 0), len(lines)-most)
		left := len(lines) - most - c.scrolls
		lines = lines[c.scrolls : c.scrolls+most]
		note := "  pgup and pgdown scroll"
		if left > 0 {
			note = "  … " + strconv.Itoa(left) + " more lines ·" + note[1:]
		}
		lines = append(lines, cells.Cut(l.Dim.Text(note), width))
	}
	cursor := len(lines) + min(c.at, max(len(choices)-1, 0))
	return append(append(lines, choices...), keys), cursor, nil, true
}

func (c *choice) key(k tea.KeyPressMsg) bool {
	const page = 8
	switch name := k.String(); name {
	case "up", "ctrl+p", "shift+tab":
		c.at = (c.at + len(c.Choices) - 1) % max(len(c.Choices), 1)
	case "down", "ctrl+n", "tab":
		c.at = (c.at + 1) % max(len(c.Choices), 1)
	case "pgup":
		c.scrolls -= page
	case "pgdown", "space":
		c.scrolls += page
	case "enter":
		c.reply(c.at, nil)
		return true
	case "esc":
		c.dismiss()
		return true
	default:
		if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(c.Choices) {
			c.reply(n-1, nil)
			return true
		}
	}
	return false
}

// pick lets the user pick from a list, which what is typed narrows.
type pick struct {
	base
	picking
	filter string
	at     int
	left   []int // the items that are left, by index
}

func newPick(q picking) *pick {
	p := &pick{picking: q}
	p.narrow()
	return p
}

func (p *pick) dismiss() { p.reply(0, ErrDismissed) }

func (p *pick) paste(text string) {
	p.filter += result.OneLine(text, 100)
	p.narrow()
}

func (p *pick) narrow() {
	p.left, p.at = nil, 0
	for i, item := range p.items {
		text := strings.ToLower(item.Name + " " + item.Note + " " + item.ID)
		fits := true
		for word := range strings.FieldsSeq(strings.ToLower(p.filter)) {
			fits = fits && strings.Contains(text, word)
		}
		if fits || item.Always {
			p.left = append(p.left, i)
		}
	}
}

func (p *pick) lines(l *look.Look, width, room int) ([]cells.Line, int, cells.Line, bool) {
	head := cells.Join(l.Warn.Text("? "), l.Bold.Text(result.OneLine(p.title, 200)+": "), cells.Line{{Text: p.filter}})
	lines := []cells.Line{cells.Cut(head, width)}
	before := lines[0]
	most := max(min(room-3, 15), 1)
	from := max(min(p.at-most/2, len(p.left)-most), 0)
	for i, n := range p.left[from:min(from+most, len(p.left))] {
		mark, style := "  ", cells.Style("")
		if from+i == p.at {
			mark, style = "▸ ", l.Selected
		}
		line := style.Text(mark + result.OneLine(p.items[n].Name, 300))
		if note := result.OneLine(p.items[n].Note, 300); note != "" {
			line = cells.Join(line, l.Dim.Text("  "+note))
		}
		lines = append(lines, cells.Cut(line, width))
	}
	if len(p.left) == 0 {
		lines = append(lines, l.Dim.Text("  nothing fits"))
	}
	lines = append(lines, cells.Cut(l.Dim.Text("  "+strconv.Itoa(len(p.left))+" of "+strconv.Itoa(len(p.items))+" · type to narrow, enter, esc"), width))
	return lines, 0, before, false
}

func (p *pick) key(k tea.KeyPressMsg) bool {
	n := len(p.left)
	switch k.String() {
	case "up", "ctrl+p":
		p.at = (p.at + n - 1) % max(n, 1)
	case "down", "ctrl+n", "tab":
		p.at = (p.at + 1) % max(n, 1)
	case "pgup":
		p.at = max(p.at-10, 0)
	case "pgdown":
		p.at = max(min(p.at+10, n-1), 0)
	case "enter":
		if n > 0 {
			p.reply(p.left[p.at], nil)
		}
		return n > 0
	case "esc":
		p.dismiss()
		return true
	case "backspace":
		if r := []rune(p.filter); len(r) > 0 {
			p.filter = string(r[:len(r)-1])
			p.narrow()
		}
	default:
		if k.Text != "" {
			p.filter += result.OneLine(k.Text+"|", 40)
			p.filter = strings.TrimSuffix(p.filter, "|")
			if k.Text == " " {
				p.filter += " "
			}
			p.narrow()
		}
	}
	return false
}
