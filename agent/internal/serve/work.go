package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/session"
	"github.com/elyra-go/elyra/agent/internal/workspace"
)

// work opens an agent for a task and runs it to its end.
func (s *Server) work(ctx context.Context, args taskArgs, act *activity) (out outcome, err error) {
	w, err := s.o.Open(ctx)
	if err != nil {
		return out, err
	}
	run := &run{act: act, edits: core.NewEdits(w.Project)}
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
	out.Changed = run.edits.List(agent.Changed())
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
	"user's consent is refused, as is a command with unsandboxed: true. Say in the answer what could not be done for want of it."

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
	edits  *core.Edits
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
		r.act.say("%s", describe(e.Call))
	case loop.KindResult:
		if e.Output.IsError {
			r.act.say("%s failed: %s", e.Call.Name, model.Message{Content: e.Output.Content}.String())
		}
		r.edits.Note(e.Output)
	case loop.KindCompacting:
		r.act.say("earlier messages are summarised")
	case loop.KindNotice:
		r.act.say("%s", e.Text)
	}
	r.record.note(e)
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
