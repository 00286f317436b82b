// Command mcpgo is the workload on mark3labs/mcp-go, written as its documentation shows: typed handlers that give
// structured results, schemas made from the types, no logging. It serves standard input and output and takes no arguments.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/elyra-go/elyra/bench/internal/workload"
)

func main() {
	if err := serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, in io.Reader, out io.Writer) error {
	names, err := workload.Names()
	if err != nil {
		return err
	}
	s := server.NewMCPServer("dev.elyra.bench", "devel", server.WithToolCapabilities(false))
	for _, name := range names {
		s.AddTool(tool[workload.Order, workload.Receipt](name, workload.PlaceDoc), handler(workload.PlaceOrder))
	}
	s.AddTool(tool[workload.Nothing, workload.Memory](workload.Usage, workload.UsageDoc), handler(workload.TellUsage))
	return server.NewStdioServer(s).Listen(ctx, in, out)
}

func tool[In, Out any](name, doc string) mcp.Tool {
	return mcp.NewTool(name, mcp.WithDescription(doc), mcp.WithInputSchema[In](), mcp.WithOutputSchema[Out]())
}

// handler gives f the form of a handler.
func handler[In, Out any](f func(context.Context, In) (Out, error)) server.ToolHandlerFunc {
	return mcp.NewStructuredToolHandler(func(ctx context.Context, _ mcp.CallToolRequest, in In) (Out, error) { return f(ctx, in) })
}
