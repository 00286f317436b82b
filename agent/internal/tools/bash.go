package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tools/shell"
)

var (
	//go:embed bash.md
	bashPrompt string
	//go:embed bash_sandbox.md
	sandboxPrompt string
)

const bashSchema = `{"type":"object","additionalProperties":false,"required":["command"],"properties":{
"command":{"type":"string","description":"The command line."},
"timeout":{"type":"integer","minimum":1,"maximum":600,"description":"Seconds; 120 when left out."}%s}}`

const unsandboxedSchema = `,"unsandboxed":{"type":"boolean","description":"Run it outside of the sandbox; the user is asked."}`

const (
	usualTimeout = 120
	maxTimeout   = 600
	maxCommand   = 100 << 10 // what a system takes as one argument
)

type bashTool struct{ *session }

type bashArgs struct {
	Command     string `json:"command"`
	Timeout     *int   `json:"timeout"`
	Unsandboxed bool   `json:"unsandboxed"`

	seconds int
}

func (t bashTool) Spec() model.Tool {
	if t.Sandbox == nil {
		return spec("bash", bashPrompt, fmt.Sprintf(bashSchema, ""))
	}
	return spec("bash", bashPrompt+sandboxPrompt, fmt.Sprintf(bashSchema, unsandboxedSchema))
}

func (bashTool) Kind() Kind { return Run }

func (t bashTool) parse(args jsontext.Value) (a bashArgs, err error) {
	names := []string{"command", "timeout"}
	if t.Sandbox != nil {
		names = append(names, "unsandboxed")
	}
	if err = decode(args, &a, names...); err != nil {
		return a, err
	}
	switch {
	case strings.TrimSpace(a.Command) == "":
		return a, errors.New(`the argument "command" is missing`)
	case strings.ContainsRune(a.Command, 0):
		return a, errors.New("the command contains a NUL character")
	case len(a.Command) > maxCommand:
		return a, fmt.Errorf("the command has %s, more than %s: write a file and run that", result.Size(len(a.Command)), result.Size(maxCommand))
	}
	a.seconds, err = within("timeout", a.Timeout, 1, maxTimeout, usualTimeout)
	return a, err
}

// Command returns what a call of bash would run, and whether inside the sandbox, for permission to judge.
func (t bashTool) Command(args jsontext.Value) (command string, sandboxed bool, err error) {
	a, err := t.parse(args)
	return a.Command, t.Sandbox != nil && !a.Unsandboxed, err
}

// Commander is the tool that runs commands.
type Commander interface {
	Tool
	Command(args jsontext.Value) (command string, sandboxed bool, err error)
}

func (t bashTool) Describe(args jsontext.Value) string {
	a, err := t.parse(args)
	switch {
	case err != nil:
		return "bash"
	case a.Unsandboxed && t.Sandbox != nil:
		return line("bash", "(outside the sandbox) "+a.Command)
	}
	return line("bash", a.Command)
}

// Paths returns what the command names, as far as its text tells: what it may read, and files that it redirects to. The path
// "?", which is outside, is one that only running tells.
func (t bashTool) Paths(args jsontext.Value) ([]Path, error) {
	a, err := t.parse(args)
	if err != nil {
		return nil, err
	}
	verdict := shell.Judge(a.Command)
	var paths []Path
	add := func(names []string, write bool) {
		for _, name := range names {
			p, err := t.resolve(name, write)
			if err != nil || name == "?" {
				p = Path{Path: "?", Write: write, Outside: true}
			}
			paths = append(paths, p)
		}
	}
	add(verdict.Reads, false)
	add(verdict.Writes, true)
	return paths, nil
}

func (t bashTool) Run(ctx context.Context, call Call) (Output, error) {
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	a, err := t.parse(call.Arguments)
	if err != nil {
		return failed(fmt.Errorf("bash: %w", err)), nil
	}
	paths, err := t.Paths(call.Arguments)
	if err == nil {
		err = t.refuse(call.Paths, paths)
	}
	if err != nil {
		return failed(fmt.Errorf("bash: %w", err)), nil
	}
	if shell.Judge(a.Command).ReadOnly {
		return t.run(ctx, a, call)
	}
	t.changing.Lock()
	defer t.changing.Unlock()
	before := t.look(ctx)
	if before != nil && t.Changed != nil {
		t.keep(before)
	}
	out, err := t.run(ctx, a, call)
	if before == nil {
		return out, err
	}
	// Also after a cancelled command, what it did is told.
	if after := t.look(context.WithoutCancel(ctx)); after != nil {
		out.Changes = t.compare(before, after)
	}
	return out, err
}

// refuse refuses paths that must not be touched, and those that lead elsewhere than when permission was given.
func (s *session) refuse(given, now []Path) error {
	for _, p := range now {
		if p.Deny != "" {
			return fmt.Errorf("%s must not be touched: %s", s.show(p.Path), p.Deny)
		}
	}
	if given == nil {
		return nil
	}
	if len(given) != len(now) {
		return errors.New("the command's files lead elsewhere than when permission was given: try again")
	}
	for i := range now {
		if given[i] != now[i] {
			return fmt.Errorf("%s leads elsewhere than when permission was given: try again", s.show(now[i].Path))
		}
	}
	return nil
}

// run runs a command to its end and writes down what it came to.
func (t bashTool) run(ctx context.Context, a bashArgs, call Call) (Output, error) {
	argv, err := t.shell()
	if err != nil {
		return failed(fmt.Errorf("bash: %w", err)), nil
	}
	argv = append(argv[:len(argv):len(argv)], a.Command)
	boxed := t.Sandbox != nil && !a.Unsandboxed
	var more []string
	if boxed {
		if argv, more, err = t.Sandbox.wrap(t.session, argv); err != nil {
			return failed(fmt.Errorf("bash: %w", err)), nil
		}
	}
	start := t.Now()
	p := execution{started: t.Started, argv: argv, dir: t.Dir, env: t.environ(more...), timeout: time.Duration(a.seconds) * time.Second}
	p.out = spool{folder: t.Overflow, progress: call.Progress}
	end, err := p.run(ctx)
	if err != nil {
		return failed(fmt.Errorf("bash: %w", err)), nil
	}
	limits := t.limits()
	limits.Bytes -= 512 // What is said about the end.
	text, overflow := p.out.finish(limits)
	out := Output{Overflow: overflow, Details: Details{
		Lines: p.out.lines, ExitCode: end.code, Duration: t.Now().Sub(start), TimedOut: end.timedOut,
	}}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	says := end.says(a.seconds)
	if boxed && end.code != 0 && t.Sandbox.denied(text) {
		says = append(says, "the sandbox may have stopped it: if so, run it again with unsandboxed: true")
	}
	out.IsError = end.code != 0
	if text == "" && len(says) == 0 {
		says = []string{"no output"}
	}
	if len(says) > 0 {
		text += "[" + strings.Join(says, "; ") + "]"
	}
	out.Text = strings.TrimSuffix(text, "\n")
	return out, ctx.Err()
}
