package host

import (
	"context"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// GetPrompt fills in a prompt of a server, which is started if it is not running. The server's questions go to
// Options.Elicit. Everything in the messages is the server's own text.
func (h *Host) GetPrompt(ctx context.Context, server, prompt string, arguments map[string]string) (*mcp.GetPromptResult, error) {
	var result *mcp.GetPromptResult
	err := h.ask(ctx, server, func(client *mcpclient.Client) (err error) {
		result, err = client.GetPrompt(ctx, prompt, arguments)
		return err
	})
	return result, err
}

// Complete asks a server what may be meant by the beginning of a prompt's argument, when others are filled in. A server that
// does not complete gives nothing.
func (h *Host) Complete(ctx context.Context, server, prompt, argument, begun string, others map[string]string) ([]string, error) {
	var values []string
	err := h.ask(ctx, server, func(client *mcpclient.Client) (err error) {
		values, err = client.Complete(ctx, mcp.CompletionRef{Type: mcp.RefPrompt, Name: prompt}, argument, begun, others)
		return err
	})
	return values, err
}
