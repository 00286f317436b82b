package host

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// Request asks a server something that does not change anything, such as resources/read, and returns the raw result. It is
// repeated once over a new connection when the connection breaks.
func (h *Host) Request(ctx context.Context, name, method string, params any) (jsontext.Value, error) {
	var result jsontext.Value
	err := h.ask(ctx, name, func(client *mcpclient.Client) (err error) {
		result, err = client.Request(ctx, method, params)
		return err
	})
	return result, err
}

// ask asks a server something that does not change anything.
func (h *Host) ask(ctx context.Context, name string, request func(*mcpclient.Client) error) error {
	s, err := h.find(name)
	if err != nil {
		return err
	}
	return s.do(ctx, func() bool { return true }, request)
}

// ReadResource reads a resource of a server.
func (h *Host) ReadResource(ctx context.Context, name, uri string) (jsontext.Value, error) {
	return h.Request(ctx, name, mcp.MethodReadResource, map[string]string{"uri": uri})
}
