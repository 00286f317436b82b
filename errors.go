package elyra

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ValidationError says what is wrong with a call's arguments: messages by the JSON path of what they
// are about, such as "input.lines[1].qty".
type ValidationError map[string][]string

// Error lists the messages, one a line, sorted by path.
func (e ValidationError) Error() string {
	var b strings.Builder
	b.WriteString("the arguments are not valid:")
	for _, path := range slices.Sorted(maps.Keys(e)) {
		for _, m := range e[path] {
			if path == "" {
				fmt.Fprintf(&b, "\n- %s", m)
			} else {
				fmt.Fprintf(&b, "\n- %s: %s", path, m)
			}
		}
	}
	return b.String()
}

// under returns the error with each path put under prefix.
func (e ValidationError) under(prefix string) ValidationError {
	out := make(ValidationError, len(e))
	for path, m := range e {
		switch {
		case path == "":
			out[prefix] = m
		case path[0] == '[':
			out[prefix+path] = m
		default:
			out[prefix+"."+path] = m
		}
	}
	return out
}

// NotAllowedError is the refusal of a call for want of an ability.
type NotAllowedError struct {
	// Command is the command that was called, Ability what it needs.
	Command, Ability string
}

func (e *NotAllowedError) Error() string {
	return fmt.Sprintf("%s needs the ability %q, which this window was not given: add it to App.AllowAbilities", e.Command, e.Ability)
}

// UnknownCommandError is the refusal of a call to a command that the app does not have.
type UnknownCommandError struct {
	// Command is the name that was called, Nearest the name most like it, or "".
	Command, Nearest string
}

func (e *UnknownCommandError) Error() string {
	if e.Nearest != "" {
		return fmt.Sprintf("there is no command %q; did you mean %q?", e.Command, e.Nearest)
	}
	return fmt.Sprintf("there is no command %q", e.Command)
}

// Private hides err from whoever made the call: they are told an id, and the log has the cause under
// that id. An error that is not private reaches the caller as its text.
func Private(err error) error {
	if err == nil {
		return nil
	}
	return &privateError{cause: err}
}

type privateError struct {
	cause error
	stack string // of a panic
}

func (e *privateError) Error() string { return "private: " + e.cause.Error() }
func (e *privateError) Unwrap() error { return e.cause }

// hiddenError is a private error after it was logged: all that the caller is told is the id. The
// cause is for the window of an app in development.
type hiddenError struct {
	id    string
	cause error
}

func (e *hiddenError) Error() string {
	return "something went wrong inside the app (error " + e.id + ", explained in its log)"
}

// errStopped is what a call gets from an instance that is closed or closing.
var errStopped = errors.New("the app is stopping")
