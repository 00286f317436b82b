package tools

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// Kind says what a tool does, for permission.
type Kind string

// The kinds.
const (
	Read    Kind = "read"    // looks at files
	Write   Kind = "write"   // changes files
	Run     Kind = "run"     // runs a command, which may do anything
	Network Kind = "network" // speaks to other machines
)

// Tool is something that a model may call. It may be used concurrently.
type Tool interface {
	// Spec is what the model is told; the same bytes at every call.
	Spec() model.Tool
	Kind() Kind
	// Describe says in one line for people what a call with these arguments would do. The line is clean.
	Describe(args jsontext.Value) string
	// Paths returns the files and folders that a call would touch, as far as that can be known before it runs. The error is
	// about the arguments, and Run would give it too.
	Paths(args jsontext.Value) ([]Path, error)
	// Run does it. What the model must know, failures too, is in the Output; an error means that ctx ended, and the Output
	// then is what there was until then.
	Run(ctx context.Context, call Call) (Output, error)
}

// Previewer is a tool that can show what a call would change before it does.
type Previewer interface {
	// Preview returns a unified difference. The error is what Run would fail with.
	Preview(args jsontext.Value) (diff string, err error)
}

// Call is one call.
type Call struct {
	Arguments jsontext.Value

	// Paths is what permission was given for. Run refuses when a path leads elsewhere now. Nil: nobody asked.
	Paths []Path

	// Progress gets what a command prints as it comes, from one goroutine at a time, raw. It may be nil.
	Progress func(chunk []byte)
}

// Output is what a call came to.
type Output struct {
	Text     string // for the model: clean and bounded
	Images   []model.Image
	Overflow string // the file with the whole text, "" when Text is the whole
	IsError  bool   // Text says what went wrong
	Diff     string // unified, for people
	Changes  []Change
	Details  Details
}

// Change is a file that a call changed on disk.
type Change struct {
	Path string   // resolved
	What Happened // to it
	// Undoable reports whether Env.Changed was given what the file was before.
	Undoable bool
}

// Happened says what happened to a file.
type Happened string

// What may happen to a file.
const (
	Created  Happened = "created"
	Modified Happened = "modified"
	Deleted  Happened = "deleted"
)

// Details is what a screen shows of a call beside its text.
type Details struct {
	Path     string // the file or folder it was about, as people write it
	Lines    int    // read, written or found
	Added    int    // lines
	Removed  int    // lines
	ExitCode int    // of a command; -1 when a signal ended it
	Duration time.Duration
	TimedOut bool
}

// failed is the output of a call that could not do what it was to do.
func failed(err error) Output { return Output{Text: err.Error(), IsError: true} }
