package elyra

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/ability"
	"github.com/elyra-go/elyra/internal/nearest"
	"github.com/elyra-go/elyra/internal/typegraph"
	"github.com/elyra-go/elyra/internal/validate"
)

// App is the description of an app: its commands, windows, database, and what agents may do. Make
// one with [New] and chain its methods; mistakes are collected and reported together by
// [App.Start], before anything opens. An App that was started must not be changed.
type App struct {
	commands   []Command
	abilities  ability.Set
	middleware []Middleware
	listeners  []Listener
	windows    []Window
	mcp        *MCP
	db         *sql.DB
	drivers    []database.Driver
	migrations fs.FS
}

// Window is a window that the app opens when it starts.
type Window struct {
	// ID names the window towards [Frontend], and its size is remembered under it. Default: "main"
	// for the first, "window2" and so on.
	ID string
	// Title is shown in the title bar. Default: the app's id.
	Title string
	// Width and Height are in logical pixels. Default: that of [window.Options].
	Width, Height int
	// Assets are the files of the page; index.html is opened. All windows share the assets of the
	// first window of the App that has some.
	Assets fs.FS
	// Icon is a square PNG of at least 48 pixels. Default: what the desktop knows of the app.
	Icon []byte
}

// New returns an app without commands.
func New() *App { return &App{} }

// Commands adds commands.
func (a *App) Commands(c ...Command) *App {
	a.commands = append(a.commands, c...)
	return a
}

// AllowAbilities grants abilities to the app's windows: a window may call a command that declares
// an ability only when it is granted here. Agents are granted theirs by [MCP.AllowAbilities].
func (a *App) AllowAbilities(abilities ...string) *App {
	a.abilities = append(a.abilities, abilities...)
	return a
}

// Use adds middleware around every call; the first one added is the outermost.
func (a *App) Use(m ...Middleware) *App {
	a.middleware = append(a.middleware, m...)
	return a
}

// Listen adds listeners for events, called in the order in which they were added.
func (a *App) Listen(l ...Listener) *App {
	a.listeners = append(a.listeners, l...)
	return a
}

// Database sets the database that [DB] and [Transact] use: what [Env.Database] returned.
func (a *App) Database(db *sql.DB) *App {
	a.db = db
	return a
}

// Drivers lets DATABASE_URL give a database to an app that has none of its own: it is opened by the
// driver that knows its scheme.
func (a *App) Drivers(d ...database.Driver) *App {
	a.drivers = append(a.drivers, d...)
	return a
}

// Migrations sets the goose migrations (*.sql) that run when the app starts: the files in a folder
// named after the dialect ("sqlite", "postgres") if there is one, otherwise those in the root.
func (a *App) Migrations(files fs.FS) *App {
	a.migrations = files
	return a
}

// Window adds a window.
func (a *App) Window(w Window) *App {
	a.windows = append(a.windows, w)
	return a
}

// MCP lets agents in, as far as m grants. Without it the app has no endpoint and no --mcp mode.
func (a *App) MCP(m *MCP) *App {
	a.mcp = m
	return a
}

// command is a Command whose types are known.
type command struct {
	Command
	input, output *typegraph.Type
	validating    []argument
}

// commandSet is what an App's commands compile to.
type commandSet struct {
	byName    map[string]*command
	names     []string // sorted
	validator *validate.Validator
}

// compile checks the whole description and reports every mistake in it.
func (a *App) compile() (*commandSet, error) {
	set := &commandSet{byName: map[string]*command{}, validator: validate.New()}
	graph := typegraph.New()
	var errs []error
	var declared []string
	for _, c := range a.commands {
		if c.err != nil {
			errs = append(errs, c.err)
			continue
		}
		if set.byName[c.name] != nil {
			errs = append(errs, fmt.Errorf("command %q: two commands have this name; give one another by name= in its directive", c.name))
			continue
		}
		cmd, err := set.compile(graph, c)
		if err != nil {
			errs = append(errs, fmt.Errorf("command %q: %w", c.name, err))
		}
		set.byName[c.name] = cmd
		if can := c.options.Can; can != "" && !slices.Contains(declared, can) {
			declared = append(declared, can)
		}
	}
	for name := range set.byName {
		set.names = append(set.names, name)
	}
	slices.Sort(set.names)
	for _, p := range a.abilities {
		if err := ability.CheckPattern(p, declared); err != nil {
			errs = append(errs, fmt.Errorf("allow ability: %w", err))
		}
	}
	if a.mcp != nil {
		errs = append(errs, a.mcp.check(declared))
	}
	if a.migrations != nil && a.db == nil {
		errs = append(errs, errors.New("migrations need a database: call App.Database"))
	}
	if a.db != nil {
		errs = append(errs, checkDB(a.db))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return set, nil
}

func (s *commandSet) compile(graph *typegraph.Graph, c Command) (*command, error) {
	docs := make(typegraph.Docs, len(c.options.Types))
	for name, d := range c.options.Types {
		docs[name] = typegraph.TypeDoc(d)
	}
	if err := graph.AddDocs(docs); err != nil {
		return nil, err
	}
	in, inErr := graph.Add(c.in)
	out, outErr := graph.Add(c.out)
	if outErr != nil {
		outErr = fmt.Errorf("result: %w", outErr)
	}
	return &command{c, in, out, validatingArguments(c.in)}, errors.Join(inErr, outErr, s.validator.CheckTags(c.in))
}

// get returns a command, or an UnknownCommandError.
func (s *commandSet) get(name string) (*command, error) {
	if c := s.byName[name]; c != nil {
		return c, nil
	}
	return nil, &UnknownCommandError{Command: name, Nearest: nearest.Name(name, s.names)}
}
