package model

import (
	"context"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Provider answers requests with a vendor's models. It may be used concurrently.
type Provider interface {
	// Stream sends a request and tells on about the answer as it comes, from one goroutine. The message is what has arrived,
	// with its usage and cost, also when there is an error or ctx has ended. The error is an *Error, or that of ctx.
	Stream(ctx context.Context, r Request, on func(Event)) (Message, error)
}

// Request is one request. System, Tools and the beginning of Messages are the same bytes throughout a session, so that the
// vendor's cache holds.
type Request struct {
	Model     Spec
	System    string
	Tools     []Tool
	Messages  []Message
	MaxOutput int64  // tokens; 0: what the model allows
	Level     Level  // of thinking
	Session   string // names the session to the vendor's cache, "" for none
}

// Tool is a tool that the model may call.
type Tool struct {
	Name        string         `json:"name"` // [A-Za-z0-9_-]{1,64}
	Description string         `json:"description"`
	InputSchema jsontext.Value `json:"inputSchema"` // self-contained, the root an object
	// Deferred keeps the tool out of what the model sees until it looks for it, where the vendor can do that.
	Deferred bool `json:"deferred,omitzero"`
}

// Level is how much a model is to think.
type Level string

// The levels, from none to most. A vendor without one takes the nearest.
const (
	LevelOff     Level = "off"
	LevelMinimal Level = "minimal"
	LevelLow     Level = "low"
	LevelMedium  Level = "medium"
	LevelHigh    Level = "high"
	LevelXHigh   Level = "xhigh"
)

// EventKind says what an event tells.
type EventKind string

// The kinds of events.
const (
	EventStart     EventKind = "start"     // the answer begins
	EventText      EventKind = "text"      // Text goes on in Block
	EventThinking  EventKind = "thinking"  // Text of a thought goes on in Block
	EventCallStart EventKind = "callStart" // Call has id and name
	EventCallArgs  EventKind = "callArgs"  // Text is more of the arguments
	EventCallEnd   EventKind = "callEnd"   // Call is complete
	EventUsage     EventKind = "usage"     // Usage so far
	EventRetry     EventKind = "retry"     // the request is sent again After, because of Text
)

// Event is one step of an answer.
type Event struct {
	Kind  EventKind
	Block int // index into the message's content
	Text  string
	Call  *Call
	Usage *Usage
	After time.Duration
}

// ErrorKind says what kind of failure a request met.
type ErrorKind string

// The kinds of errors.
const (
	ErrAuth       ErrorKind = "auth" // the key is missing or wrong
	ErrRateLimit  ErrorKind = "rateLimit"
	ErrOverloaded ErrorKind = "overloaded"
	ErrOverflow   ErrorKind = "overflow" // the request is longer than the model's context
	ErrInvalid    ErrorKind = "invalid"  // the vendor does not understand the request
	ErrRefused    ErrorKind = "refused"  // not allowed: policy, permission, no credit
	ErrServer     ErrorKind = "server"
	ErrNetwork    ErrorKind = "network" // no answer, or one that broke off
)

// Error is why a request failed.
type Error struct {
	Kind       ErrorKind
	Status     int           // of HTTP, 0 without an answer
	RetryAfter time.Duration // what the vendor asked for, 0 when it did not
	Message    string        // the vendor's words, or ours; never a key
	RequestID  string        // the vendor's
	Tool       int           // 1 + index of the tool that the vendor refuses, 0 when it does not say
}

func (e *Error) Error() string {
	text := e.Message
	if e.RequestID != "" {
		text += " (request " + e.RequestID + ")"
	}
	return text
}
