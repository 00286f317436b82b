// Command elyra is a coding agent that uses MCP servers, and the command line of its MCP host.
//
// The program only joins the process (arguments, streams, environment, signals) to internal/cli. It must not
// contain behaviour of its own, so that every command can be run in a test.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "elyra: no command is built yet")
	os.Exit(2)
}
