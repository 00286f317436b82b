package core

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"

	"github.com/elyra-go/elyra/agent/internal/hooks"
	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/agent/internal/instructions"
	"github.com/elyra-go/elyra/agent/internal/keeper"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/mcptools"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/session"
	"github.com/elyra-go/elyra/agent/internal/tools"
	"github.com/elyra-go/elyra/agent/internal/workspace"
	"github.com/elyra-go/elyra/internal/mcp"
)

// Core is one agent at work in a project. Its methods may be called concurrently.
type Core struct {
	*loop.Agent

	Workspace *workspace.Workspace
	Catalog   *model.Catalog
	Host      *host.Host       // nil: no MCP server is used
	Session   *session.Session // nil: nothing is kept
	Gate      *permission.Gate

	o      Options
	keeper *keeper.Keeper
	tools  []loop.Tool
	table  *describer
	env    tools.Env
	skills []instructions.Skill
	hooks  *hooks.Runner
	late   late

	cleaning     sync.WaitGroup
	stopCleaning context.CancelFunc // nil: nothing was begun

	mu      sync.Mutex
	spec    model.Spec
	level   model.Level
	changed changes
	hosts   hosts
	askers  askers
}

// Open makes an agent. It starts no server and asks no model. The caller closes it.
func Open(ctx context.Context, o Options) (_ *Core, err error) {
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	c := &Core{o: o, Workspace: o.Workspace, keeper: &keeper.Keeper{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	c.Catalog = model.NewCatalog(o.Workspace.Overrides())
	provider, err := c.choose()
	if err != nil {
		return nil, err
	}
	if c.Session, err = c.openSession(); err != nil {
		return nil, err
	}
	c.openKeeper()
	if err := c.openServers(); err != nil {
		return nil, err
	}
	if err := c.openTools(ctx); err != nil {
		return nil, err
	}
	c.openHooks()
	system := c.system(ctx)
	if c.Gate, err = c.openGate(); err != nil {
		return nil, err
	}
	s := o.Workspace.Settings.Settings
	lo := loop.Options{
		Provider: provider, Model: c.spec, Level: c.level, System: system, Tools: append(c.observed(c.tools), o.Lent...),
		Late: func() []loop.Tool { return c.observed(c.late.take()) }, Gate: c.hooked(c.Gate), On: o.On,
		MaxTurns: o.MaxTurns, Reserve: s.Compaction.Reserve, Keep: s.Compaction.Keep,
	}
	if c.Session != nil {
		sum := c.Session.Sum()
		lo.Store, lo.History, lo.Session = c.Session, c.Session.History(), c.Session.ID()
		lo.Spent = loop.Totals{Usage: sum.Usage, Cost: sum.Cost}
	}
	if c.Agent, err = loop.New(lo); err == nil {
		c.clean()
	}
	return c, err
}

// clean removes, beside the work, what no session can use any more.
func (c *Core) clean() {
	if c.Session == nil || c.o.Child {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	c.stopCleaning = stop
	store := c.sessions()
	c.cleaning.Go(func() {
		if _, err := store.Clean(ctx); err != nil && ctx.Err() == nil {
			c.o.Notice(err.Error())
		}
	})
}

// Close ends what the agent has started.
func (c *Core) Close() error {
	var errs []error
	if c.stopCleaning != nil {
		c.stopCleaning()
		c.cleaning.Wait()
	}
	if c.Host != nil {
		errs = append(errs, c.Host.Close())
	}
	errs = append(errs, c.keeper.Close())
	if c.Session != nil {
		errs = append(errs, c.Session.Close())
	}
	return errors.Join(errs...)
}

func (c *Core) sessions() *session.Store {
	return session.New(c.Workspace.Home, session.Options{Summary: loop.Summary})
}

// openSession opens the session that was chosen.
func (c *Core) openSession() (*session.Session, error) {
	choice := c.o.Session
	if choice.None {
		return nil, nil
	}
	store := c.sessions()
	project := c.Workspace.Project
	switch {
	case choice.Continue:
		last, err := store.Latest(project)
		if err != nil {
			return nil, err
		}
		return store.Open(last.Path)
	case choice.ID != "":
		found, err := store.Find(choice.ID)
		if err != nil {
			return nil, err
		}
		return store.Open(found.Path)
	case choice.Fork != "":
		found, err := store.Find(choice.Fork)
		if err != nil {
			return nil, err
		}
		return store.Fork(found.Path, "", project)
	}
	if choice.Owner != "" {
		return store.CreateChild(project, choice.Owner)
	}
	return store.Create(project)
}

// openKeeper makes what ends the processes of this agent should it be killed.
func (c *Core) openKeeper() {
	if c.o.Executable == "" {
		return
	}
	c.keeper = keeper.New(func() *exec.Cmd {
		cmd := exec.Command(c.o.Executable, "keep-processes")
		cmd.Env, cmd.Dir = c.o.Environ, "/"
		return cmd
	})
}

// openServers makes the host of the MCP servers, if they are wanted.
func (c *Core) openServers() error {
	if c.o.NoMCP || c.o.NoTools || c.o.ReadOnly || !c.Workspace.Settings.Uses("mcp") || len(c.Workspace.Enabled()) == 0 {
		return nil
	}
	c.Host = c.Workspace.Host(workspace.HostOptions{
		Info:   mcp.Implementation{Name: "elyra", Title: "Elyra", Version: c.o.Version},
		Keeper: c.keeper, Elicit: c.elicitor(), Offer: c.o.Offer,
		Notice: func(server, text string) { c.o.Notice(fmt.Sprintf("MCP server %q: %s", server, text)) },
	})
	return nil
}

// mcpTools are the tools by which the model uses MCP servers.
func (c *Core) mcpTools(ctx context.Context) []loop.Tool {
	if c.Host == nil {
		return nil
	}
	o := c.MCP()
	tools := mcptools.New(o)
	direct, now, problems := mcptools.NewDirect(ctx, o)
	c.late.direct = direct
	for _, p := range problems {
		c.o.Notice(p)
	}
	return append(tools, now...)
}
