package elyra

import (
	"context"
	"errors"
	"fmt"
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
	// askTimeout is how long the user may take to answer where the call waits for the answer.
	askTimeout = 10 * time.Minute
	// maxAsked is how often one call is asked about when what it would do keeps changing.
	maxAsked = 3
)

var (
	errDeclined = errors.New("the user declined: nothing was changed; do not try again unless the user asks for it")
	errNoAnswer = errors.New("nobody answered the confirmation within 10 minutes: nothing was changed")
	errUnstable = errors.New("what this call would do kept changing while the user was asked: nothing was changed; read it again, then ask the user")
)

// ask is a call that the user has to confirm.
type ask struct {
	call     *mcpserver.Call
	tool     *tool
	prepared *prepared
	origin   Agent
	binding  confirm.Binding
}

// confirmed returns nil when the user has agreed to this very call. Otherwise its error is either
// the question, as an [mcpserver.InputRequired], or the reason why the tool does not run.
func (c *toolCatalog) confirmed(ctx context.Context, a *ask) error {
	switch {
	case a.tool.confirm.InApp:
		return c.confirmedInApp(ctx, a)
	case a.call.Modern():
		return c.confirmedByRoundTrip(ctx, a)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, askTimeout, errNoAnswer)
	defer cancel()
	return c.untilStable(ctx, a, func(question string) error { return askOnConnection(ctx, a, question) })
}

// untilStable asks until the user has agreed to a question that is still the right one afterwards.
func (c *toolCatalog) untilStable(ctx context.Context, a *ask, put func(question string) error) error {
	question, err := c.question(ctx, a)
	for range maxAsked {
		if err != nil {
			return err
		}
		if err := put(question); err != nil {
			return err
		}
		asked := question
		if question, err = c.question(ctx, a); err == nil && question == asked {
			return nil
		}
	}
	return errors.Join(err, errUnstable)
}

// confirmedByRoundTrip asks a client that retries the call with the answer.
func (c *toolCatalog) confirmedByRoundTrip(ctx context.Context, a *ask) error {
	if !a.call.Capabilities.ElicitsForm() {
		return &mcp.Error{
			Code:    mcp.CodeMissingCapability,
			Message: a.tool.name + " needs the user's confirmation, and this client did not declare that it can ask (elicitation)",
			Data:    mcp.MissingCapability{RequiredCapabilities: mcp.ClientCapabilities{Elicitation: &mcp.Elicitation{Form: jsontext.Value("{}")}}},
		}
	}
	answer, err := roundTripAnswer(a.call)
	if err != nil {
		return err
	}
	question, err := c.question(ctx, a)
	if err != nil {
		return err
	}
	if a.call.RequestState != "" {
		// Whatever the answer, the state is spent: a refusal cannot be turned into consent later.
		err := c.keeper.Redeem(a.call.RequestState, a.binding, question)
		if err != nil && !errors.Is(err, confirm.ErrChanged) {
			return err
		}
		if err == nil && answer != nil {
			return accepted(*answer)
		}
	}
	return c.inputRequired(a, question)
}

// roundTripAnswer returns the user's answer that a retried call brings, nil when it brings none.
func roundTripAnswer(call *mcpserver.Call) (*mcp.ElicitResult, error) {
	raw, ok := call.InputResponses[questionKey]
	if call.RequestState == "" || !ok {
		return nil, nil
	}
	var result mcp.ElicitResult
	if err := json.Unmarshal(raw, &result); err != nil || result.Action != mcp.ElicitAccept && result.Action != mcp.ElicitDecline && result.Action != mcp.ElicitCancel {
		return nil, &mcp.Error{
			Code:    wire.CodeInvalidParams,
			Message: "inputResponses." + questionKey + `: want an object whose "action" is "accept", "decline" or "cancel"`,
		}
	}
	return &result, nil
}

// inputRequired returns the question for a client that retries the call with the answer.
func (c *toolCatalog) inputRequired(a *ask, question string) error {
	params, err := json.Marshal(elicitation(mcp.ElicitModeForm, question))
	if err != nil {
		return Private(fmt.Errorf("encode the question: %w", err))
	}
	state, err := c.keeper.Issue(a.binding, question)
	if err != nil {
		return Private(err)
	}
	return &mcpserver.InputRequired{
		Requests: map[string]mcp.InputRequest{questionKey: {Method: mcp.MethodElicit, Params: params}},
		State:    state,
	}
}

// askOnConnection asks a client of the older revisions by a request of the server.
func askOnConnection(ctx context.Context, a *ask, question string) error {
	result, err := a.call.Elicit(ctx, elicitation("", question))
	switch {
	case errors.Is(err, mcpserver.ErrCannotElicit):
		return errors.New(a.tool.name + " needs the user's confirmation, and this client cannot ask for it: the tool was not run. Tell the user to do it in the app")
	case err != nil && errors.Is(context.Cause(ctx), errNoAnswer):
		return errNoAnswer
	case err != nil:
		return fmt.Errorf("the confirmation was not answered, so nothing was changed: %w", err)
	}
	return accepted(result)
}

// elicitation is a question without a form: accepting it is the answer.
func elicitation(mode, question string) mcp.ElicitParams {
	return mcp.ElicitParams{Mode: mode, Message: question, RequestedSchema: jsontext.Value(`{"type":"object","properties":{}}`)}
}

func accepted(r mcp.ElicitResult) error {
	if r.Action == mcp.ElicitAccept {
		return nil
	}
	return errDeclined
}
