package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/session"
	"github.com/elyra-go/elyra/agent/internal/workspace"
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
	Answer     string   `json:"answer"`
	Changed    []change `json:"changedFiles"`
	Cost       float64  `json:"cost"`
	Session    string   `json:"session,omitzero"`
	Transcript string   `json:"transcript,omitzero"`
	Model      string   `json:"model"`
	Mode       string   `json:"mode"`
	Error      string   `json:"error,omitzero"`
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

// work opens an agent for a task and runs it to its end.
func (s *Server) work(ctx context.Context, args taskArgs, act *activity) (out outcome, err error) {
	w, err := s.o.Open(ctx)
	if err != nil {
		return out, err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	run := &run{act: act, end: end, edits: newEdits(w.Project)}
	o := s.o.Core
	o.Workspace, o.On, o.Model = w, run.on, cmp.Or(args.Model, o.Model)
	o.Notice = func(text string) {
		act.say("%s", text)
		s.o.Log.Info(text)
	}
	if o.ReadOnly = args.Mode == modeRead; !o.ReadOnly {
		o.Allow, o.Append = append(editRules(), o.Allow...), o.Append+editNote
	}
	if args.Session != "" {
		if o.Session, err = ownSession(w, args.Session); err != nil {
			return out, err
		}
	}
	agent, err := core.Open(ctx, o)
	if err != nil {
		return out, fmt.Errorf("the task did not begin: %w", err)
	}
	defer func() {
		if closeErr := agent.Close(); closeErr != nil {
			s.o.Log.Error("a task did not end well", "reason", closeErr)
		}
	}()
	spec, _ := agent.Model()
	out = outcome{Session: agent.Session.ID(), Model: spec.String(), Mode: args.Mode}
	run.record = s.tasks.begin(out, args.Task, s.o.Now())
	out.Transcript = run.record.uri()
	act.say("at work with %s, session %s", out.Model, out.Session)
	before := agent.Totals().Cost
	last, err := agent.Prompt(ctx, model.Text(args.Task))
	out.Answer, out.Cost = result.Clean(last.String()), agent.Totals().Cost-before
	out.Changed = run.edits.list(agent.Changed())
	if err != nil {
		out.Error = result.Clean(why(ctx, err))
	} else if reason := unfinished[last.Stop]; reason != "" {
		out.Error = reason
	}
	run.record.finish(out)
	return out, nil
}

// unfinished are the ways in which a model stops without being done.
var unfinished = map[model.Stop]string{
	model.StopLength:  "the answer was cut off at the longest that the model gives: go on in the same session",
	model.StopRefusal: "the model refuses the task",
}

// why says in words why work ended early.
func why(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return context.Cause(ctx).Error()
	}
	return err.Error()
}

// editRules are what the host allows by choosing the mode edit. They are rules as the user's are: the user's own to ask or to
// deny come before them, as does what is never allowed without a person, and they say nothing of MCP servers.
func editRules() []permission.Rule {
	rules, err := permission.ParseRules([]string{"edit:**", "bash"})
	if err != nil {
		panic(err) // They are constant.
	}
	return rules
}

const editNote = "\nNobody can be asked anything in this session. Files of the project may be edited and commands may run; what would need the " +
	"user's consent is refused. A command with unsandboxed: true ends the work: never set it, and say in the answer what could not be done for want of it."

var errUnsandboxed = errors.New("the model wanted to run a command outside of the sandbox, which only a person can allow: the work was ended before it ran")

// ownSession chooses a session of the project to go on with.
func ownSession(w *workspace.Workspace, id string) (core.Choice, error) {
	found, err := session.New(w.Home, session.Options{}).Find(id)
	if err == nil && found.Header.Cwd != w.Project {
		err = fs.ErrNotExist
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("this project has no such session: leave the argument out for a fresh one")
	}
	if err != nil {
		return core.Choice{}, fmt.Errorf("session %q: %w", result.OneLine(id, 80), err)
	}
	return core.Choice{ID: found.Header.ID}, nil
}

// run is what is done with the events of a task.
type run struct {
	act    *activity
	end    context.CancelCauseFunc
	edits  *edits
	record *record // nil before the task begins
}

func (r *run) on(e loop.Event) {
	switch e.Kind {
	case loop.KindRequest:
		r.act.say("the model is thinking")
	case loop.KindStream:
		if e.Stream.Kind == model.EventRetry {
			r.act.say("the model is asked again in %v: %s", e.Stream.After, e.Stream.Text)
		}
	case loop.KindCall:
		if wantsOut(e.Call) {
			r.end(errUnsandboxed)
		}
		r.act.say("%s", describe(e.Call))
	case loop.KindResult:
		if e.Output.IsError {
			r.act.say("%s failed: %s", e.Call.Name, model.Message{Content: e.Output.Content}.String())
		}
		r.edits.note(e.Output)
	case loop.KindCompacting:
		r.act.say("earlier messages are summarised")
	case loop.KindNotice:
		r.act.say("%s", e.Text)
	}
	r.record.note(e)
}

// wantsOut reports a command that is to run outside of the sandbox.
func wantsOut(c *model.Call) bool {
	var args struct {
		Unsandboxed bool `json:"unsandboxed"`
	}
	return c.Name == "bash" && json.Unmarshal(c.Arguments, &args) == nil && args.Unsandboxed
}

// describe says in one line what a call does: its tool, and the argument that tells most.
func describe(c *model.Call) string {
	var args map[string]jsontext.Value
	_ = json.Unmarshal(c.Arguments, &args) // Without arguments the name is all there is to say.
	for _, name := range []string{"command", "path", "pattern", "query", "server"} {
		var text string
		if json.Unmarshal(args[name], &text) == nil && text != "" {
			if tool := ""; name == "server" && json.Unmarshal(args["tool"], &tool) == nil {
				text += " " + tool
			}
			return c.Name + " " + text
		}
	}
	return c.Name
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
