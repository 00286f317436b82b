package loop

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// Tool is something that the model may call.
type Tool interface {
	// Spec is what the model is told. It is the same throughout a session.
	Spec() model.Tool
	// Concurrent reports whether a call may run beside others: it only reads.
	Concurrent(arguments jsontext.Value) bool
	// Run does the work of a call whose arguments are an object. Progress gets what there is to see meanwhile. The output is what the model is told, also when it says
	// that something went wrong; an error is a fault of the tool itself. One that wraps ErrStop ends the whole work, as a
	// gate's does, and the output counts beside it. What was used counts in any case.
	Run(ctx context.Context, call *model.Call, progress func(text string)) (Output, error)
}

// Output is the result of a tool.
type Output struct {
	Content []model.Block // text and images
	IsError bool
	Details any // for who shows it; not seen by the model

	// What the tool has used of models itself, in tokens and US dollars. It counts as the conversation's.
	Usage model.Usage
	Cost  float64
}

// Gate decides whether a call may run. It may ask the user, for as long as that takes.
type Gate interface {
	// Allow returns nil when the call may run, with the arguments that it has then, otherwise why not, in words that the model can act on. An error that wraps
	// ErrStop ends the whole work: the user wants to say something.
	Allow(ctx context.Context, call *model.Call) error
}

// ErrStop is wrapped by the error of a Gate or a Tool to end the work on the prompt.
var ErrStop = errors.New("stopped by the user")

// Store keeps a session's messages.
type Store interface {
	// Append stores a message so that it survives a crash.
	Append(m model.Message) error
	// Compact stores that the messages before the last keep ones are replaced by a summary, and what the summary took in
	// tokens and US dollars.
	Compact(summary string, keep int, usage model.Usage, cost float64) error
}

// Options configure New. Provider and Model are needed.
type Options struct {
	Provider model.Provider
	Model    model.Spec
	Level    model.Level
	System   string
	Tools    []Tool
	Late     func() []Tool    // called before each request: deferred tools that came since; nil: none come
	Gate     Gate             // nil: everything is allowed
	Store    Store            // nil: nothing is kept
	History  []model.Message  // what was said before
	Spent    Totals           // the tokens and the money that the conversation has used before; zero: what History says
	Session  string           // names the session to the vendor's cache
	On       func(Event)      // gets what happens, from one goroutine at a time; nil: nobody watches
	MaxTurns int              // requests for one prompt; 0: 200
	Reserve  int64            // tokens that a request must leave free; 0: as much as an answer may take, at most 20,000
	Keep     int64            // tokens that stay as they are when the rest is summarised; 0: 20,000
	Now      func() time.Time // nil: time.Now
}

const (
	defaultMaxTurns = 200
	defaultReserve  = 20_000
	defaultKeep     = 20_000
)

func (o Options) withDefaults() Options {
	if o.Gate == nil {
		o.Gate = everything{}
	}
	if o.Store == nil {
		o.Store = nowhere{}
	}
	if o.On == nil {
		o.On = func(Event) {}
	}
	if o.MaxTurns <= 0 {
		o.MaxTurns = defaultMaxTurns
	}
	if o.Reserve <= 0 {
		o.Reserve = defaultReserve
		if o.Model.MaxOutput > 0 {
			o.Reserve = min(o.Reserve, o.Model.MaxOutput)
		}
	}
	if o.Keep <= 0 {
		o.Keep = defaultKeep
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

type everything struct{}

func (everything) Allow(context.Context, *model.Call) error { return nil }

type nowhere struct{}

func (nowhere) Append(model.Message) error                      { return nil }
func (nowhere) Compact(string, int, model.Usage, float64) error { return nil }
