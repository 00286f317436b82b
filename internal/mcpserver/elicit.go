package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// elicit asks the user of a legacy client. It implements Call.Elicit.
func (f *flight) elicit(ctx context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error) {
	peer := f.r.peer
	if peer.Modern() || !mcp.AtLeast(peer.Version, mcp.V2025_06_18) || !peer.Capabilities.ElicitsForm() ||
		p.Mode != "" && p.Mode != mcp.ElicitModeForm {
		return mcp.ElicitResult{}, ErrCannotElicit
	}
	// Forms are the only mode the oldest revision with elicitation has, and the default of
	// the others, so none needs to be told.
	p.Mode = ""
	params, err := json.Marshal(p)
	if err != nil {
		return mcp.ElicitResult{}, fmt.Errorf("elicit: encode the question: %w", err)
	}
	answer, err := f.ask(ctx, mcp.MethodElicit, wire.OneLine(params))
	if err != nil {
		return mcp.ElicitResult{}, fmt.Errorf("elicit: %w", err)
	}
	return elicited(answer)
}

// ask sends a request of our own and waits for its answer.
func (f *flight) ask(ctx context.Context, method string, params jsontext.Value) (m wire.Message, err error) {
	err = f.await(ctx, func(ctx context.Context) error {
		c := f.c
		answer := make(chan wire.Message, 1)
		id := c.beginAsk(answer)
		defer c.endAsk(id)
		if err := c.out.SendWait(ctx, wire.AppendRequest(nil, id, method, params)); err != nil {
			return err
		}
		select {
		case m = <-answer:
			return nil
		case <-ctx.Done():
		}
		if c.reading.Err() == nil {
			// The client still shows the question to somebody.
			withdrawn := append(append([]byte(`{"requestId":`), id...), '}')
			if err := c.out.Send(wire.AppendRequest(nil, nil, mcp.NotifyCancelled, withdrawn)); err != nil {
				c.log.Debug("dropped the withdrawal of a question", "reason", err)
			}
		}
		return context.Cause(ctx)
	})
	return m, err
}

// await implements Call.Await. The call gives its place among those at work to others
// meanwhile, because a human may take an hour.
func (f *flight) await(ctx context.Context, person func(context.Context) error) error {
	c := f.c
	if err := c.beginWait(f); err != nil {
		return err
	}
	defer c.endWait()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(f.ctx, func() { cancel(context.Cause(f.ctx)) })()
	defer context.AfterFunc(c.reading, func() { cancel(errEnded) })()
	return person(ctx)
}

// beginWait moves a call from those at work to those that wait for a person.
func (c *conn) beginWait(f *flight) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case f.cancelled:
		return errCancelled
	case f.answering:
		return errors.New("the call is already answered")
	case c.closing:
		return errEnded
	case c.waiting >= c.s.o.MaxWaiting:
		return fmt.Errorf("%d calls of this client already wait for its user", c.waiting)
	}
	c.waiting++
	c.active--
	return nil
}

// endWait moves the call back. That may exceed the limit of calls at work for a while, by no
// more than the limit of those that wait; waiting for a place could last forever.
func (c *conn) endWait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting--
	c.active++
}

// beginAsk names a question, whose response goes to answer.
func (c *conn) beginAsk(answer chan wire.Message) jsontext.Value {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.askCount++
	id := jsontext.Value(strconv.AppendUint([]byte(`"ask-`+c.s.asker+`-`), c.askCount, 10))
	id = append(id, '"')
	c.asks[string(id)] = answer
	return id
}

func (c *conn) endAsk(id jsontext.Value) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.asks, string(id))
}

// answered routes a response of the client to the question it answers. Responses to
// anything else are ignored: an answer to an answer would never end.
func (c *conn) answered(m wire.Message) {
	c.mu.Lock()
	answer := c.asks[string(m.ID)]
	delete(c.asks, string(m.ID))
	c.mu.Unlock()
	if answer == nil {
		c.log.Debug("ignored a response to no request", "id", clip(string(m.ID)))
		return
	}
	answer <- m // has room: a question is answered at most once
}

// elicited reads the answer to an elicitation. A refusal by the client's software is no
// answer of the user, and its error must not pass for one of ours.
func elicited(m wire.Message) (mcp.ElicitResult, error) {
	if m.Error != nil {
		return mcp.ElicitResult{}, fmt.Errorf("elicit: the client refused: %s", clip(m.Error.Error()))
	}
	var result mcp.ElicitResult
	if err := decode(m.Result, &result); err != nil {
		return mcp.ElicitResult{}, errors.New("elicit: the client's answer is malformed")
	}
	switch result.Action {
	case mcp.ElicitAccept:
		if result.Content != nil && result.Content.Kind() != '{' {
			return mcp.ElicitResult{}, errors.New("elicit: the content of the client's answer is no object")
		}
	case mcp.ElicitDecline, mcp.ElicitCancel:
		result.Content = nil
	default:
		return mcp.ElicitResult{}, fmt.Errorf("elicit: the client answered with the unknown action %q", clip(result.Action))
	}
	return result, nil
}
