package elyra

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/confirm"
	"github.com/elyra-go/elyra/internal/live"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
)

// Instance is a running app. Close it when it is no longer needed.
type Instance struct {
	app      *App
	env      *Env
	log      *slog.Logger
	commands *commandSet
	channels channelHub
	live     *live.Registry
	tools    *toolCatalog      // nil without MCP
	server   *mcpserver.Server // nil without MCP

	ctx         context.Context // ends when the instance closes
	cancel      context.CancelFunc
	background  sync.WaitGroup // listeners that run beside their dispatcher
	stopTracing func()

	agentsPaused atomic.Bool
	closedByUser bool // this process serves an agent whose app the user has closed

	mu     sync.Mutex
	closed bool
	calls  sync.WaitGroup
	screen screen
}

// Start checks the app, opens its database, runs its migrations and returns it running, without
// windows. The context bounds the start only.
func (a *App) Start(ctx context.Context, env *Env) (*Instance, error) {
	if a.db == nil && len(a.drivers) > 0 && env.Getenv("DATABASE_URL") != "" {
		a.db = env.Database("", a.drivers...)
	}
	commands, err := a.compile()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", env.AppID, err)
	}
	if err := a.openDatabase(ctx, env); err != nil {
		return nil, fmt.Errorf("start %s: %w", env.AppID, err)
	}
	in := &Instance{
		app: a, env: env, log: env.Log, commands: commands,
		channels: channelHub{log: env.Log}, stopTracing: func() {},
		live: live.New(live.Options{Now: env.Now, Log: env.Log, PerPrincipal: liveLimit, Development: env.development()}),
	}
	in.ctx, in.cancel = context.WithCancel(context.Background())
	if a.db != nil {
		h, _ := in.handle()
		in.stopTracing = h.OnCommit(in.live.Committed)
	}
	if a.mcp != nil {
		keeper, err := confirm.New(env.Rand, env.Now)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("start %s: %w", env.AppID, err), in.Close(ctx))
		}
		in.tools = newToolCatalog(in, keeper)
		in.server = mcpserver.New(in.offer())
	}
	return in, nil
}

// offer is what agents are served: only what there is something of.
func (in *Instance) offer() mcpserver.Options {
	o := mcpserver.Options{
		Info:    mcp.Implementation{Name: in.env.AppID, Title: in.app.title(in.env.AppID), Version: in.env.Version},
		Catalog: in.tools, Log: in.env.Log,
	}
	resources, prompts := newResourceCatalog(in.tools), newPromptCatalog(in.tools)
	if resources != nil {
		o.Resources = resources
	}
	if prompts != nil {
		o.Prompts = prompts
	}
	if resources != nil || prompts != nil {
		o.Completer = newCompleter(resources, prompts, in.env.Now)
	}
	return o
}

// openDatabase makes sure that the database can be used and has the schema of this binary.
func (a *App) openDatabase(ctx context.Context, env *Env) error {
	if a.db == nil {
		return nil
	}
	if err := a.db.PingContext(ctx); err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	if a.migrations == nil {
		return nil
	}
	applied, err := database.Migrate(ctx, a.db, a.migrations, database.MigrateOptions{Log: env.Log})
	if err != nil {
		return err
	}
	if applied > 0 {
		env.Log.Info("database migrated", "migrations", applied)
	}
	return nil
}

// title is what people call the app: the title of its first window.
func (a *App) title(appID string) string {
	if len(a.windows) > 0 && a.windows[0].Title != "" {
		return a.windows[0].Title
	}
	return appID
}

// Call runs a command as origin would: args is a JSON object of the arguments by name, or empty;
// the result is JSON. The error is a [ValidationError], a [*NotAllowedError], an
// [*UnknownCommandError], or the command's own.
func (in *Instance) Call(ctx context.Context, origin Origin, name string, args []byte) ([]byte, error) {
	return in.call(ctx, origin, name, func(c *command) (*prepared, error) { return in.commands.prepare(c, args) })
}

// call runs a command whose arguments prepare reads, once it is known that origin may call it.
func (in *Instance) call(ctx context.Context, origin Origin, name string, prepare func(*command) (*prepared, error)) ([]byte, error) {
	done, err := in.enter()
	if err != nil {
		return nil, err
	}
	defer done()
	c, err := in.allowed(origin, name)
	if err != nil {
		return nil, err
	}
	p, err := prepare(c)
	if err != nil {
		return nil, err
	}
	if t := p.command.options.Timeout; t > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, t)
		defer cancel()
	}
	return in.run(ctx, p, &Request{Name: name, Args: p.args, Origin: origin}, nil)
}

// allowed returns the command if origin may call it.
func (in *Instance) allowed(origin Origin, name string) (*command, error) {
	c, err := in.commands.get(name)
	if err != nil {
		return nil, err
	}
	can := c.options.Can
	switch origin.(type) {
	case Internal:
	case Frontend:
		if can != "" && !in.app.abilities.Covers(can) {
			return nil, &NotAllowedError{Command: name, Ability: can}
		}
	default:
		// An agent comes in through ServeMCP, which applies grant, limits and confirmation.
		return nil, fmt.Errorf("call %s: an origin of type %T cannot call commands directly", name, origin)
	}
	return c, nil
}

// Channels returns what is emitted on the app's channels from now on. The result of stop is that
// the channel is closed.
func (in *Instance) Channels() (messages <-chan ChannelMessage, stop func()) {
	return in.channels.listen()
}

// ServeMCP serves one MCP client that speaks over r and w, one JSON-RPC message a line, until r
// ends or ctx does. The app must have been given [App.MCP].
func (in *Instance) ServeMCP(ctx context.Context, r io.Reader, w io.Writer) error {
	if in.server == nil {
		return errNoMCP
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(in.ctx, cancel)()
	return in.server.Serve(ctx, r, w)
}

var errNoMCP = errors.New("this app offers nothing to agents: it was built without App.MCP")

// enter counts a call as in flight, unless the instance is closed.
func (in *Instance) enter() (done func(), err error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.closed {
		return nil, errStopped
	}
	in.calls.Add(1)
	return in.calls.Done, nil
}

// closeGrace is how long calls in flight may go on after Close was called.
const closeGrace = 2 * time.Second

// Close stops the app: it takes no more calls, lets those in flight finish for two seconds or until
// ctx ends, ends connections and subscriptions, and closes the database.
func (in *Instance) Close(ctx context.Context) error {
	in.mu.Lock()
	already := in.closed
	in.closed = true
	in.mu.Unlock()
	if already {
		return nil
	}
	grace, cancel := context.WithTimeout(ctx, closeGrace)
	defer cancel()
	within(grace, in.calls.Wait)
	in.cancel()
	in.stopTracing()
	in.live.Close()
	if !within(grace, in.background.Wait) {
		in.log.Error("an event listener ignores that the app is closing and was left behind")
	}
	if in.app.db == nil {
		return nil
	}
	if err := in.app.db.Close(); err != nil {
		return fmt.Errorf("close database: %w", err)
	}
	return nil
}

// within reports whether wait returned before ctx ended.
func within(ctx context.Context, wait func()) bool {
	done := make(chan struct{})
	go func() {
		wait()
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-ctx.Done():
		return false
	}
}
