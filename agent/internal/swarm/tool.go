package swarm

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tools"
)

// ToolName is the name of the tool.
const ToolName = "agent"

//go:embed agent.md
var prompt string

const schema = `{"type":"object","properties":{` +
	`"task":{"type":"string","description":"all that the other agent needs to know"},` +
	`"role":{"type":"string","enum":["plan","work"],"description":"what it may do; plan by default"}` +
	`},"required":["task"],"additionalProperties":false}`

const (
	defaultAtOnce = 8
	defaultTime   = 30 * time.Minute
	// maxTask is the longest task, in bytes.
	maxTask = 256 << 10
)

// Options configure New. Command, Job and Kit are needed.
type Options struct {
	// Command makes a command that runs Serve with its standard streams. It must leave them alone.
	Command func() *exec.Cmd
	// Started is told the process id of each child, which is that of its group. What it returns is called when all of it is
	// gone. Nil: nobody is told.
	Started func(pid int) (gone func())
	// Job is what every child is told beside its task: its model, and the session of the agent that it works for.
	Job func() Job
	// Kit makes what a child gets. Who names the child to the user.
	Kit func(role Role, who string) Kit
	// Results is the folder in which answers that are too long for the model are kept whole. Empty: their middle is lost.
	Results string

	AtOnce int           // children at the same time; others wait. Zero: 8
	Time   time.Duration // how long a child may take. Zero: 30 min
	Grace  time.Duration // how long one may take to leave before it is killed. Zero: 1 s
}

// Tool is the tool agent.
type Tool struct {
	o     Options
	slots chan struct{} // one for each child that may be at work
	alone chan struct{} // the one of the child that may change something
}

// New returns the tool. It starts nothing.
func New(o Options) *Tool {
	if o.AtOnce <= 0 {
		o.AtOnce = defaultAtOnce
	}
	if o.Time <= 0 {
		o.Time = defaultTime
	}
	if o.Grace <= 0 {
		o.Grace = time.Second
	}
	return &Tool{o: o, slots: make(chan struct{}, o.AtOnce), alone: make(chan struct{}, 1)}
}

// Spec is what the model is told.
func (t *Tool) Spec() model.Tool {
	return model.Tool{Name: ToolName, Description: strings.TrimSpace(prompt), InputSchema: jsontext.Value(schema)}
}

// Concurrent reports whether a child works beside others: those that only read do. One that may change something works
// alone. Two would find the files other than they had read them, and what the commands of both have changed could not be told
// apart, so that taking one's changes back would take the other's.
func (t *Tool) Concurrent(arguments jsontext.Value) bool { return !t.Changes(arguments) }

// Changes reports whether a call has a child that may change something.
func (*Tool) Changes(arguments jsontext.Value) bool {
	a, err := parse(arguments)
	return err == nil && a.Role == Work
}

// args are those of the tool.
type args struct {
	Task string `json:"task"`
	Role Role   `json:"role"`
}

func parse(arguments jsontext.Value) (a args, err error) {
	if err := json.Unmarshal(arguments, &a, json.RejectUnknownMembers(true)); err != nil {
		return a, fmt.Errorf("the arguments do not fit: %w", err)
	}
	if a.Role == "" {
		a.Role = Plan
	}
	switch {
	case strings.TrimSpace(a.Task) == "":
		return a, fmt.Errorf(`the argument "task" is empty: say what to do`)
	case len(a.Task) > maxTask:
		return a, fmt.Errorf("the task has %s, more than %s: put it into a file and name that", result.Size(len(a.Task)), result.Size(maxTask))
	case a.Role != Plan && a.Role != Work:
		return a, fmt.Errorf(`there is no role %q: it is "plan" or "work"`, result.OneLine(string(a.Role), 40))
	}
	return a, nil
}

// Describe says in one line for people what a call would do.
func (*Tool) Describe(arguments jsontext.Value) string {
	a, err := parse(arguments)
	if err != nil {
		return ToolName
	}
	return result.OneLine(result.Clean(fmt.Sprintf("%s (%s): %s", ToolName, a.Role, a.Task)), 200)
}

// Run has a child work on the task. The error is that of a user who ends the work.
func (t *Tool) Run(ctx context.Context, c *model.Call, progress func(string)) (loop.Output, error) {
	a, err := parse(c.Arguments)
	if err != nil {
		return loop.Output{Content: []model.Block{model.Text(err.Error())}, IsError: true}, nil
	}
	needs := []chan struct{}{t.slots}
	if a.Role == Work { // The loop does not run it beside others; nobody else shall either.
		needs = append(needs, t.alone)
	}
	for _, slots := range needs {
		if !enter(ctx, slots, progress) {
			return loop.Output{Content: []model.Block{model.Text("(interrupted before it began)")}, IsError: true}, nil
		}
		defer func() { <-slots }()
	}
	done, err := t.work(ctx, a, progress)
	out := t.output(done, err)
	if errors.Is(err, loop.ErrStop) {
		return out, err
	}
	return out, nil
}

// enter takes a place, and waits for one if there is none. It reports false when ctx ends first.
func enter(ctx context.Context, slots chan struct{}, progress func(string)) bool {
	select {
	case slots <- struct{}{}:
		return true
	default:
	}
	progress(fmt.Sprintf("waiting: agents are at work, and %d may be at the same time", cap(slots)))
	select {
	case slots <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// output makes the result for the model.
func (t *Tool) output(done outcome, err error) loop.Output {
	text, _, fitErr := result.Fit(result.Clean(done.text), result.Limits{}, t.o.Results)
	parts := []string{text}
	if err != nil {
		parts = []string{"The agent is not done: " + result.Clean(err.Error()), text}
	}
	if fitErr != nil {
		parts = append(parts, fitErr.Error())
	}
	if len(done.lines) > 0 {
		parts = append(parts, "Changed files:\n"+strings.Join(done.lines, "\n"))
	}
	kept := ""
	if done.session != "" {
		kept = "; session " + done.session
	}
	parts = append(parts, fmt.Sprintf("(%d requests to the model, $%.4f%s)", done.spent.Requests, done.spent.Cost, kept))
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
	}
	return loop.Output{
		Content: []model.Block{model.Text(strings.TrimSpace(strings.Join(parts, "\n\n")))}, IsError: err != nil,
		Usage: done.spent.Usage, Cost: done.spent.Cost, Details: tools.Output{Changes: done.files},
	}
}
