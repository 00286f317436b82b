package swarm

import (
	"context"
	_ "embed"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
)

// ToolName is the name of the tool.
const ToolName = "agent"

//go:embed agent.md
var prompt string

const schema = `{"type":"object","properties":{` +
	`"task":{"type":"string","description":"all that the other agent needs to know"},` +
	`"role":{"type":"string","enum":["plan"],"description":"what it may do; plan by default"}` +
	`},"required":["task"],"additionalProperties":false}`

const (
	defaultAtOnce = 8
	defaultTime   = 30 * time.Minute
	// maxTask is the longest task, in bytes.
	maxTask = 256 << 10
)

// Options configure New. Command and Job are needed.
type Options struct {
	// Command makes a command that runs Work with its standard streams. It must leave them alone.
	Command func() *exec.Cmd
	// Started is told the process id of each child, which is that of its group. What it returns is called when all of it is
	// gone. Nil: nobody is told.
	Started func(pid int) (gone func())
	// Job is what every child is told beside its task: its model.
	Job func() Job
	// Tools are those of MCP servers that children may use. They run in this process.
	Tools []loop.Tool
	// Observe wraps Tools before they are used. Nil: it does not.
	Observe func([]loop.Tool) []loop.Tool
	// Permit decides about a call that the role of a child allows. Who names the child to the user. Nil: everything is
	// allowed. An error that wraps loop.ErrStop ends the child.
	Permit func(ctx context.Context, who string, call *model.Call) error
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
}

// New returns the tool. It starts nothing.
func New(o Options) *Tool {
	if o.Observe == nil {
		o.Observe = func(tools []loop.Tool) []loop.Tool { return tools }
	}
	if o.Permit == nil {
		o.Permit = func(context.Context, string, *model.Call) error { return nil }
	}
	if o.AtOnce <= 0 {
		o.AtOnce = defaultAtOnce
	}
	if o.Time <= 0 {
		o.Time = defaultTime
	}
	if o.Grace <= 0 {
		o.Grace = time.Second
	}
	return &Tool{o: o, slots: make(chan struct{}, o.AtOnce)}
}

// Spec is what the model is told.
func (t *Tool) Spec() model.Tool {
	return model.Tool{Name: ToolName, Description: strings.TrimSpace(prompt), InputSchema: jsontext.Value(schema)}
}

// Concurrent reports that children work beside each other: they only read.
func (*Tool) Concurrent(jsontext.Value) bool { return true }

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
	case a.Role != Plan:
		return a, fmt.Errorf(`there is no role %q: it is "plan"`, result.OneLine(string(a.Role), 40))
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

// Run has a child work on the task.
func (t *Tool) Run(ctx context.Context, c *model.Call, progress func(string)) (loop.Output, error) {
	a, err := parse(c.Arguments)
	if err != nil {
		return loop.Output{Content: []model.Block{model.Text(err.Error())}, IsError: true}, nil
	}
	select {
	case t.slots <- struct{}{}:
	default:
		progress(fmt.Sprintf("waiting: %d agents are at work", t.o.AtOnce))
		select {
		case t.slots <- struct{}{}:
		case <-ctx.Done():
			return loop.Output{Content: []model.Block{model.Text("(interrupted before it began)")}, IsError: true}, nil
		}
	}
	defer func() { <-t.slots }()
	answer, spent, err := t.work(ctx, a, progress)
	return t.output(answer, spent, err), nil
}

// output makes the result for the model.
func (t *Tool) output(answer string, spent Spent, err error) loop.Output {
	text, _, fitErr := result.Fit(result.Clean(answer), result.Limits{}, t.o.Results)
	if fitErr != nil {
		text += "\n" + fitErr.Error()
	}
	if err != nil {
		text = strings.TrimSpace("The agent is not done: " + result.Clean(err.Error()) + "\n\n" + text)
	}
	text = strings.TrimSpace(fmt.Sprintf("%s\n\n(%d requests to the model, $%.4f)", strings.TrimSpace(text), spent.Requests, spent.Cost))
	return loop.Output{
		Content: []model.Block{model.Text(text)}, IsError: err != nil, Usage: spent.Usage, Cost: spent.Cost, Details: spent,
	}
}
