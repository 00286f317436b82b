package tui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
	"github.com/elyra-go/elyra/internal/mcp"
)

const (
	frameTime = 33 * time.Millisecond // between two looks at what has happened
	endTime   = 5 * time.Second       // for the work to end after the user has quit
)

// UI is the interface at one terminal. It is made before the conversation, since that asks and tells it.
type UI struct {
	o     Options
	queue *queue
	work  sync.WaitGroup // what was started for the user

	mu      sync.Mutex
	running bool
}

// New returns an interface that does not run yet.
func New(o Options) *UI { return &UI{o: o.withDefaults(), queue: newQueue()} }

// Run is New and Run for a conversation that neither asks nor is followed.
func Run(ctx context.Context, o Options, agent Agent) error { return New(o).Run(ctx, agent) }

// On takes what happens in the conversation; it is meant for loop.Options.On.
func (u *UI) On(e loop.Event) { u.queue.put(e) }

// Notice shows a line of the program's own.
func (u *UI) Notice(text string) { u.queue.put(loop.Event{Kind: loop.KindNotice, Text: text}) }

// Run talks with the user until they quit or ctx ends. Work that still goes on then is cancelled and waited for.
func (u *UI) Run(ctx context.Context, agent Agent) error {
	if u.o.Input == nil || u.o.Output == nil || !term.IsTerminal(u.o.Input.Fd()) || !term.IsTerminal(u.o.Output.Fd()) {
		return ErrNoTerminal
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	u.set(true)
	var err error
	if u.o.Plain || plainTerminal(u.o.Environ) {
		err = newPlain(ctx, u, agent, u.o.Input, u.o.Output).run()
	} else {
		err = u.redraw(ctx, agent)
	}
	u.set(false)
	cancel()
	u.turnAway(u.queue.close())
	return errors.Join(err, u.wait())
}

// redraw runs the interface that redraws.
func (u *UI) redraw(ctx context.Context, agent Agent) error {
	p := newProgram(ctx, u, agent, u.o.Output)
	if width, height, err := term.GetSize(u.o.Output.Fd()); err == nil {
		p.resize(width, height)
	}
	t := tea.NewProgram(p, tea.WithContext(ctx), tea.WithInput(u.o.Input), tea.WithOutput(silent{u.o.Output}), tea.WithEnvironment(u.o.Environ),
		tea.WithColorProfile(profile(look.Detect(u.o.Environ))), tea.WithFPS(1))
	if err := p.start(); err != nil {
		return fmt.Errorf("set up the terminal: %w", err)
	}
	pumping, stop := context.WithCancel(ctx)
	var pump sync.WaitGroup
	pump.Go(func() { u.pump(pumping, t) })
	_, err := t.Run()
	stop()
	pump.Wait()
	p.cancelWork()
	if stopErr := p.paint.Stop(); err == nil {
		err = stopErr
	}
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil || errors.Is(err, tea.ErrInterrupted) {
		return nil // Told to end from outside.
	}
	return err
}

// pump passes on what has happened, a frame's worth at a time.
func (u *UI) pump(ctx context.Context, t *tea.Program) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-u.queue.wake:
		}
		if items := u.queue.take(); len(items) > 0 {
			t.Send(batch(items))
		}
		pause.Reset(frameTime)
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
	}
}

// wait waits for what was started for the user.
func (u *UI) wait() error {
	ended := make(chan struct{})
	go func() { u.work.Wait(); close(ended) }()
	select {
	case <-ended:
		return nil
	case <-time.After(endTime):
		return fmt.Errorf("the work at hand has not ended within %s after it was cancelled", endTime)
	}
}

func (u *UI) set(running bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.running = running
}

// Ask puts a question and returns the index of what the user chose.
func (u *UI) Ask(ctx context.Context, q Question) (choice int, err error) {
	return ask[int](ctx, u, func(a *answer[int]) any { return question{q, a} })
}

// Pick lets the user pick one of several things and returns its index.
func (u *UI) Pick(ctx context.Context, title string, items []Item) (int, error) {
	return ask[int](ctx, u, func(a *answer[int]) any { return picking{title, items, a} })
}

// Elicit puts a question of an MCP server: a form or a web address. It is declined when nobody can be asked.
func (u *UI) Elicit(ctx context.Context, server string, p mcp.ElicitParams) (mcp.ElicitResult, error) {
	r, err := ask[mcp.ElicitResult](ctx, u, func(a *answer[mcp.ElicitResult]) any { return eliciting{server, p, a} })
	switch {
	case errors.Is(err, ErrClosed):
		return mcp.ElicitResult{Action: mcp.ElicitDecline}, nil
	case ctx.Err() != nil || errors.Is(err, ErrDismissed):
		return mcp.ElicitResult{Action: mcp.ElicitCancel}, nil
	}
	return r, err
}

// Line asks for a line of text, without the spaces around it. What is before the last line of the prompt is shown above.
func (u *UI) Line(ctx context.Context, prompt string) (string, error) {
	return ask[string](ctx, u, func(a *answer[string]) any { return typing{prompt, a} })
}

// answer is where an answer is waited for.
type answer[T any] struct {
	ctx  context.Context // of who asks
	give chan given[T]   // holds one
}

type given[T any] struct {
	value T
	err   error
}

// reply gives the answer; only the first counts.
func (a *answer[T]) reply(value T, err error) {
	select {
	case a.give <- given[T]{value, err}:
	default:
	}
}

// waits returns the context of who asks.
func (a *answer[T]) waits() context.Context { return a.ctx }

// id tells questions apart.
func (a *answer[T]) id() any { return a }

func (a *answer[T]) refuse(err error) {
	var zero T
	a.reply(zero, err)
}

// asked is a question that somebody waits for.
type asked interface {
	waits() context.Context
	id() any
	refuse(err error)
}

type (
	question struct {
		Question
		*answer[int]
	}
	picking struct {
		title string
		items []Item
		*answer[int]
	}
	eliciting struct {
		server string
		params mcp.ElicitParams
		*answer[mcp.ElicitResult]
	}
	typing struct {
		prompt string
		*answer[string]
	}
	withdrawn struct{ id any } // nobody waits for the answer any more
)

func ask[T any](ctx context.Context, u *UI, message func(*answer[T]) any) (T, error) {
	var zero T
	u.mu.Lock()
	running := u.running
	u.mu.Unlock()
	if !running {
		return zero, ErrClosed
	}
	a := &answer[T]{ctx, make(chan given[T], 1)}
	if !u.queue.put(message(a)) {
		return zero, ErrClosed
	}
	select {
	case g := <-a.give:
		return g.value, g.err
	case <-ctx.Done():
		u.queue.put(withdrawn{a})
		return zero, ctx.Err()
	}
}

// turnAway answers questions that nobody will see.
func (u *UI) turnAway(items []any) {
	for _, item := range items {
		if q, ok := item.(asked); ok {
			q.refuse(ErrClosed)
		}
	}
}
