package mcpclient

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

const (
	// maxMessages is how many messages of a prompt are read.
	maxMessages = 1000
	// maxCompletions is how many values of a completion are read, what the protocol allows.
	maxCompletions = 100
)

// GetPrompt fills a prompt in. A server that asks for input gets the answers of Options.Elicit. Everything in the messages
// is the server's own text.
func (c *Client) GetPrompt(ctx context.Context, name string, arguments map[string]string) (*mcp.GetPromptResult, error) {
	fail := func(err error) (*mcp.GetPromptResult, error) { return nil, fmt.Errorf("get prompt %q: %w", name, err) }
	members := object{}.add("name", wire.AppendString(nil, name))
	if len(arguments) > 0 {
		given, err := objectOf(arguments)
		if err != nil {
			return fail(fmt.Errorf("encode arguments: %w", err))
		}
		members = members.add("arguments", given.json())
	}
	raw, err := c.exchange(ctx, mcp.MethodGetPrompt, members, c.timing(CallOptions{}))
	if err != nil {
		return fail(err)
	}
	result, err := decodePrompt(raw)
	if err != nil {
		return fail(fmt.Errorf("the server's result cannot be used: %w", err))
	}
	return result, nil
}

// Complete asks what may be meant by the beginning of an argument, when others are filled in already: at most 100 values, the
// best first. It asks nothing of a server that does not declare that it completes.
func (c *Client) Complete(ctx context.Context, ref mcp.CompletionRef, argument, begun string, others map[string]string) ([]string, error) {
	if c.opening.capabilities.Completions == nil {
		return nil, nil
	}
	params := map[string]any{"ref": ref, "argument": map[string]string{"name": argument, "value": begun}}
	if len(others) > 0 && mcp.AtLeast(c.Version(), mcp.V2025_06_18) {
		params["context"] = map[string]any{"arguments": others}
	}
	raw, err := c.Request(ctx, mcp.MethodComplete, params)
	if err != nil {
		return nil, err
	}
	var result struct {
		Completion struct {
			Values []jsontext.Value `json:"values"`
		} `json:"completion"`
	}
	if err := unmarshal(raw, &result); err != nil {
		return nil, fmt.Errorf("%s: the server's result cannot be used: %w", mcp.MethodComplete, err)
	}
	var values []string
	for _, v := range result.Completion.Values[:min(len(result.Completion.Values), maxCompletions)] {
		if text, ok := wire.Text(v); ok {
			values = append(values, text)
		}
	}
	return values, nil
}

// decodePrompt reads a prompt that was filled in. A message that is malformed becomes a text that says so; a role that is
// none of the two is the user's.
func decodePrompt(raw jsontext.Value) (*mcp.GetPromptResult, error) {
	var r struct {
		Description jsontext.Value   `json:"description"`
		Messages    []jsontext.Value `json:"messages"`
	}
	if err := unmarshal(raw, &r); err != nil {
		return nil, err
	}
	if len(r.Messages) == 0 {
		return nil, errors.New("it has no messages")
	}
	if len(r.Messages) > maxMessages {
		return nil, fmt.Errorf("it has %d messages; at most %d are read", len(r.Messages), maxMessages)
	}
	out := &mcp.GetPromptResult{}
	out.Description, _ = wire.Text(r.Description)
	for i, message := range r.Messages {
		var m struct {
			Role    jsontext.Value `json:"role"`
			Content mcp.Content    `json:"content"`
		}
		if err := unmarshal(message, &m); err != nil || m.Content.Type == "" {
			m.Content = mcp.Text(fmt.Sprintf("[message %d of the prompt is malformed and was left out]", i+1))
		}
		role, _ := wire.Text(m.Role)
		if role != mcp.RoleAssistant {
			role = mcp.RoleUser
		}
		out.Messages = append(out.Messages, mcp.PromptMessage{Role: role, Content: m.Content})
	}
	return out, nil
}
