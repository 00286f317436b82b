package mcpserver_test

import (
	"context"
	"io"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/hostile"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
	"github.com/elyra-go/elyra/internal/wire"
)

// oneTool is a catalog of a tool that answers.
type oneTool struct{}

func (oneTool) Tools() []mcp.Tool {
	return []mcp.Tool{{Name: "fine", InputSchema: jsontext.Value(`{"type":"object"}`)}}
}

func (oneTool) CallTool(_ context.Context, call *mcpserver.Call) (*mcp.CallToolResult, error) {
	if call.Name != "fine" {
		return nil, wire.Errorf(wire.CodeInvalidParams, "unknown tool")
	}
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("fine")}}, nil
}

func TestRule4_whateverComesInIsAnsweredAndHarmsNobody(t *testing.T) {
	t.Parallel()
	s := mcpserver.New(mcpserver.Options{Info: mcp.Implementation{Name: "app", Version: "1"}, Catalog: oneTool{}})
	connect := func() (*hostile.Client, func()) {
		fromClient, toServer := io.Pipe()
		fromServer, toClient := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- s.Serve(t.Context(), fromClient, toClient)
			toClient.Close()
		}()
		return hostile.New(t, fromServer, toServer), func() {
			toServer.Close()
			if err := <-ended; err != nil {
				t.Errorf("Serve: %v", err)
			}
		}
	}
	bad, endBad := connect()
	good, endGood := connect()
	for _, in := range hostile.Inputs() {
		bad.Survive(in)
		if m := good.Ask(`1`, hostile.Call(`1`, "fine", `{}`)); m.Error != nil {
			t.Errorf("after %q another connection's call gives %v", in.Name, m.Error)
		}
	}
	endBad()
	good.Alive()
	endGood()
}
