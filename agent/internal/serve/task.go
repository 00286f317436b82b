package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
)

// The modes of a task.
const (
	modeRead = "read-only"
	modeEdit = "edit"
)

// maxTask is the longest task in bytes. What is longer belongs into a file.
const maxTask = 512 << 10

type taskArgs struct {
	Task    string `json:"task"`
	Mode    string `json:"mode"`
	Model   string `json:"model"`
	Session string `json:"session"`
}

func (s *Server) taskInput() string {
	modes := `["read-only"]`
	if !s.o.ReadOnly {
		modes = `["read-only","edit"]`
	}
	return `{"type":"object","additionalProperties":false,"required":["task"],"properties":{
"task":{"type":"string","minLength":1,"description":"What to do, with all that one needs to know for it. At most 512 KB."},
"mode":{"type":"string","enum":` + modes + `,"default":"read-only","description":"` + s.modes() + `"},
"model":{"type":"string","description":"provider/id or a part of it. Default: the one that Elyra is set to."},
"session":{"type":"string","description":"The id of an earlier task's session, to go on with it. Default: a fresh session."}}}`
}

func (s *Server) modes() string {
	if s.o.ReadOnly {
		return "It can only read and search files."
	}
	return "In read-only mode it can only read and search files; in edit mode it can also edit the project's files and run commands."
}

const taskOutput = `{"type":"object","additionalProperties":false,"required":["answer","changedFiles","cost","model","mode"],"properties":{
"answer":{"type":"string","description":"What the agent says at the end."},
"changedFiles":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["path","change"],"properties":{
"path":{"type":"string","description":"Relative to the project, with slashes."},
"change":{"type":"string","enum":["created","modified","deleted"]}}}},
"cost":{"type":"number","description":"Of this task, in US dollars."},
"session":{"type":"string","description":"Goes on with elyra --session ID, and with this tool's argument session."},
"transcript":{"type":"string","description":"The resource with all that happened."},
"model":{"type":"string"},
"mode":{"type":"string"},
"error":{"type":"string","description":"Why the work ended before it was done."}}}`

// outcome is what a task has come to.
type outcome struct {
	Answer     string            `json:"answer"`
	Changed    []core.FileChange `json:"changedFiles"`
	Cost       float64           `json:"cost"`
	Session    string            `json:"session,omitzero"`
	Transcript string            `json:"transcript,omitzero"`
	Model      string            `json:"model"`
	Mode       string            `json:"mode"`
	Error      string            `json:"error,omitzero"`
}

// task runs the agent on a task.
func (s *Server) task(ctx context.Context, call *mcpserver.Call) (*mcp.CallToolResult, error) {
	var args taskArgs
	err := decode(call.Arguments, &args)
	if err == nil {
		err = args.check(s.o.ReadOnly)
	}
	if err != nil {
		return failed(err), nil
	}
	act := newActivity(call.Progress, s.o.Beat, s.o.Now)
	defer act.stop()
	leave, err := s.line.enter(ctx, act.place)
	if err != nil {
		return failed(err), nil
	}
	defer leave()
	out, err := s.work(ctx, args, act)
	if err != nil {
		return failed(err), nil
	}
	r, err := answered(out.text(), out)
	if err == nil {
		r.IsError = out.Error != ""
	}
	return r, err
}

// place tells how many are before a call that waits.
func (a *activity) place(before int) {
	switch before {
	case 0:
		a.say("starting")
	case 1:
		a.say("waiting: tasks run one at a time, and 1 is before this one")
	default:
		a.say("waiting: tasks run one at a time, and %d are before this one", before)
	}
}

// check says what is wrong with the arguments, and fills in the mode.
func (a *taskArgs) check(readOnly bool) error {
	a.Mode = cmp.Or(a.Mode, modeRead)
	switch {
	case strings.TrimSpace(a.Task) == "":
		return errors.New(`the argument "task" is missing: say what to do`)
	case len(a.Task) > maxTask:
		return fmt.Errorf("the task has %s, more than %s: put it into a file in the project and name that", result.Size(len(a.Task)), result.Size(maxTask))
	case a.Mode != modeRead && readOnly:
		return fmt.Errorf(`there is no mode %q: this server was started with --read-only, so "read-only" is the only one`, result.OneLine(a.Mode, 40))
	case a.Mode != modeRead && a.Mode != modeEdit:
		return fmt.Errorf(`there is no mode %q: it is "read-only" or "edit"`, result.OneLine(a.Mode, 40))
	}
	return nil
}

// text is an outcome in words.
func (o *outcome) text() string {
	var b strings.Builder
	if o.Error != "" {
		fmt.Fprintf(&b, "The task is not done: %s\n\n", o.Error)
	}
	if o.Answer != "" {
		fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(o.Answer))
	} else if o.Error == "" {
		b.WriteString("(The model said nothing.)\n\n")
	}
	if len(o.Changed) > 0 {
		b.WriteString("Changed files:\n")
		for _, c := range o.Changed[:min(len(o.Changed), maxChangedShown)] {
			fmt.Fprintf(&b, "- %s (%s)\n", c.Path, c.What)
		}
		if more := len(o.Changed) - maxChangedShown; more > 0 {
			fmt.Fprintf(&b, "- and %d more\n", more)
		}
		b.WriteString("\n")
	} else if o.Mode == modeEdit {
		b.WriteString("No file changed.\n\n")
	}
	fmt.Fprintf(&b, "Model: %s. Cost: $%.4f. Session: %s (elyra --session %s goes on with it).\n", o.Model, o.Cost, o.Session, o.Session)
	return b.String()
}

// maxChangedShown is how many changed files are listed in words; all are in the data.
const maxChangedShown = 200
