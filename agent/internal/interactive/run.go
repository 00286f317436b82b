package interactive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/instructions"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/tui"
	"github.com/elyra-go/elyra/agent/internal/workspace"
)

// Options configure Run. Core, Open, Input and Output are needed.
type Options struct {
	// Core is how to open the agent. What asks and tells is set here.
	Core core.Options
	// Open reads the configuration anew.
	Open func(ctx context.Context) (*workspace.Workspace, error)

	Input, Output *os.File
	Environ       []string
	Plain         bool
	Prompt        string // said to the model at the start, "" for nothing
	Title         string
	Browse        func(url string) error
	// Attach makes what the model gets of a text that names files with @.
	Attach func(text string) ([]model.Block, error)
}

// desk is the agent at work and the interface that it is seen through. The agent changes with the session.
type desk struct {
	o  Options
	ui *tui.UI

	mu   sync.Mutex
	core *core.Core
	plan bool
}

// Run talks with the user until they leave.
func Run(ctx context.Context, o Options) (err error) {
	d := &desk{o: o}
	uo := tui.Options{
		Dir: o.Core.Workspace.Project, Home: o.Core.UserHome, Input: o.Input, Output: o.Output, Environ: o.Environ, Plain: o.Plain,
		Title: o.Title, Prompt: o.Prompt, Browse: o.Browse, Content: o.Attach,
		State: d.state, Branch: func() string { return instructions.Branch(o.Core.Workspace.Project) },
		Models: d.models(), Sessions: d.sessions(), Keys: map[string]string{"shift+tab": "/plan"},
		Outcome: outcome, Describe: d.describe, Files: d.files, Shell: d.shell,
	}
	uo.Commands = d.commands()
	templates, notes := d.templates(uo.Commands)
	uo.Commands = append(uo.Commands, templates...)
	uo.More = d.prompts
	d.ui = tui.New(uo)
	for _, n := range notes {
		d.ui.Notice(n)
	}
	first, err := d.open(ctx, o.Core.Session)
	if err != nil {
		return err
	}
	err = d.ui.Run(ctx, first)
	return errors.Join(err, d.current().Close())
}

// open opens an agent in a session, in the place of the one before.
func (d *desk) open(ctx context.Context, choice core.Choice) (*core.Core, error) {
	o := d.o.Core
	o.Session = choice
	o.Ask, o.Elicit, o.Notice, o.On = d.approve, d.ui.Elicit, d.ui.Notice, d.ui.On
	o.Offer = d.offer
	next, err := core.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	before := d.core
	d.core, d.plan = next, false
	d.mu.Unlock()
	if before != nil {
		if err := before.Close(); err != nil {
			d.ui.Notice(fmt.Sprintf("the session before did not end well: %v", err))
		}
	}
	return next, nil
}

func (d *desk) current() *core.Core {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.core
}

// state is what the footer shows.
func (d *desk) state() tui.State {
	c := d.current()
	if c == nil {
		return tui.State{}
	}
	spec, level := c.Model()
	s := tui.State{Model: spec.String(), Context: spec.Context, Level: level}
	if c.Session != nil {
		s.Session = c.Session.ID()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.plan {
		s.Mode = "plan"
	}
	return s
}
