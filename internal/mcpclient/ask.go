package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

const (
	// maxRounds is how often one request is sent again with answers to the server's questions.
	maxRounds = 8
	// maxQuestions bounds the questions of one round, and those of a legacy server that are open at the same time.
	maxQuestions = 16
)

// mayAsk reports whether a server may answer a method with questions.
func mayAsk(method string) bool {
	return method == mcp.MethodCallTool || method == "prompts/get" || method == "resources/read"
}

// answers gets the answers that an input_required result asks for. It returns the members that are added to the request
// when it is sent again; the state comes back byte for byte as it was.
func (c *Client) answers(ctx context.Context, result jsontext.Value) (object, error) {
	var r struct {
		Requests map[string]mcp.InputRequest `json:"inputRequests"`
		State    jsontext.Value              `json:"requestState"`
	}
	if err := unmarshal(result, &r); err != nil {
		return nil, fmt.Errorf("the server's request for input cannot be used: %w", err)
	}
	switch {
	case r.State != nil && r.State.Kind() != '"':
		return nil, errors.New("the server's request for input cannot be used: requestState is no string")
	case r.State == nil && len(r.Requests) == 0:
		return nil, errors.New("the server asks for input without saying which")
	case len(r.Requests) > maxQuestions:
		return nil, fmt.Errorf("the server asks %d questions at once, at most %d are answered", len(r.Requests), maxQuestions)
	}
	names := slices.Sorted(maps.Keys(r.Requests))
	for _, name := range names { // Before the user is asked anything, because one refusal ends the request.
		if err := c.canAnswer(r.Requests[name]); err != nil {
			return nil, err
		}
	}
	// A user should not be kept with a question whose server is gone.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.ctx, func() { cancel(context.Cause(c.ctx)) })()
	var responses, members object
	for _, name := range names {
		response, err := c.ask(ctx, r.Requests[name].Params)
		switch {
		case ctx.Err() != nil:
			return nil, ended(ctx)
		case err != nil:
			return nil, err
		}
		responses = append(responses, member{name, response})
	}
	if len(responses) > 0 {
		members = append(members, member{"inputResponses", responses.json()})
	}
	if r.State != nil {
		members = append(members, member{"requestState", r.State})
	}
	return members, nil
}

// canAnswer refuses questions that this client did not declare.
func (c *Client) canAnswer(r mcp.InputRequest) error {
	switch {
	case r.Method != mcp.MethodElicit:
		return fmt.Errorf("the server asks for %s, which this client did not declare", printable(r.Method))
	case c.opts.Elicit == nil:
		return errors.New("the server asks the user for input (elicitation/create), but this client did not declare elicitation: nobody can be asked")
	}
	return nil
}

// ask puts one question to the user and returns the result for the server.
func (c *Client) ask(ctx context.Context, params jsontext.Value) (jsontext.Value, error) {
	var p mcp.ElicitParams
	if err := unmarshal(params, &p); err != nil {
		return nil, fmt.Errorf("the server's question cannot be used: %w", err)
	}
	if p.Mode == "" {
		p.Mode = mcp.ElicitModeForm
	}
	if p.Mode != mcp.ElicitModeForm && (p.Mode != mcp.ElicitModeURL || !c.opts.ElicitURL) {
		return nil, fmt.Errorf("the server asks in the mode %q, which this client did not declare", printable(p.Mode))
	}
	answer, err := c.opts.Elicit(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("ask the user: %w", err)
	}
	if answer, err = checkAnswer(answer, p.Mode); err != nil {
		return nil, fmt.Errorf("ask the user: %w", err)
	}
	return json.Marshal(answer, json.Deterministic(true))
}

// checkAnswer brings the user's answer into the form that the protocol wants: content goes with an accepted form alone.
func checkAnswer(a mcp.ElicitResult, mode string) (mcp.ElicitResult, error) {
	switch a.Action {
	case mcp.ElicitDecline, mcp.ElicitCancel:
		return mcp.ElicitResult{Action: a.Action}, nil
	case mcp.ElicitAccept:
	default:
		return a, fmt.Errorf("the answer's action is %q, it must be accept, decline or cancel", a.Action)
	}
	if mode == mcp.ElicitModeURL {
		return mcp.ElicitResult{Action: a.Action}, nil
	}
	if a.Content == nil {
		a.Content = jsontext.Value(`{}`)
	}
	if !a.Content.IsValid() || a.Content.Kind() != '{' {
		return a, errors.New("the content of the answer is no JSON object")
	}
	return a, nil
}

// questions are the requests of a legacy server that are being answered.
type questions struct {
	mu   sync.Mutex
	open map[string]context.CancelFunc // by the server's raw id
}

// request answers a request of the server. Only legacy servers may send one; a modern one gets no answer, because modern
// clients write none.
func (c *Client) request(l *link, m wire.Message) {
	if !l.initialized.Load() {
		if n := c.refused.Add(1); sometimes(n) {
			c.opts.Log.Warn("ignored a request of the MCP server, which the protocol does not allow", "method", printable(m.Method), "ignored", n)
		}
		return
	}
	switch {
	case m.Method == mcp.MethodPing:
		c.reply(l, wire.AppendResult(nil, m.ID, jsontext.Value(`{}`)))
	case m.Method == mcp.MethodElicit && c.opts.Elicit != nil:
		c.answerLater(l, m)
	default:
		c.reply(l, wire.AppendError(nil, m.ID, wire.Errorf(wire.CodeMethodNotFound, "this client does not offer %s", m.Method)))
	}
}

// answerLater asks the user in a goroutine of its own. The server may take its question back in the meantime.
func (c *Client) answerLater(l *link, m wire.Message) {
	ctx, cancel := context.WithCancel(c.ctx)
	q, id := &c.asking, string(m.ID)
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, twice := q.open[id]; twice || len(q.open) >= maxQuestions {
		cancel()
		c.reply(l, wire.AppendError(nil, m.ID, wire.Errorf(wire.CodeInternal, "too many questions at the same time")))
		return
	}
	if q.open == nil {
		q.open = map[string]context.CancelFunc{}
	}
	q.open[id] = cancel
	c.opts.Hold.Begin()
	c.wg.Go(func() {
		defer c.opts.Hold.End()
		result, err := c.ask(ctx, m.Params)
		q.mu.Lock()
		delete(q.open, id)
		withdrawn := ctx.Err() != nil
		q.mu.Unlock()
		cancel()
		switch {
		case withdrawn: // The server does not want an answer any more.
		case err != nil:
			c.opts.Log.Warn("could not answer a question of the MCP server", "error", err)
			c.reply(l, wire.AppendError(nil, m.ID, wire.Errorf(wire.CodeInvalidParams, "the question could not be answered")))
		default:
			c.reply(l, wire.AppendResult(nil, m.ID, result))
		}
	})
}

// withdraw ends the question with that id, and reports whether there was one.
func (q *questions) withdraw(id jsontext.Value) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	cancel, ok := q.open[string(id)]
	if ok {
		cancel()
	}
	return ok
}

// reply sends an answer without waiting: it is called by the reader too.
func (c *Client) reply(l *link, line []byte) {
	if err := l.out.Send(line); err != nil {
		if n := c.refused.Add(1); sometimes(n) {
			c.opts.Log.Warn("could not answer a request of the MCP server", "error", err, "failed", n)
		}
	}
}
