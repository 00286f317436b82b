package cli

import (
	"cmp"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/internal/clientconfig"
	"github.com/elyra-go/elyra/internal/terminal"
	"github.com/elyra-go/elyra/rata/internal/release"
)

type installCommand struct {
	appFlags
	Client  string `help:"The client: claude (Claude Code and Claude Desktop), cursor or vscode." enum:"claude,cursor,vscode" default:"claude"`
	Release bool   `help:"Build without paths and debug information."`
	Name    string `help:"What the client calls the app. Default: the last part of its id." placeholder:"NAME"`
}

func (c *installCommand) Run(r *run) error {
	if c.Name != "" {
		if err := clientconfig.CheckName(c.Name); err != nil {
			return usageError("--name: %w", err)
		}
	}
	if c.Bin != "" && c.Release {
		return usageError("--release is for building the app, and --bin names one that is built")
	}
	env, err := c.environment(r)
	if err != nil {
		return err
	}
	app, err := c.build(r)
	if err != nil {
		return err
	}
	d, err := app.read(r)
	if err != nil {
		return err
	}
	if !d.App.MCP {
		return usageError("%s offers nothing to agents: it was built without App.MCP, so no client can connect to it", d.App.ID)
	}
	name := cmp.Or(c.Name, clientconfig.NameFor(d.App.ID))
	if err := clientconfig.CheckName(name); err != nil {
		return usageError("%w: give one with --name", err)
	}
	c.notes(r, d, env)
	return c.print(r.Stdout, clientconfig.Server{Name: name, Command: app.path, Args: []string{"--mcp"}, Env: env})
}

// build builds the app to stay, unless it is built.
func (c *installCommand) build(r *run) (*app, error) {
	if c.Bin != "" {
		return c.open(r)
	}
	dir := cmp.Or(c.Dir, ".")
	compile := func(folder string) (string, error) { return build(r, dir, folder) }
	if c.Release {
		s, err := openSource(r, dir)
		if err != nil {
			return nil, err
		}
		compile = s.compile(release.Host())
	}
	path, err := buildInPlace(dir, "", compile)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(r.Stderr, "rata: built %s\n", terminal.Visible(path))
	return &app{path: path, dir: dir}, nil
}

// notes says on standard error what one should know before pasting.
func (c *installCommand) notes(r *run, d *description, env map[string]string) {
	if len(d.Tools) == 0 {
		fmt.Fprintln(r.Stderr, "rata: no ability is granted to agents, so a client will see no tools")
	}
	if u, err := url.Parse(env["DATABASE_URL"]); err == nil && u.User != nil {
		if _, ok := u.User.Password(); ok {
			fmt.Fprintln(r.Stderr, "rata: what is printed contains the password in DATABASE_URL")
		}
	}
}

// print writes what the user pastes.
func (c *installCommand) print(w io.Writer, s clientconfig.Server) error {
	format := clientconfig.MCPServers
	if c.Client == "vscode" {
		format = clientconfig.VSCode
	}
	file, err := format.File(s)
	if err != nil {
		return err
	}
	line := func(words []string) string { return clientconfig.Quote(runtime.GOOS, words) }
	switch c.Client {
	case "cursor":
		link, err := clientconfig.CursorLink(s)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "Cursor: open this link:\n\n  %s\n\nOr add this to %s:\n\n%s", link, clientconfig.CursorFile(runtime.GOOS), file)
		return err
	case "vscode":
		words, err := clientconfig.CodeAdd(s)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "VS Code: run:\n\n  %s\n\nOr, for one folder, add this to %s:\n\n%s", line(words), filepath.FromSlash(".vscode/mcp.json"), file)
		return err
	}
	_, err = fmt.Fprintf(w, "Claude Code: run:\n\n  %s\n\nClaude Desktop: add this to %s:\n\n%s",
		line(clientconfig.ClaudeAdd(s)), clientconfig.ClaudeDesktopFile(runtime.GOOS), file)
	return err
}

// environment is what the app needs from the environment of now, because clients start it with little
// more than HOME and PATH.
func (c *installCommand) environment(r *run) (map[string]string, error) {
	env := map[string]string{}
	for _, variable := range r.Environ {
		name, _, _ := strings.Cut(variable, "=")
		if value, _ := r.lookup(name); passedOn(name, value) {
			env[name] = value
		}
	}
	dir := cmp.Or(c.Dir, ".")
	if c.Bin != "" {
		dir = "" // a binary says nothing of the app's folder
	}
	url, _, err := database(r, dir)
	if err != nil {
		return nil, err
	}
	if url != "" {
		env[databaseVariable] = url
	}
	return env, nil
}

// passedOn reports whether an app needs a variable wherever it runs: the folders of the user, and
// what begins with ELYRA_ except for what concerns one run. Relative folders do not count for apps.
func passedOn(name, value string) bool {
	switch name {
	case "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR":
		return filepath.IsAbs(value)
	}
	return strings.HasPrefix(name, "ELYRA_") && value != "" && !slices.Contains([]string{"ELYRA_DESCRIBE", "ELYRA_DEV", "ELYRA_MIGRATE"}, name)
}

// absoluteURL makes the file in a sqlite URL independent of the working folder, which a client
// chooses. Relative files are in dir.
func absoluteURL(text, dir string) string {
	file, ok := strings.CutPrefix(text, "sqlite:")
	if !ok || file == "" || strings.HasPrefix(file, "/") || strings.HasPrefix(file, ":") || strings.Contains(file, "?") {
		return text // nothing to do, or a mistake that the app explains better
	}
	file, err := url.PathUnescape(file)
	if err != nil || filepath.IsAbs(filepath.FromSlash(file)) {
		return text
	}
	path := filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(file)))
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // sqlite:///C:/crm.db
	}
	return "sqlite://" + (&url.URL{Path: path}).EscapedPath()
}
