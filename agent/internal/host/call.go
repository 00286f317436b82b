package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/nearest"
	"github.com/elyra-go/elyra/internal/wire"
)

// CallOptions configure one Call.
type CallOptions struct {
	// Progress gets the server's reports in the goroutine that waits in Call. Total 0 means unknown.
	Progress func(done, total float64, message string)
}

// Call runs a tool of a server, which is started if it is not running. Args must be a JSON object. The server's questions
// go to Options.Elicit. A tool that failed is a result with IsError.
//
// A call is repeated once, over a new connection, when it certainly was not delivered, or when the connection broke and the
// tool says that it only reads or that repeating it does no harm.
func (h *Host) Call(ctx context.Context, name, tool string, args jsontext.Value, o CallOptions) (*mcp.CallToolResult, error) {
	s, err := h.find(name)
	if err != nil {
		return nil, err
	}
	var result *mcp.CallToolResult
	err = s.do(ctx, func() bool { return s.harmless(ctx, tool) }, func(client *mcpclient.Client) (err error) {
		result, err = client.CallTool(ctx, tool, args, mcpclient.CallOptions{Progress: o.Progress, Timeout: s.requestTimeout()})
		return err
	})
	if err != nil {
		return nil, s.explain(ctx, tool, err)
	}
	return result, nil
}

// do runs a request over the server's connection, and once more when that is safe: over a new connection if that one ended,
// over the same if only the answer was lost.
func (s *server) do(ctx context.Context, harmless func() bool, request func(*mcpclient.Client) error) error {
	for again := false; ; again = true {
		client, err := s.connect(ctx)
		if err != nil {
			return err
		}
		err = request(client)
		lost := errors.Is(err, mcpclient.ErrLost)
		undelivered := errors.Is(err, mcpclient.ErrNotSent)
		broken := errors.Is(err, mcpclient.ErrDisconnected)
		if again || ctx.Err() != nil || !undelivered && !broken && !lost {
			return err
		}
		if !lost && !s.forget(client) || !undelivered && !harmless() {
			return err
		}
		s.h.opts.Log.Info("a request to an MCP server is sent again", "server", s.Name, "error", err)
	}
}

// endNotice is how long after a request that could not be sent the end of its connection is awaited.
const endNotice = 250 * time.Millisecond

// forget gives up a connection that has ended, without waiting until watch notices. It reports false for one that goes on:
// over HTTP a request may fail alone.
func (s *server) forget(client *mcpclient.Client) bool {
	timer := time.NewTimer(endNotice)
	defer timer.Stop()
	select {
	case <-client.Done():
	case <-timer.C:
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.client == client {
		s.client = nil
		s.ended(client.Err())
	}
	return true
}

// harmless reports whether a tool says that running it twice is the same as running it once. A server that ended before it
// could say so is asked again.
func (s *server) harmless(ctx context.Context, tool string) bool {
	t, ok := s.known(tool)
	if !ok {
		if _, err := s.list(ctx); err != nil {
			return false
		}
		t, ok = s.known(tool)
	}
	if !ok || t.Annotations == nil {
		return false
	}
	yes := func(hint *bool) bool { return hint != nil && *hint }
	return yes(t.Annotations.ReadOnlyHint) || yes(t.Annotations.IdempotentHint)
}

// Known finds a tool in what is known of a server, without asking it.
func (h *Host) Known(server, tool string) (catalog.Tool, bool) {
	h.mu.RLock()
	s := h.servers[server]
	h.mu.RUnlock()
	if s == nil {
		return catalog.Tool{}, false
	}
	return s.known(tool)
}

// known finds a tool in what is known of the server, without asking it.
func (s *server) known(tool string) (catalog.Tool, bool) {
	s.listing.mu.Lock()
	defer s.listing.mu.Unlock()
	if s.listing.known == nil {
		return catalog.Tool{}, false
	}
	for _, t := range s.listing.known.Tools {
		if t.Name == tool {
			return t, true
		}
	}
	return catalog.Tool{}, false
}

// explain says which tool was meant when a server refuses one that it does not have.
func (s *server) explain(ctx context.Context, tool string, err error) error {
	var refused *wire.Error
	if !errors.As(err, &refused) || refused.Code != wire.CodeInvalidParams && refused.Code != wire.CodeMethodNotFound {
		return err
	}
	l, listErr := s.list(ctx)
	if listErr != nil {
		return err
	}
	names := make([]string, len(l.Tools))
	for i, t := range l.Tools {
		if names[i] = t.Name; t.Name == tool {
			return err
		}
	}
	return fmt.Errorf("server %q has no tool %q%s (%w)", s.Name, tool, nearest.Hint(tool, names), err)
}
