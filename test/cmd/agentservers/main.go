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
	var entries []entry
	for _, server := range servers {
		e, err := parseEntry(server)
		if err != nil {
			return err
		}
		entries = append(entries, e)
	}
	var rows []row
	failed := 0
	for _, e := range entries {
		for _, kind := range e.kinds {
			t, err := try(ctx, program, e.name, kind, e.command)
			if err != nil {
				return err
			}
			failed += t.report("agent with " + e.name + " " + e.version)
			t.row.Server, t.row.Version = e.name, e.version
			rows = append(rows, t.row)
		}
	}
	all, err := together(ctx, program, entries)
	if err != nil {
		return err
	}
	failed += all.report("agent with all of them at once")
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

// report prints a line of the report, and returns how many checks failed.
func (t *trial) report(title string) int {
	protocol := t.row.Protocol
	if protocol == "" {
		protocol = "each its own"
	}
	fmt.Printf("%s\t%s, %s\t%d\t%d\t%d tools in %d ms\n", title, t.row.Transport, protocol, t.passed, t.failed, t.row.Tools, t.row.Milliseconds)
	return t.failed
}
