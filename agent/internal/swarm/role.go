package swarm

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/mcptools"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// Role says what a child may do.
type Role string

// The roles.
const (
	Plan Role = "plan" // it only reads
	Work Role = "work" // it does what the user allows
)

const (
	working = "You are working for another agent, which has given you the task and reads your last message. You cannot ask it anything, and nobody sees what " +
		"you say before. "
	answering = " Answer with what was asked for, in the form in which it was asked for, with exact names, paths and line numbers, and say what you could not "
)

// Prompt is what the role adds to the child's system prompt.
func (r Role) Prompt() string {
	if r == Work {
		return working + "Your role is to do the task and nothing beyond it: you may read, search, edit files and run commands, and the user is asked about what " +
			"changes something. When something is not allowed, go on without it or end." + answering + "do."
	}
	return working + "Your role is to find out and to plan: you read and search, and change nothing." + answering + "find out."
}

// check says why a child of this role must not make a call, nil if it may. What may run besides is the user's business.
func (r Role) check(tool loop.Tool, call *model.Call) error {
	if r == Work || call.Name == mcptools.SearchName {
		return nil
	}
	subject, ok := subjectOf(tool, call.Arguments)
	switch {
	case !ok:
		return fmt.Errorf("the arguments of %s do not fit: server and tool are texts, arguments is an object", call.Name)
	case subject.Hash == "":
		return fmt.Errorf("it is not known what the tool %q of server %q does: find it with %s first", subject.Tool, subject.Server, mcptools.SearchName)
	case !subject.ReadOnly:
		return fmt.Errorf("an agent of the role %s may only call tools that say that they only read, and the tool %q of server %q does not: leave it to the agent that you work for",
			r, subject.Tool, subject.Server)
	}
	return nil
}

func subjectOf(tool loop.Tool, arguments jsontext.Value) (mcptools.Subject, bool) {
	named, ok := tool.(mcptools.Named)
	if !ok {
		return mcptools.Subject{}, false
	}
	return named.Subject(arguments)
}
