package broker

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// MethodCall is a child's request to run one of its parent's tools.
const MethodCall = "call"

// defaultCalls is how many calls a child may make in its life.
const defaultCalls = 2000

// Offer is a tool as a parent describes it to a child.
type Offer struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// Schema is a text, so that it stays the same bytes.
	Schema     string `json:"schema"`
	Deferred   bool   `json:"deferred,omitzero"`
	Concurrent bool   `json:"concurrent,omitzero"`
}

// Offers describes tools.
func Offers(tools []loop.Tool) []Offer {
	var all []Offer
	for _, t := range tools {
		spec := t.Spec()
		all = append(all, Offer{
			Name: spec.Name, Description: spec.Description, Schema: string(spec.InputSchema), Deferred: spec.Deferred,
			Concurrent: t.Concurrent(jsontext.Value(`{}`)),
		})
	}
	return all
}

// Gate decides in the parent whether a call of a child may run. The error is for the child's model.
type Gate func(ctx context.Context, tool loop.Tool, call *model.Call) error

// Desk is the parent's end for one child: the tools that it may use, and what decides about each call.
type Desk struct {
	tools map[string]loop.Tool
	allow Gate
	most  int64
	calls atomic.Int64
}

// NewDesk returns a desk. Most bounds the calls of the child's life; zero: 2,000.
func NewDesk(tools []loop.Tool, allow Gate, most int) *Desk {
	if most <= 0 {
		most = defaultCalls
	}
	d := &Desk{tools: map[string]loop.Tool{}, allow: allow, most: int64(most)}
	for _, t := range tools {
		d.tools[t.Spec().Name] = t
	}
	return d
}

// callParams are those of MethodCall.
type callParams struct {
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
}

// output is what a call came to.
type output struct {
	Content []model.Block `json:"content"`
	IsError bool          `json:"isError,omitzero"`
}

// Serve answers a child's request.
func (d *Desk) Serve(ctx context.Context, method string, params jsontext.Value, progress func(string)) (any, error) {
	if method != MethodCall {
		return nil, fmt.Errorf("there is no request %q", method)
	}
	var p callParams
	if err := Decode(params, &p); err != nil {
		return nil, err
	}
	tool := d.tools[p.Name]
	switch {
	case tool == nil:
		return nil, fmt.Errorf("there is no tool %q", p.Name)
	case p.Arguments.Kind() != '{':
		return nil, fmt.Errorf("the arguments of %s are no JSON object", p.Name)
	}
	n := d.calls.Add(1)
	if n > d.most {
		return nil, fmt.Errorf("this agent has made %d calls, which is the most that it may: answer with what is known", d.most)
	}
	call := &model.Call{ID: strconv.FormatInt(n, 10), Name: p.Name, Arguments: p.Arguments}
	if err := d.allow(ctx, tool, call); err != nil {
		return nil, err
	}
	out, err := tool.Run(ctx, call, progress)
	if err != nil {
		return nil, err
	}
	return output{out.Content, out.IsError}, nil
}

// Tools makes the offers of a parent tools of a child.
func Tools(c *Conn, offers []Offer) []loop.Tool {
	var all []loop.Tool
	for _, o := range offers {
		all = append(all, &remote{c, o})
	}
	return all
}

// remote is a tool that runs in the parent.
type remote struct {
	conn  *Conn
	offer Offer
}

func (t *remote) Spec() model.Tool {
	return model.Tool{
		Name: t.offer.Name, Description: t.offer.Description, InputSchema: jsontext.Value(t.offer.Schema), Deferred: t.offer.Deferred,
	}
}

func (t *remote) Concurrent(jsontext.Value) bool { return t.offer.Concurrent }

func (t *remote) Run(ctx context.Context, c *model.Call, progress func(string)) (loop.Output, error) {
	var out output
	if err := t.conn.Request(ctx, MethodCall, callParams{t.offer.Name, c.Arguments}, &out, progress); err != nil {
		return loop.Output{}, err
	}
	return loop.Output{Content: out.Content, IsError: out.IsError}, nil
}
