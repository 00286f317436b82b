// Command sdk is the workload on the official Go SDK, written as its documentation shows: typed
// handlers, schemas inferred from the types, input and output checked against them, no logging. It
// serves standard input and output and takes no arguments.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elyra-go/elyra/bench/internal/workload"
)

func main() {
	if err := serve(context.Background(), &mcp.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, transport mcp.Transport) error {
	names, err := workload.Names()
	if err != nil {
		return err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "dev.elyra.bench", Version: "devel"}, nil)
	for _, name := range names {
		mcp.AddTool(server, &mcp.Tool{Name: name, Description: workload.PlaceDoc}, tool(workload.PlaceOrder))
	}
	mcp.AddTool(server, &mcp.Tool{Name: workload.Usage, Description: workload.UsageDoc}, tool(workload.TellUsage))
	mcp.AddTool(server, &mcp.Tool{Name: workload.Text, Description: workload.TextDoc}, tool(workload.MakeText))
	return server.Run(ctx, transport)
}

// tool gives f the form of a handler.
func tool[In, Out any](f func(context.Context, In) (Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		out, err := f(ctx, in)
		return nil, out, err
	}
}
