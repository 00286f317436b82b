package loop

import "github.com/elyra-go/elyra/agent/internal/model"

// Kind says what an event tells.
type Kind string

// The kinds of events.
const (
	KindPrompt     Kind = "prompt"     // Message: what the user said, taken in now
	KindRequest    Kind = "request"    // the model is asked
	KindStream     Kind = "stream"     // Stream: a step of its answer
	KindMessage    Kind = "message"    // Message: its whole answer
	KindCall       Kind = "call"       // Call starts to run
	KindProgress   Kind = "progress"   // Text of the running Call
	KindResult     Kind = "result"     // Call has ended with Output
	KindCompacting Kind = "compacting" // earlier messages are being summarised
	KindCompacted  Kind = "compacted"  // Text is the summary
	KindNotice     Kind = "notice"     // Text for the user
	KindEnd        Kind = "end"        // the work on the prompt has ended
)

// Event is something that happens while the agent works.
type Event struct {
	Kind    Kind
	Message *model.Message
	Stream  *model.Event
	Call    *model.Call
	Output  *Output
	Text    string
}
