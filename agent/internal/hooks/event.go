package hooks

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Event is what happens in a session.
type Event string

// The events.
const (
	SessionStart Event = "sessionStart" // a session begins or goes on: may add context
	UserPrompt   Event = "userPrompt"   // the user has said something: may block, rewrite, add context
	PreTool      Event = "preTool"      // a call is about to be judged: may block it, rewrite its arguments
	PostTool     Event = "postTool"     // a call has a result: may tell the model that it was wrong, add context
	Stop         Event = "stop"         // the model is done: may make it go on
)

// events are the known ones with the names that Claude Code has for them.
var events = []struct {
	event Event
	other string
}{
	{SessionStart, "SessionStart"},
	{UserPrompt, "UserPromptSubmit"},
	{PreTool, "PreToolUse"},
	{PostTool, "PostToolUse"},
	{Stop, "Stop"},
}

// Input is what a hook is told.
type Input struct {
	Event     Event
	Tool      string         // preTool and postTool
	Arguments jsontext.Value // of the call
	Result    string         // postTool: what the model is told
	IsError   bool
	Prompt    string // userPrompt
	Again     bool   // stop: a hook has made the model go on before
}

// wire is an Input as a command reads it.
type wire struct {
	Event      Event          `json:"event"`
	OtherEvent string         `json:"hook_event_name"`
	Session    string         `json:"session_id"`
	Transcript string         `json:"transcript_path"`
	Cwd        string         `json:"cwd"`
	Tool       string         `json:"tool_name,omitzero"`
	Arguments  jsontext.Value `json:"tool_input,omitzero"`
	Result     *wireResult    `json:"tool_response,omitzero"`
	Prompt     string         `json:"prompt,omitzero"`
	Again      bool           `json:"stop_hook_active,omitzero"`
}

type wireResult struct {
	Content string `json:"content"`
	IsError bool   `json:"is_error"`
}

func (r *Runner) encode(in Input) ([]byte, error) {
	w := wire{
		Event: in.Event, Session: r.o.Session, Transcript: r.o.Transcript, Cwd: r.o.Dir,
		Tool: in.Tool, Arguments: in.Arguments, Prompt: in.Prompt, Again: in.Again,
	}
	for _, e := range events {
		if e.event == in.Event {
			w.OtherEvent = e.other
		}
	}
	if in.Event == PostTool {
		w.Result = &wireResult{in.Result, in.IsError}
	}
	text, err := json.Marshal(w, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	return append(text, '\n'), err
}

// Outcome is what the hooks of an event want.
type Outcome struct {
	// Block forbids what is about to happen; after a call, or at the end, it makes Reason something the model has to act on.
	Block  bool
	Reason string
	// End ends the work; Reason is for the user.
	End bool
	// Arguments and Prompt are what is to be used instead, nil and "" for what was.
	Arguments jsontext.Value
	Prompt    string
	// Context is for the model, beside what it is told anyway.
	Context string
}

// output is what a command may write as JSON.
type output struct {
	Decision   string         `json:"decision"`
	Reason     string         `json:"reason"`
	Continue   *bool          `json:"continue"`
	StopReason string         `json:"stopReason"`
	Arguments  jsontext.Value `json:"arguments"`
	Prompt     string         `json:"prompt"`
	Context    string         `json:"additionalContext"`
	Specific   struct {
		Decision string         `json:"permissionDecision"`
		Reason   string         `json:"permissionDecisionReason"`
		Input    jsontext.Value `json:"updatedInput"`
		Context  string         `json:"additionalContext"`
	} `json:"hookSpecificOutput"`
}

// maxContext is how much of what a hook adds goes to the model.
const maxContext = 10 << 10

// understand reads what a command wrote. A problem says what could not be used.
func understand(event Event, stdout string) (o Outcome, problem string) {
	text := strings.TrimSpace(stdout)
	if !strings.HasPrefix(text, "{") {
		if event == SessionStart || event == UserPrompt {
			o.Context = clip(text, maxContext)
		}
		return o, ""
	}
	var out output
	if err := json.Unmarshal([]byte(text), &out, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return o, "what it wrote begins like JSON and is none that is understood"
	}
	s := out.Specific
	o.Block = out.Decision == "block" || out.Decision == "deny" || s.Decision == "deny"
	o.Reason = first(out.Reason, s.Reason)
	if out.Continue != nil && !*out.Continue {
		o.End, o.Reason = true, first(out.StopReason, o.Reason)
	}
	o.Context = clip(strings.TrimSpace(first(out.Context, s.Context)), maxContext)
	if event == UserPrompt {
		o.Prompt = strings.TrimSpace(out.Prompt)
	}
	if arguments := firstValue(out.Arguments, s.Input); event == PreTool && arguments != nil {
		if arguments.Kind() != '{' {
			return o, "the arguments that it wants are no JSON object"
		}
		o.Arguments = arguments
	}
	return o, problem
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func firstValue(values ...jsontext.Value) jsontext.Value {
	for _, v := range values {
		if v != nil && v.Kind() != 'n' {
			return v
		}
	}
	return nil
}

// clip cuts a text so that no character is split.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " [cut here]"
}
