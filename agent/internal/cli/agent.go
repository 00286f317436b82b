package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/interactive"
	"github.com/elyra-go/elyra/agent/internal/mode"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/workspace"
)

// maxAttached is the size of the largest file, and of the longest standard input, that is made part of a prompt.
const maxAttached = 8 << 20

// agentCommand is the agent itself.
type agentCommand struct {
	projectFlags

	Prompt []string `arg:"" optional:"" help:"What to do. @FILE is replaced by the file."`

	Print        bool     `short:"p" help:"Work on the prompt, print the answer and exit. Standard input is added to the prompt."`
	Mode         string   `enum:"text,json,rpc,mcp" default:"text" help:"How to speak: text, json (what happens, a JSON object a line), rpc (the same, with commands on standard input) or mcp (a server for MCP hosts)."`
	Model        string   `help:"provider/id, or a part of it. Default: the settings', else the best there is a key for." placeholder:"MODEL"`
	Thinking     string   `enum:",off,minimal,low,medium,high,xhigh" default:"" help:"How much the model is to think: off, minimal, low, medium, high or xhigh."`
	Continue     bool     `short:"c" help:"Go on with the project's last session."`
	Resume       bool     `short:"r" help:"Choose the session to go on with, at the terminal."`
	Session      string   `help:"Go on with a session." placeholder:"ID"`
	Fork         string   `help:"Begin a new session that starts as another one is." placeholder:"ID"`
	Plain        bool     `help:"Show lines only and redraw nothing, for screen readers."`
	NoSession    bool     `help:"Keep nothing of what is said."`
	NoTools      bool     `help:"Give the model no tools."`
	NoExtensions bool     `help:"Use no bundled extensions: no MCP servers."`
	ReadOnly     bool     `help:"Give the model only tools that read."`
	ForElyra     bool     `help:"With --mode mcp: let another elyra, of another project, have this one as its server."`
	Allow        []string `help:"A rule for what may run without a question, such as 'bash:go test *' or 'edit:**'." placeholder:"RULE" sep:"none"`
	AllowAll     bool     `help:"Ask nothing. Dangerous: the model may then do whatever you can."`
	Append       string   `name:"append-system-prompt" help:"Text to add to the system prompt." placeholder:"TEXT"`
}

func (c *agentCommand) Run(r *run) error {
	if c.Mode == "mcp" {
		return c.serve(r)
	}
	s, err := c.open(r)
	if err == nil && !s.Trusted && c.atTerminal(r) {
		s, err = c.openTrusted(r, s)
	}
	if err != nil {
		return err
	}
	s.warn()
	rules, err := permission.ParseRules(c.Allow)
	if err != nil {
		return usageError("--allow: %w", err)
	}
	o := core.Options{
		Workspace: s.Workspace, Environ: r.Environ, UserHome: r.UserHome, Version: version(), Executable: r.Executable,
		Model: c.Model, Level: model.Level(c.Thinking),
		Session: core.Choice{Continue: c.Continue, ID: c.Session, Fork: c.Fork, None: c.NoSession},
		NoTools: c.NoTools, NoMCP: c.NoExtensions, ReadOnly: c.ReadOnly, Append: c.Append, Allow: rules, AllowAll: c.AllowAll,
		Notice: func(text string) { r.say("%s", text) },
	}
	switch {
	case c.Mode == "rpc":
		return c.lines(r, o, nil)
	case c.Mode == "text" && !c.Print:
		return c.interact(r, o)
	}
	content, err := c.content(r)
	switch {
	case err != nil:
		return err
	case c.Mode == "json":
		return c.lines(r, o, content)
	}
	return c.text(r, o, content)
}

// atTerminal reports whether the agent talks with a user at a terminal.
func (c *agentCommand) atTerminal(r *run) bool {
	in, _ := r.Stdin.(*os.File)
	return c.Mode == "text" && !c.Print && in != nil && term.IsTerminal(in.Fd())
}

// openTrusted asks for trust in what the project defines, and opens the session again when there is some now.
func (c *agentCommand) openTrusted(r *run, s *session) (*session, error) {
	trusted, err := s.offerTrust()
	if err != nil || !trusted {
		return s, err
	}
	return c.open(r)
}

// interact talks with the user at the terminal.
func (c *agentCommand) interact(r *run, o core.Options) error {
	prompt := strings.Join(c.Prompt, " ")
	if c.Resume {
		if prompt != "" {
			return usageError("-r chooses a session and takes no prompt: say it when the session is there")
		}
		prompt = "/resume"
	}
	in, _ := r.Stdin.(*os.File)
	out, _ := r.Stdout.(*os.File)
	return interactive.Run(r.ctx, interactive.Options{
		Core: o, Input: in, Output: out, Environ: r.Environ, Plain: c.Plain, Prompt: prompt,
		Title: "elyra " + version(), Browse: r.Browse,
		Attach: func(text string) ([]model.Block, error) { return attachNamed(o.Workspace.Dir(), text) },
		Open: func(ctx context.Context) (*workspace.Workspace, error) {
			again, err := c.open(&run{Env: r.Env, ctx: ctx})
			if err != nil {
				return nil, err
			}
			return again.Workspace, nil
		},
	})
}

// attachNamed adds the files that a text names with @ to it. What names no file is a text like any other.
func attachNamed(dir, text string) ([]model.Block, error) {
	var blocks []model.Block
	for _, word := range strings.Fields(text) {
		if name, ok := strings.CutPrefix(word, "@"); ok && name != "" {
			if block, err := attach(dir, name); err == nil {
				blocks = append(blocks, block)
			}
		}
	}
	return append(blocks, model.Text(text)), nil
}

// text works on one prompt and prints the answer.
func (c *agentCommand) text(r *run, o core.Options, content []model.Block) (err error) {
	text := &mode.Text{Out: r.Stdout, Notes: r.Stderr}
	o.On = text.On
	agent, err := core.Open(r.ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, agent.Close()) }()
	_, err = agent.Say(r.ctx, content...)
	return err
}

// lines tells what happens as JSON.
func (c *agentCommand) lines(r *run, o core.Options, content []model.Block) (err error) {
	lines := mode.NewLines(r.Stdout)
	o.On = lines.On
	agent, err := core.Open(r.ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, agent.Close()) }()
	spec, _ := agent.Model()
	begin := mode.Line{Type: "session", Model: spec.String(), Dir: agent.Workspace.Project}
	if agent.Session != nil {
		begin.Session = agent.Session.ID()
	}
	lines.Write(begin)
	if c.Mode == "rpc" {
		return mode.RPC(r.ctx, agent, r.Stdin, lines)
	}
	_, err = agent.Say(r.ctx, content...)
	lines.Write(mode.End(agent, err))
	if err != nil {
		return &exitError{code: exitFailed}
	}
	return nil
}

// content makes the prompt of arguments, files and standard input.
func (c *agentCommand) content(r *run) ([]model.Block, error) {
	var words []string
	var blocks []model.Block
	for _, word := range c.Prompt {
		name, isFile := strings.CutPrefix(word, "@")
		if !isFile || name == "" {
			words = append(words, word)
			continue
		}
		block, err := attach(r.Dir, name)
		if err != nil {
			return nil, usageError("%w", err)
		}
		blocks = append(blocks, block)
	}
	piped, err := c.piped(r.ctx, r.Stdin)
	if err != nil {
		return nil, err
	}
	if piped != "" {
		blocks = append(blocks, model.Text(piped))
	}
	if text := strings.Join(words, " "); text != "" {
		blocks = append(blocks, model.Text(text))
	}
	if len(blocks) == 0 {
		return nil, usageError("there is no prompt: elyra -p 'what to do'")
	}
	return blocks, nil
}

// attach reads a file that is part of a prompt.
func attach(dir, name string) (model.Block, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	data, err := home.ReadFile(name, maxAttached)
	if err != nil {
		return model.Block{}, fmt.Errorf("@%s: %w", name, err)
	}
	if kind, _, why := result.Inspect(data); why == "" {
		return model.Block{Image: &model.Image{MIMEType: kind, Data: data}}, nil
	}
	return model.Text(fmt.Sprintf("<file path=%q>\n%s\n</file>", name, strings.ToValidUTF8(string(data), "\uFFFD"))), nil
}

// piped is what stands on standard input, "" for a terminal.
func (c *agentCommand) piped(_ context.Context, stdin io.Reader) (string, error) {
	if stdin == nil || isTerminal(stdin) {
		return "", nil
	}
	text, err := io.ReadAll(io.LimitReader(stdin, maxAttached+1))
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	if len(text) > maxAttached {
		return "", usageError("standard input is longer than %d MB", maxAttached>>20)
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD")), nil
}

// isTerminal reports whether a person types what is read. /dev/null counts as one who types nothing.
func isTerminal(r io.Reader) bool {
	file, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err != nil || info.Mode()&fs.ModeCharDevice != 0
}
