package mcpserver

import (
	"context"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// PromptCatalog is what a server offers for a user to begin a conversation with. Its methods
// are called concurrently.
type PromptCatalog interface {
	// Prompts returns the prompts sorted by name, the same for every connection.
	Prompts() []mcp.Prompt

	// GetPrompt fills a prompt in. An error that is a *wire.Error or, for modern requests, an
	// *InputRequired reaches the client as that; any other, or a panic, as an internal error
	// with an incident id under which its cause is logged.
	GetPrompt(ctx context.Context, call *PromptCall) (*mcp.GetPromptResult, error)
}

// PromptCall is one request to fill a prompt in.
type PromptCall struct {
	Exchange
	Name string
	// Arguments are what the client sent, by name: all of them texts, none checked.
	Arguments map[string]string
}

// listPrompts answers prompts/list.
func (c *conn) listPrompts(r *request) *wire.Error {
	return c.list(r, "prompts", func() any {
		list := c.s.o.Prompts.Prompts()
		if titled(r.peer) {
			return list
		}
		shown := make([]mcp.Prompt, len(list))
		for i, prompt := range list {
			prompt.Title = ""
			prompt.Arguments = append([]mcp.PromptArgument(nil), prompt.Arguments...)
			for j := range prompt.Arguments {
				prompt.Arguments[j].Title = ""
			}
			shown[i] = prompt
		}
		return shown
	})
}

// getPrompt accepts a request to fill a prompt in.
func (c *conn) getPrompt(r *request) *wire.Error {
	name, err := r.params.text("name")
	if err == nil && name == "" {
		err = wire.Errorf(wire.CodeInvalidParams, "%s needs params.name, a string", r.method)
	}
	if err != nil {
		return err
	}
	call := &PromptCall{Name: name}
	if call.Arguments, err = r.params.texts("arguments"); err != nil {
		return err
	}
	if err := call.read(r); err != nil {
		return err
	}
	return c.launch(r, func(f *flight) []byte {
		call.bind(f)
		return c.answerFor(f, asked{"prompt", name, func(ctx context.Context) ([]byte, error) {
			result, err := c.s.o.Prompts.GetPrompt(ctx, call)
			if err == nil && result == nil {
				err = errors.New("the catalog returned neither a prompt nor an error")
			}
			if err != nil {
				return nil, err
			}
			return encodePrompt(result, r.peer)
		}})
	})
}

// texts returns a parameter that must be an object of strings if it is there. Of a name that
// is there twice the last counts.
func (p params) texts(name string) (map[string]string, *wire.Error) {
	raw, err := p.object(name)
	if err != nil || raw == nil {
		return nil, err
	}
	texts := map[string]string{}
	wire.Members(raw, func(key []byte, value jsontext.Value) bool {
		text, ok := wire.Text(value)
		if !ok {
			err = wire.Errorf(wire.CodeInvalidParams, "%s.%s must be a string", name, clip(string(key)))
			return false
		}
		texts[string(key)] = text
		return true
	})
	return texts, err
}

// encodePrompt encodes the members of a prompt that a revision has.
func encodePrompt(p *mcp.GetPromptResult, peer Peer) ([]byte, error) {
	var dst []byte
	if p.Description != "" {
		dst = append(wire.AppendString([]byte(`"description":`), p.Description), ',')
	}
	dst = append(dst, `"messages":[`...)
	for i, m := range p.Messages {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(wire.AppendString(append(dst, `{"role":`...), m.Role), `,"content":`...)
		var err error
		if dst, err = appendContent(dst, peer.Version, m.Content); err != nil {
			return nil, err
		}
		dst = append(dst, '}')
	}
	return append(dst, ']'), nil
}
