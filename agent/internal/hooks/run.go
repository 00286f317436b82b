package hooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/settings"
	"github.com/elyra-go/elyra/internal/nearest"
	"github.com/elyra-go/elyra/internal/process"
)

const (
	defaultTimeout = 60 * time.Second
	maxTimeout     = time.Hour
	maxStdout      = 1 << 20
	maxStderr      = 64 << 10
	pipeDelay      = 200 * time.Millisecond // for what a hook has left running, until that is ended
)

// Options configure New.
type Options struct {
	User    map[string][]settings.HookGroup
	Project map[string][]settings.HookGroup // of a trusted project; nil otherwise

	Dir        string   // the project's folder, where commands run
	Environ    []string // what commands get
	Session    string   // its id
	Transcript string   // the path of its file

	// Shell makes the process for a command line. Nil: sh -c, or cmd /C on Windows.
	Shell  func(command string) *exec.Cmd
	Notice func(text string) // tells the user what went wrong; nil: nobody
}

// Runner runs the hooks of a session. It may be used from many goroutines.
type Runner struct {
	o     Options
	hooks map[Event][]hook
}

type hook struct {
	command string
	tools   *regexp.Regexp // nil: all
	timeout time.Duration
}

// New returns the hooks of a session. Problems say which cannot be used.
func New(o Options) (r *Runner, problems []string) {
	if o.Shell == nil {
		o.Shell = shell
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	r = &Runner{o: o, hooks: map[Event][]hook{}}
	for _, groups := range []map[string][]settings.HookGroup{o.User, o.Project} {
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			event, ok := eventOf(name)
			if !ok {
				problems = append(problems, fmt.Sprintf("hooks.%.40s: there is no such event%s", name, nearest.Hint(name, eventNames())))
				continue
			}
			for _, g := range groups[name] {
				list, err := compile(g)
				if err != nil {
					problems = append(problems, fmt.Sprintf("hooks.%s: %v", name, err))
				}
				r.hooks[event] = append(r.hooks[event], list...)
			}
		}
	}
	return r, problems
}

func eventOf(name string) (Event, bool) {
	for _, e := range events {
		if name == string(e.event) || name == e.other {
			return e.event, true
		}
	}
	return "", false
}

func eventNames() []string {
	var names []string
	for _, e := range events {
		names = append(names, string(e.event))
	}
	return names
}

// compile reads one group. Its matcher is for the whole name of a tool, whatever the case of its letters.
func compile(g settings.HookGroup) ([]hook, error) {
	var tools *regexp.Regexp
	if g.Matcher != "" && g.Matcher != "*" {
		var err error
		if tools, err = regexp.Compile("^(?i:" + g.Matcher + ")$"); err != nil {
			return nil, fmt.Errorf("the matcher %.80q is no regular expression", g.Matcher)
		}
	}
	var list []hook
	for _, h := range g.Hooks {
		if strings.TrimSpace(h.Command) == "" {
			return list, errors.New("a hook has no command")
		}
		timeout := defaultTimeout
		if h.Timeout > 0 {
			timeout = min(time.Duration(h.Timeout), maxTimeout/time.Second) * time.Second
		}
		list = append(list, hook{h.Command, tools, timeout})
	}
	return list, nil
}

// Has reports whether there are hooks for an event.
func (r *Runner) Has(e Event) bool { return len(r.hooks[e]) > 0 }

// Run runs the hooks of an event, one after the other: each sees what those before have rewritten, and one that blocks is
// the last.
func (r *Runner) Run(ctx context.Context, in Input) Outcome {
	var all Outcome
	for _, h := range r.hooks[in.Event] {
		if h.tools != nil && (in.Event == PreTool || in.Event == PostTool) && !h.tools.MatchString(in.Tool) {
			continue
		}
		o, err := r.one(ctx, h, in)
		if ctx.Err() != nil {
			return all
		}
		if err != nil {
			r.o.Notice(fmt.Sprintf("a hook for %s changed nothing: %v", in.Event, err))
		}
		if o.Arguments != nil {
			in.Arguments, all.Arguments = o.Arguments, o.Arguments
		}
		if o.Prompt != "" {
			in.Prompt, all.Prompt = o.Prompt, o.Prompt
		}
		if o.Context != "" {
			all.Context = strings.TrimSpace(all.Context + "\n\n" + o.Context)
		}
		if o.Block || o.End {
			all.Block, all.End = o.Block, o.End
			all.Reason = first(clip(strings.TrimSpace(o.Reason), maxContext), fmt.Sprintf("a hook for %s gave no reason", in.Event))
			return all
		}
	}
	return all
}

// one runs a command. The error is for the user.
func (r *Runner) one(ctx context.Context, h hook, in Input) (Outcome, error) {
	input, err := r.encode(in)
	if err != nil {
		return Outcome{}, fmt.Errorf("it could not be told what happens: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, h.timeout)
	defer cancel()
	cmd := r.o.Shell(h.command)
	cmd.Dir = r.o.Dir
	cmd.Env = append(slices.Clone(r.o.Environ), "ELYRA_PROJECT_DIR="+r.o.Dir, "CLAUDE_PROJECT_DIR="+r.o.Dir)
	var stdout, stderr bounded
	stdout.room, stderr.room = maxStdout, maxStderr
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &stdout, &stderr
	cmd.WaitDelay = pipeDelay
	g, err := process.StartSession(cmd)
	if err != nil {
		return Outcome{}, fmt.Errorf("it does not start: %w", err)
	}
	defer g.Release()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		g.Kill()
		<-ended
		err = ctx.Err()
	}
	g.Kill() // what it has left running
	return judge(in.Event, h, err, &stdout, &stderr)
}

// judge says what a command's end means.
func judge(event Event, h hook, err error, stdout, stderr *bounded) (Outcome, error) {
	var exit *exec.ExitError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return Outcome{}, fmt.Errorf("it took longer than %s", h.timeout)
	case errors.As(err, &exit) && exit.ExitCode() == 2 && event != SessionStart:
		return Outcome{Block: true, Reason: stderr.String()}, nil
	case errors.As(err, &exit):
		return Outcome{}, fmt.Errorf("it ended with %s: %s", exit, clip(strings.TrimSpace(stderr.String()), 500))
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return Outcome{}, err
	case stdout.full:
		return Outcome{}, fmt.Errorf("it wrote more than %d KB", maxStdout>>10)
	}
	o, problem := understand(event, stdout.String())
	if problem != "" {
		return o, errors.New(problem)
	}
	return o, nil
}

// bounded keeps the beginning of what is written to it.
type bounded struct {
	buffer bytes.Buffer
	room   int
	full   bool
}

func (b *bounded) Write(p []byte) (int, error) {
	keep := p[:min(len(p), b.room-b.buffer.Len())]
	b.buffer.Write(keep)
	b.full = b.full || len(keep) < len(p)
	return len(p), nil
}

func (b *bounded) String() string { return strings.ToValidUTF8(b.buffer.String(), "\ufffd") }
