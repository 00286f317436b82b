package tui

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

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
