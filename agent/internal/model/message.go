package model

import "github.com/go-json-experiment/json/jsontext"

// Role says who speaks.
type Role string

// The roles. The results of calls come from the user's side.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is what one side says at a time.
type Message struct {
	Role    Role    `json:"role"`
	Content []Block `json:"content"`

	// What follows is set in a model's messages only, but for usage and cost: in a message of results they are what the tools
	// have used of models themselves.

	Model string  `json:"model,omitzero"` // provider/id
	Usage *Usage  `json:"usage,omitzero"`
	Cost  float64 `json:"cost,omitzero"` // US dollars
	Stop  Stop    `json:"stop,omitzero"`
	Error string  `json:"error,omitzero"` // why Stop is "error", for people
}

// Block is a piece of a message. Exactly one of its fields is set.
type Block struct {
	Text     string    `json:"text,omitzero"`
	Thinking *Thinking `json:"thinking,omitzero"`
	Image    *Image    `json:"image,omitzero"`
	Call     *Call     `json:"call,omitzero"`
	Result   *Result   `json:"result,omitzero"`
}

// Text returns a block of text.
func Text(s string) Block { return Block{Text: s} }

// Thinking is what a model thought before it answered. It goes back only to the vendor that it came from.
type Thinking struct {
	Text      string `json:"text,omitzero"`
	Signature string `json:"signature,omitzero"` // by which the vendor knows it again
	Redacted  []byte `json:"redacted,omitzero"`  // what only the vendor can read, Text being then a summary or empty
	Provider  string `json:"provider"`
}

// Image is a picture: PNG, JPEG, GIF or WebP.
type Image struct {
	MIMEType string `json:"mimeType"`
	Data     []byte `json:"data"`
}

// Call is a model's wish to run a tool.
type Call struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Arguments is a JSON object, nil when Broken says why there is none.
	Arguments jsontext.Value `json:"arguments,omitzero"`
	// Broken says why the call must not run, in words that the model can act on: it was cut off, or its arguments are no
	// JSON object. Empty: it may.
	Broken string `json:"broken,omitzero"`
	// Namespace is where the vendor found the tool when it had to be searched for. It goes back with the call.
	Namespace string `json:"namespace,omitzero"`
	// Raw is what came as arguments when Broken is set.
	Raw string `json:"raw,omitzero"`
}

// Result is what a call came to. Each call has exactly one, in the user's message that follows.
type Result struct {
	CallID  string  `json:"callId"`
	Content []Block `json:"content"` // text and images
	IsError bool    `json:"isError,omitzero"`
}

// Usage counts the tokens of one answer. Input is without what was read from or written to the vendor's cache.
type Usage struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead,omitzero"`
	CacheWrite int64 `json:"cacheWrite,omitzero"`
	Thinking   int64 `json:"thinking,omitzero"` // a part of Output
}

// Total is what the request filled of the model's context, with the answer.
func (u Usage) Total() int64 { return u.Input + u.CacheRead + u.CacheWrite + u.Output }

// Plus adds two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output, Thinking: u.Thinking + v.Thinking,
		CacheRead: u.CacheRead + v.CacheRead, CacheWrite: u.CacheWrite + v.CacheWrite,
	}
}

// Stop says why a message ended.
type Stop string

// The reasons. After "calls" the model waits for results.
const (
	StopEnd       Stop = "end"
	StopCalls     Stop = "calls"
	StopLength    Stop = "length"
	StopRefusal   Stop = "refusal"
	StopCancelled Stop = "cancelled"
	StopError     Stop = "error"
)

// Calls returns the calls of a message.
func (m Message) Calls() []*Call {
	var calls []*Call
	for _, b := range m.Content {
		if b.Call != nil {
			calls = append(calls, b.Call)
		}
	}
	return calls
}

// String returns the text of a message without thinking, calls and results.
func (m Message) String() string {
	var text string
	for _, b := range m.Content {
		if b.Text == "" {
			continue
		}
		if text != "" {
			text += "\n"
		}
		text += b.Text
	}
	return text
}
