package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
)

// Messages to the program loop.
type (
	batch      []any
	tickMsg    struct{}
	frameMsg   struct{}
	settledMsg struct{}
	filesMsg   []string
)

// What work tells when it has ended.
type (
	promptDone  struct{ err error }
	faulted     struct{ err error }
	commandDone struct {
		name   string
		result Result
		err    error
	}
	shellDone struct {
		command, output string
		err             error
	}
)

// Update takes a message, then draws what has changed.
func (p *program) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := p.handle(msg)
	return p, tea.Batch(cmd, p.animate(), p.draw())
}

func (p *program) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		p.resize(msg.Width, msg.Height)
	case tea.BackgroundColorMsg:
		p.settle(msg.IsDark())
	case settledMsg:
		p.settle(p.dark)
	case tea.KeyPressMsg:
		return p.key(msg)
	case tea.PasteMsg:
		p.pasted(msg.Content)
		return p.complete()
	case tea.ResumeMsg:
		p.suspended = false
		_ = p.start()
	case tickMsg:
		p.ticking = false
		p.tick++
	case frameMsg:
		p.painting = false
	case filesMsg:
		p.files.set(msg, p.o.Now())
		return p.complete()
	case batch:
		return p.batch(msg)
	}
	return nil
}

// settle takes the colour of the background, once, and begins.
func (p *program) settle(dark bool) {
	if p.settled {
		return
	}
	p.settled, p.dark = true, dark
	*p.look = look.New(p.colors, dark)
	p.welcome()
}

func (p *program) resize(width, height int) {
	if width <= 0 || height <= 0 {
		return
	}
	p.width, p.height = width, height
	p.paint.Resize(width)
	p.transcript.resize(width)
}

func (p *program) pasted(text string) {
	if len(p.dialogs) > 0 {
		p.dialogs[0].paste(text)
		return
	}
	p.editor.Paste(text)
}

// batch takes what has happened since the last one.
func (p *program) batch(items []any) tea.Cmd {
	var cmds []tea.Cmd
	for _, item := range items {
		switch item := item.(type) {
		case loop.Event:
			p.event(item)
		case faulted:
			p.faulted(item.err)
		case promptDone:
			p.promptDone(item.err)
		case commandDone:
			cmds = append(cmds, p.commandDone(item))
		case shellDone:
			p.shellDone(item)
		case shellProgress:
			p.shellProgress(string(item))
		case withdrawn:
			p.withdraw(item.id)
		case talkOutput:
			item.talk.output(item.text)
		case asked:
			p.open(item)
		}
	}
	return tea.Batch(cmds...)
}

// event takes what happens in the conversation. What the user said is not waiting any more when it is taken in.
func (p *program) event(e loop.Event) {
	if e.Kind == loop.KindPrompt {
		text := e.Message.String()
		for i, s := range p.said {
			if strings.HasPrefix(text, s.text) || strings.HasSuffix(text, s.text) { // Files and what commands printed come along.
				p.said = append(p.said[:i:i], p.said[i+1:]...)
				break
			}
		}
	}
	p.transcript.event(e)
}

// animate makes the sign move while something goes on.
func (p *program) animate() tea.Cmd {
	if p.work == nil || p.ticking || p.suspended {
		return nil
	}
	p.ticking = true
	return tea.Tick(spinnerTime, func(time.Time) tea.Msg { return tickMsg{} })
}

// draw paints a frame now, or soon after the last one.
func (p *program) draw() tea.Cmd {
	if p.painting || p.suspended {
		return nil
	}
	now := time.Now()
	if wait := paintTime - now.Sub(p.painted); wait > 0 {
		p.painting = true
		return tea.Tick(wait, func(time.Time) tea.Msg { return frameMsg{} })
	}
	p.painted = now
	var finished []string
	for _, l := range p.transcript.take() {
		finished = append(finished, l.String())
	}
	if err := p.paint.Paint(finished, p.frame()); err != nil {
		return tea.Quit // The terminal has gone.
	}
	return nil
}
