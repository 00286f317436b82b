// Command agentservers lets the agent's own program work with MCP servers of others, each in a home of its own: it is told of
// the server, lists and searches its tools, calls some, gives up a call, loses the server in the middle of one, and is killed
// itself. Nothing may be left of it then.
//
//	agentservers -elyra PROGRAM [-table FILE [-write]] NAME=VERSION=COMMAND…
//
// NAME says what the command is, see subjects. It prints one line for each server with the fields of
// test/peers/report.sh; what did not hold is on the standard error, and the exit status is 1 then. The table in FILE has to
// say what was seen, apart from times; with -write it is written anew.
//
// It looks for processes in /proc, so it runs on Linux.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == tapArgument {
		os.Exit(tap(os.Args[2], os.Args[3:]))
	}
	elyra := flag.String("elyra", "", "the agent's program")
	table := flag.String("table", "", "the page with the table of servers")
	write := flag.Bool("write", false, "write the table instead of comparing it")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *elyra, *table, *write, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "agentservers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, elyra, table string, write bool, servers []string) error {
	program, err := filepath.Abs(elyra)
	if err != nil {
		return err
	}
	var rows []row
	failed := 0
	for _, server := range servers {
		parts := strings.SplitN(server, "=", 3)
		if len(parts) != 3 {
			return fmt.Errorf("%q is not NAME=VERSION=COMMAND", server)
		}
		kinds, ok := subjects()[parts[0]]
		if !ok {
			return fmt.Errorf("there is no server %q", parts[0])
		}
		for _, kind := range kinds {
			t, err := try(ctx, program, parts[0], kind, parts[2])
			if err != nil {
				return err
			}
			failed += t.failed
			fmt.Printf("agent with %s %s\t%s, %s\t%d\t%d\t%d tools in %d ms\n", parts[0], parts[1], t.row.Transport, t.row.Protocol,
				t.passed, t.failed, t.row.Tools, t.row.Milliseconds)
			t.row.Server, t.row.Version = parts[0], parts[1]
			rows = append(rows, t.row)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d checks failed", failed)
	}
	switch {
	case table == "":
		return nil
	case write:
		return writeTable(table, rows)
	}
	return compareTable(table, rows)
}
