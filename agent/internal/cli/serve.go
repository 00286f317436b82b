package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/serve"
	"github.com/elyra-go/elyra/agent/internal/workspace"
	"github.com/elyra-go/elyra/internal/clientconfig"
	"github.com/elyra-go/elyra/internal/stdio"
	"github.com/elyra-go/elyra/internal/terminal"
)

// serve is --mode mcp: the agent as a server on standard input and output.
func (c *agentCommand) serve(r *run) error {
	if len(c.Prompt) > 0 || c.Print || c.Continue || c.Session != "" || c.Fork != "" || c.NoSession || c.NoTools || c.AllowAll {
		return usageError("--mode mcp takes its work from the host: leave out the prompt, -p, -c, --session, --fork, --no-session, --no-tools and --allow-all")
	}
	if c.Project == "" {
		if err := serve.CheckFolder(r.Dir); err != nil {
			return usageError("%w", err)
		}
	}
	rules, err := permission.ParseRules(c.Allow)
	if err != nil {
		return usageError("--allow: %w", err)
	}
	in, out, err := takeStdio(r)
	if err != nil {
		return err
	}
	// A host that is gone has closed standard error too: writing there must not end this process before what it has started.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	defer signal.Stop(broken)
	ctx, stop := signal.NotifyContext(r.ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	r.Stdin, r.Stdout, r.OpenTerminal, r.Browse = nil, io.Discard, nil, nil // Nothing can ask.
	s, err := c.open(r)
	if err != nil {
		return err
	}
	if err := config.CheckInside(s.Config.Getenv, s.Project, c.ForElyra); err != nil {
		return err
	}
	s.warn()
	level := slog.LevelInfo
	if c.Verbose {
		level = slog.LevelDebug
	}
	serve.New(serve.Options{
		Core: core.Options{
			Workspace: s.Workspace, Environ: r.Environ, UserHome: r.UserHome, Version: version(), Executable: r.Executable,
			Model: c.Model, Level: model.Level(c.Thinking), NoMCP: c.NoExtensions, Append: c.Append, Allow: rules,
		},
		Open: func(context.Context) (*workspace.Workspace, error) {
			s, err := c.open(r)
			if err != nil {
				return nil, err
			}
			return s.Workspace, nil
		},
		ReadOnly: c.ReadOnly, Parent: os.Getppid,
		Log: slog.New(slog.NewTextHandler(visibleWriter{r.Stderr}, &slog.HandlerOptions{Level: level})),
	}).Serve(ctx, in, out)
	return nil
}

// takeStdio keeps the process's own streams for the protocol. Streams that are not the process's are what they are.
func takeStdio(r *run) (io.Reader, io.Writer, error) {
	if r.Stdin != os.Stdin || r.Stdout != os.Stdout {
		return r.Stdin, r.Stdout, nil
	}
	return stdio.Take()
}

type serverInstallCommand struct {
	Client       string `help:"The host: claude (Claude Code and Claude Desktop), cursor or vscode." enum:"claude,cursor,vscode" default:"claude"`
	Name         string `help:"What the host calls the server." default:"elyra" placeholder:"NAME"`
	Project      string `help:"The project's folder. Default: the working directory." placeholder:"DIR"`
	ReadOnly     bool   `help:"Take the mode edit away from the host."`
	TrustProject bool   `help:"Have the project's own packages and MCP configuration loaded."`
}

func (c *serverInstallCommand) Run(r *run) error {
	if err := clientconfig.CheckName(c.Name); err != nil {
		return usageError("--name: %w", err)
	}
	project := cmp.Or(c.Project, r.Dir)
	if !filepath.IsAbs(project) {
		project = filepath.Join(r.Dir, project)
	}
	if info, err := os.Stat(project); err != nil || !info.IsDir() {
		return usageError("--project: %s is no folder", project)
	}
	if err := serve.CheckFolder(project); err != nil {
		return usageError("%w", err)
	}
	// Hosts start servers in folders of their own choice, so the project is named.
	args := []string{"--mode", "mcp", "--project", project}
	if c.ReadOnly {
		args = append(args, "--read-only")
	}
	if c.TrustProject {
		args = append(args, "--trust-project")
	}
	if r.getenv("ELYRA_HOME") != "" {
		r.say("ELYRA_HOME is set here and not in what is printed: the server will use the usual folder unless the host sets it")
	}
	r.say("hosts pass on little of the environment: keep the key of the model with \"elyra auth set\", or add its variable to the entry")
	return c.print(r.Stdout, clientconfig.Server{Name: c.Name, Command: cmp.Or(r.Executable, "elyra"), Args: args})
}

// print writes what the user pastes.
func (c *serverInstallCommand) print(w io.Writer, s clientconfig.Server) error {
	format := clientconfig.MCPServers
	if c.Client == "vscode" {
		format = clientconfig.VSCode
	}
	file, err := format.File(s)
	if err != nil {
		return err
	}
	file = terminal.Visible(file)
	line := func(words []string) string { return terminal.Visible(clientconfig.Quote(runtime.GOOS, words)) }
	switch c.Client {
	case "cursor":
		link, err := clientconfig.CursorLink(s)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "Cursor: open this link:\n\n  %s\n\nOr add this to .cursor/mcp.json in the project:\n\n%s", link, file)
		return err
	case "vscode":
		words, err := clientconfig.CodeAdd(s)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "VS Code: run:\n\n  %s\n\nOr add this to .vscode/mcp.json in the project:\n\n%s", line(words), file)
		return err
	}
	words := clientconfig.ClaudeAdd(s)
	words[slices.Index(words, "user")] = "local" // The server belongs to one project.
	_, err = fmt.Fprintf(w, "Claude Code: run this in the project's folder:\n\n  %s\n\nClaude Desktop: add this to %s:\n\n%s",
		line(words), clientconfig.ClaudeDesktopFile(runtime.GOOS), file)
	return err
}
