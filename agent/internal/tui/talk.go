package tui

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/editor"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/terminal"
)

// talking is a question whose answer is typed. terminal.Asker leads the conversation.
type talking interface {
	asked
	lead(a *terminal.Asker)
	cancel()
}

func (q eliciting) lead(a *terminal.Asker) { q.reply(a.Ask(q.ctx, q.server, q.params)) }
func (q eliciting) cancel()                { q.reply(mcp.ElicitResult{Action: mcp.ElicitCancel}, nil) }

func (q typing) lead(a *terminal.Asker) { q.reply(a.Line(q.ctx, terminal.Visible(q.prompt))) }
func (q typing) cancel()                { q.reply("", ErrDismissed) }

// talk shows what the Asker says, as any other terminal does, and a line is typed for it.
type talk struct {
	base
	talking
	said   []string // lines of the Asker
	open   string   // its line that has not ended
	typed  *editor.Editor
	device *device
}

// talkOutput is what an Asker has written.
type talkOutput struct {
	talk *talk
	text string
}

func newTalk(p *program, q talking) *talk {
	t := &talk{talking: q, typed: editor.New(nil)}
	t.device = newDevice(func(text string) { p.ui.queue.put(talkOutput{t, text}) })
	asker := terminal.Asker{Program: "elyra", Notices: io.Discard, Browse: p.o.Browse, Open: func() (terminal.Device, error) { return t.device, nil }}
	p.ui.work.Go(func() {
		q.lead(&asker)
		p.ui.queue.put(withdrawn{q.id()})
	})
	return t
}

// output takes words of the Asker, which are visible already.
func (t *talk) output(text string) {
	const most = 500
	lines := strings.Split(t.open+text, "\n")
	t.said, t.open = append(t.said, lines[:len(lines)-1]...), lines[len(lines)-1]
	t.said = t.said[max(len(t.said)-most, 0):]
}

func (t *talk) dismiss() {
	t.cancel()
	_ = t.device.Close()
}

func (t *talk) paste(text string) { t.typed.Insert(strings.ReplaceAll(text, "\n", " ")) }

func (t *talk) lines(l *look.Look, width, room int) ([]cells.Line, int, cells.Line, bool) {
	var lines []cells.Line
	for i, line := range t.said {
		style := cells.Style("")
		if i == 0 {
			style = l.Bold
		}
		first := cells.Line{{Text: "  "}}
		if i == 0 {
			first = l.Warn.Text("? ")
		}
		lines = append(lines, cells.Wrap(style.Text(line), width, first, cells.Line{{Text: "  "}})...)
	}
	if most := max(room-2, 1); len(lines) > most {
		lines = lines[len(lines)-most:]
	}
	prompt := l.Accent.Text(t.open)
	layout := t.typed.Layout(max(width-prompt.Width()-1, 4))
	lines = append(lines, cells.Join(prompt, cells.Line{{Text: layout.Rows[layout.Cursor]}}))
	cursor := len(lines) - 1
	return append(lines, cells.Cut(l.Dim.Text("  enter answers · esc cancels"), width)), cursor, cells.Join(prompt, cells.Line{{Text: layout.Before}}), false
}

func (t *talk) key(k tea.KeyPressMsg) bool {
	switch name := k.String(); name {
	case "enter":
		line := t.typed.Value()
		t.typed.Reset()
		t.output(line + "\n")
		t.device.answer(line + "\n")
	case "esc":
		t.dismiss()
		return true
	case "backspace", "ctrl+h":
		t.typed.Backspace()
	case "delete":
		t.typed.Delete()
	case "left":
		t.typed.Left()
	case "right":
		t.typed.Right()
	case "home", "ctrl+a":
		t.typed.Home()
	case "end", "ctrl+e":
		t.typed.End()
	case "ctrl+u":
		t.typed.KillLeft()
	case "ctrl+w":
		t.typed.KillWordLeft()
	default:
		if k.Text != "" && k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
			t.typed.Insert(k.Text)
		}
	}
	return false
}

// device is the terminal that an Asker writes to and reads lines from.
type device struct {
	write func(text string)

	mu     sync.Mutex
	fresh  sync.Cond
	lines  bytes.Buffer
	closed bool
	late   bool // a deadline has passed
}

func newDevice(write func(string)) *device {
	d := &device{write: write}
	d.fresh.L = &d.mu
	return d
}

func (d *device) answer(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines.WriteString(line)
	d.fresh.Broadcast()
}

func (d *device) Write(p []byte) (int, error) {
	d.write(string(p))
	return len(p), nil
}

func (d *device) Read(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.lines.Len() == 0 {
		switch {
		case d.closed:
			return 0, io.EOF
		case d.late:
			return 0, os.ErrDeadlineExceeded
		}
		d.fresh.Wait()
	}
	return d.lines.Read(p)
}

// SetReadDeadline ends a read at once when the time is past, which is all that an Asker asks for.
func (d *device) SetReadDeadline(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.late = !t.IsZero() && t.Before(time.Now())
	d.fresh.Broadcast()
	return nil
}

// Close ends the input.
func (d *device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	d.fresh.Broadcast()
	return nil
}
