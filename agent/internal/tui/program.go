package tui

import (
	"context"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
	"github.com/elyra-go/elyra/agent/internal/tui/editor"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
	"github.com/elyra-go/elyra/agent/internal/tui/paint"
)

const (
	themeTime   = 100 * time.Millisecond // for the terminal to tell its background
	spinnerTime = 100 * time.Millisecond
	paintTime   = 16 * time.Millisecond // between two frames
	twiceTime   = 2 * time.Second       // between two presses that mean something together
	bellTime    = 10 * time.Second      // of work, after which its end rings the bell
)

// program is the state of the interface that redraws. All of it belongs to the program loop.
type program struct {
	ctx   context.Context
	ui    *UI
	o     *Options
	agent Agent

	paint         *paint.Painter
	width, height int
	look          *look.Look
	colors        look.Colors
	dark          bool
	settled       bool // the background is known, or will not be

	transcript *transcript
	editor     *editor.Editor
	menu       menu
	files      files
	dialogs    []dialog // the first is shown

	work   *work  // nil: nothing goes on
	said   []said // not taken in yet
	shells []string

	hint      string // shown in place of the footer's second line until the next key
	escaped   time.Time
	broken    time.Time
	typed     time.Time
	tick      int
	ticking   bool
	painted   time.Time
	painting  bool // a frame is due
	suspended bool
}

// work is something that goes on for the user.
type work struct {
	name   string
	cancel context.CancelFunc
	since  time.Time
	prompt bool // the agent works on it
}

// said is something the user said while the agent worked.
type said struct {
	text  string
	steer bool
}

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

func newProgram(ctx context.Context, u *UI, agent Agent, w io.Writer) *program {
	p := &program{
		ctx: ctx, ui: u, o: &u.o, agent: agent, width: 80, height: 24, dark: darkByEnvironment(u.o.Environ),
		editor: editor.New(u.o.Past), paint: paint.New(w, 80),
	}
	p.colors = look.Detect(u.o.Environ)
	l := look.New(p.colors, p.dark)
	p.look = &l
	p.transcript = newTranscript(p.o, p.look, p.width)
	return p
}

// start sets up the terminal and asks it for its background.
func (p *program) start() error {
	query := ""
	if p.colors != look.None {
		query = "\x1b]11;?\x1b\\"
	}
	return p.paint.Start(query)
}

// Init waits for the background, which the first lines are made for.
func (p *program) Init() tea.Cmd {
	if p.colors == look.None {
		p.settle(p.dark)
		return nil
	}
	return tea.Tick(themeTime, func(time.Time) tea.Msg { return settledMsg{} })
}

// View is empty: what is to be seen is painted by draw.
func (p *program) View() tea.View { return tea.View{} }

func (p *program) welcome() {
	if p.o.Title != "" {
		p.transcript.put(speech, cells.Wrap(p.look.Heading.Text(p.o.Title), p.width, nil, nil)...)
	}
	if p.o.Welcome != "" {
		p.transcript.markdown(p.o.Welcome)
	}
	if p.agent != nil {
		p.transcript.history(p.agent.History())
	}
	switch {
	case p.isCommand(p.o.Prompt):
		p.command(p.o.Prompt)
	case p.o.Prompt != "":
		p.prompt(p.o.Prompt)
	}
}

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

// bell calls the user back.
func (p *program) bell() {
	if p.o.Bell {
		_ = p.paint.Raw("\a")
	}
}

// content makes what the model gets of what the user wrote, with what commands of the user have printed.
func (p *program) content(text string) ([]model.Block, error) {
	content, err := p.o.Content(text)
	if err != nil {
		return nil, err
	}
	for _, s := range p.shells {
		content = append(content, model.Text(s))
	}
	p.shells = nil
	return content, nil
}
