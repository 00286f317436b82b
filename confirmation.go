package elyra

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/confirm"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
	"github.com/elyra-go/elyra/internal/wire"
)

const (
	// questionKey names the one question of a confirmation.
	questionKey = "confirm"
	// askTimeout is how long a client of the older revisions may take to answer.
	askTimeout = 10 * time.Minute
	// maxQuestionArguments is how many bytes of arguments a question shows.
	maxQuestionArguments = 2048
)

var errDeclined = errors.New("the user declined: nothing was changed; do not try again unless the user asks for it")

// confirmed returns nil when the user has agreed to this very call. Otherwise its error is either
// the question, as an [mcpserver.InputRequired], or the reason why the tool does not run.
func (c *toolCatalog) confirmed(ctx context.Context, t *tool, call *mcpserver.Call, b confirm.Binding) error {
	ask := mcp.ElicitParams{Message: t.question(call.Client.Name, b.Arguments), RequestedSchema: jsontext.Value(`{"type":"object","properties":{}}`)}
	if !call.Modern() {
		return askOnConnection(ctx, t, call, ask)
	}
	if !call.Capabilities.ElicitsForm() {
		return &mcp.Error{
			Code:    mcp.CodeMissingCapability,
			Message: t.name + " needs the user's confirmation, and this client did not declare that it can ask (elicitation)",
			Data:    map[string]any{"requiredCapabilities": map[string]any{"elicitation": map[string]any{}}},
		}
	}
	answer, answered := call.InputResponses[questionKey]
	if call.RequestState == "" || !answered {
		if call.RequestState != "" {
			// The client came back without an answer: the question is asked anew, and the old one is void.
			if err := c.keeper.Redeem(call.RequestState, b); err != nil {
				return err
			}
		}
		return c.askByRoundTrip(ask, b)
	}
	if err := c.keeper.Redeem(call.RequestState, b); err != nil {
		return err
	}
	var result mcp.ElicitResult
	if err := json.Unmarshal(answer, &result); err != nil {
		return &mcp.Error{Code: wire.CodeInvalidParams, Message: "inputResponses." + questionKey + `: want an object with "action": "accept", "decline" or "cancel"`}
	}
	return accepted(result)
}

// askByRoundTrip returns the question for a client that retries the call with the answer.
func (c *toolCatalog) askByRoundTrip(ask mcp.ElicitParams, b confirm.Binding) error {
	ask.Mode = "form"
	params, err := json.Marshal(ask)
	if err != nil {
		return Private(err)
	}
	state, err := c.keeper.Issue(b)
	if err != nil {
		return Private(err)
	}
	return &mcpserver.InputRequired{
		Requests: map[string]mcp.InputRequest{questionKey: {Method: "elicitation/create", Params: params}},
		State:    state,
	}
}

// askOnConnection asks a client of the older revisions by a request of the server.
func askOnConnection(ctx context.Context, t *tool, call *mcpserver.Call, ask mcp.ElicitParams) error {
	noAnswer := errors.New("nobody answered the confirmation within 10 minutes: nothing was changed")
	ctx, cancel := context.WithTimeoutCause(ctx, askTimeout, noAnswer)
	defer cancel()
	result, err := call.Elicit(ctx, ask)
	switch {
	case errors.Is(err, mcpserver.ErrCannotElicit):
		return errors.New(t.name + " needs the user's confirmation, and this client cannot ask for it: the tool was not run. Tell the user to do it in the app")
	case err != nil && errors.Is(context.Cause(ctx), noAnswer):
		return noAnswer
	case err != nil:
		return fmt.Errorf("the confirmation was not answered, so nothing was changed: %w", err)
	}
	return accepted(result)
}

func accepted(r mcp.ElicitResult) error {
	if r.Action == "accept" {
		return nil
	}
	return errDeclined
}

// question is what the user reads: who asks, for which tool, what it does, with which arguments.
func (t *tool) question(client string, args []byte) string {
	var b strings.Builder
	client = visible(client, nameLimit)
	if client == "" {
		client = "An unnamed client"
	}
	fmt.Fprintf(&b, "%s wants to run %s", client, t.name)
	if s := t.summary(); s != "" {
		fmt.Fprintf(&b, ": %s", s)
	}
	b.WriteString(".\n")
	writeArguments(&b, args)
	return b.String()
}

// writeArguments shows canonical arguments one a line, as a person reads them.
func writeArguments(b *strings.Builder, args []byte) {
	var lines strings.Builder
	for name, value := range objectMembers(args) {
		fmt.Fprintf(&lines, "\n%s: ", name)
		text := string(value)
		if value.Kind() == '"' {
			if unquoted, err := jsontext.AppendUnquote(nil, value); err == nil {
				text = string(unquoted)
			}
		}
		for _, r := range text {
			writeVisible(&lines, r)
		}
	}
	s := lines.String()
	if len(s) > maxQuestionArguments {
		cut := strings.ToValidUTF8(s[:maxQuestionArguments], "")
		s = fmt.Sprintf("%s…\n(%d more bytes are not shown)", cut, len(s)-len(cut))
	}
	b.WriteString(s)
}

// objectMembers ranges over the members of a JSON object in their order.
func objectMembers(object []byte) func(yield func(string, jsontext.Value) bool) {
	return func(yield func(string, jsontext.Value) bool) {
		d := jsontext.NewDecoder(strings.NewReader(string(object)))
		if _, err := d.ReadToken(); err != nil {
			return
		}
		for d.PeekKind() == '"' {
			name, err := d.ReadToken()
			if err != nil {
				return
			}
			key := name.String()
			value, err := d.ReadValue()
			if err != nil || !yield(key, value.Clone()) {
				return
			}
		}
	}
}
