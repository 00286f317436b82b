package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/internal/terminal"
)

type addCommand struct {
	projectFlags

	Name    string        `arg:"" help:"Name of the server."`
	Target  []string      `arg:"" optional:"" passthrough:"" name:"command" help:"The program and its arguments after --, or the address of a remote server."`
	Env     []string      `help:"A variable for the program, NAME=VALUE. A value may be $${NAME} of your environment." placeholder:"NAME=VALUE" sep:"none"`
	Header  []string      `help:"A header for a remote server, 'Name: value'." placeholder:"HEADER" sep:"none"`
	Type    string        `help:"The transport: stdio, http or sse. Default: what the target says." enum:",stdio,http,sse" default:""`
	Cwd     string        `help:"The folder that the program runs in. Default: the project's." placeholder:"DIR"`
	Timeout time.Duration `help:"How long a request may take. Default: 60s."`
	Direct  bool          `help:"Give the model each of its tools as a tool of its own."`
	Here    bool          `help:"Add it to this project (.elyra/mcp.json) instead of to your own configuration."`
	Replace bool          `help:"Replace a server of the same name in that file."`
}

func (c *addCommand) Run(r *run) error {
	entry, err := c.entry()
	if err != nil {
		return err
	}
	s, err := c.open(r)
	if err != nil {
		return err
	}
	scope := config.User
	if c.Here {
		scope = config.Project
	}
	path, err := config.Add(r.ctx, s.Config, scope, c.Name, entry, c.Replace)
	if errors.Is(err, config.ErrExists) {
		return fmt.Errorf("%w; --replace replaces it", err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(r.Stdout, "added %s to %s\n", terminal.Visible(c.Name), terminal.Visible(path))
	if trusted, err := s.IsTrusted(); scope == config.Project && err == nil && !trusted {
		r.say("what the project defines has changed, so it is not used before \"elyra trust\"")
	}
	return nil
}

// entry makes the entry that is written.
func (c *addCommand) entry() (config.Entry, error) {
	target := c.Target
	if len(target) > 0 && target[0] == "--" {
		target = target[1:]
	}
	if len(target) == 0 {
		return config.Entry{}, usageError("what is the server? elyra mcp add %s -- PROGRAM ARGUMENTS… or elyra mcp add %s https://…", c.Name, c.Name)
	}
	e := config.Entry{Type: c.Type, Cwd: c.Cwd, Timeout: c.Timeout.Milliseconds(), DirectTools: c.Direct}
	if strings.HasPrefix(target[0], "http://") || strings.HasPrefix(target[0], "https://") {
		if len(target) > 1 {
			return e, usageError("an address takes no arguments: %s", strings.Join(target[1:], " "))
		}
		e.URL = target[0]
	} else {
		e.Command, e.Args = target[0], target[1:]
	}
	var err error
	if e.Env, err = pairs(c.Env, "=", "--env"); err != nil {
		return e, err
	}
	e.Headers, err = pairs(c.Header, ":", "--header")
	return e, err
}

// pairs reads names and values that a separator divides.
func pairs(texts []string, separator, flag string) (map[string]string, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	all := map[string]string{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, separator)
		if name = strings.TrimSpace(name); !ok || name == "" {
			return nil, usageError("%s %q: write a name, %q and a value", flag, text, separator)
		}
		all[name] = strings.TrimSpace(value)
	}
	return all, nil
}

type removeCommand struct {
	projectFlags

	Name string `arg:"" help:"Name of the server."`
	Here bool   `help:"Remove it from this project's .elyra/mcp.json, if your own configuration has it too."`
}

func (c *removeCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	scope := config.Scope("")
	if c.Here {
		scope = config.Project
	}
	path, err := config.Remove(r.ctx, s.Config, scope, c.Name)
	if err != nil {
		return err
	}
	fmt.Fprintf(r.Stdout, "removed %s from %s\n", terminal.Visible(c.Name), terminal.Visible(path))
	return nil
}
