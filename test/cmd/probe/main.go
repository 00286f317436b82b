// Command probe lets our client work with an MCP server of somebody else, over its standard streams, once for each way of
// opening the connection: finding out the era, and each revision by name. It prints one line for each, with the
// fields of test/peers/report.sh; what did not hold is on the standard error, and the exit status is 1 then.
//
//	probe SERVER TITLE COMMAND [ARGUMENT…]
//
// SERVER says what the command is: everything, filesystem, memory or context7.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// patience is how long one connection may take altogether, closing how long its end may.
const (
	patience = time.Minute
	closing  = 10 * time.Second
)

// server is what is known about one server.
type server struct {
	name    string                       // what it calls itself
	version string                       // the newest that it speaks
	args    func(folder string) []string // after the command's own; nil: none
	env     func(folder string) []string // nil: none
	drive   func(s *session)
}

// eras are the values of the client's option with which a server is probed: "" finds out by itself.
func (s server) eras() []string {
	eras := []string{""}
	for _, version := range append(mcp.Versions(), "2024-11-05") {
		if version <= s.version {
			eras = append(eras, version)
		}
	}
	return eras
}

func servers() map[string]server {
	return map[string]server{"everything": everything(), "filesystem": filesystem(), "memory": memory(), "context7": context7()}
}

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: probe SERVER TITLE COMMAND [ARGUMENT…]")
		os.Exit(2)
	}
	kind, ok := servers()[os.Args[1]]
	if !ok {
		fmt.Fprintf(os.Stderr, "probe: there is no server %q\n", os.Args[1])
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	broken := 0
	for _, era := range kind.eras() {
		s := probe(ctx, kind, era, os.Args[3:])
		broken += s.failed
		way := era
		if way == "" {
			way = "auto"
		}
		fmt.Printf("%s\t%s\t%d\t%d\t%s\n", os.Args[2], way, s.passed, s.failed, s.note)
	}
	if broken > 0 {
		os.Exit(1)
	}
}

// probe starts the server in a folder of its own, works with it, and ends it.
func probe(ctx context.Context, kind server, era string, command []string) *session {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	s := &session{ctx: ctx, kind: kind, era: era, command: command, updated: make(chan string, 16)}
	folder, err := os.MkdirTemp("", "probe")
	if err != nil {
		s.check("make a folder", false, err)
		return s
	}
	defer os.RemoveAll(folder)
	s.folder = folder
	if s.open() {
		kind.drive(s)
		s.close()
	}
	return s
}

// transport starts the server.
func (s *session) transport() mcpclient.Transport {
	return mcpclient.Command(func() *exec.Cmd {
		args := s.command[1:]
		if s.kind.args != nil {
			args = append(args[:len(args):len(args)], s.kind.args(s.folder)...)
		}
		cmd := exec.Command(s.command[0], args...)
		cmd.Dir = s.folder
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.folder}
		if s.kind.env != nil {
			cmd.Env = append(cmd.Env, s.kind.env(s.folder)...)
		}
		return cmd
	}, mcpclient.CommandOptions{})
}

// close ends the connection, which has to end the server as well.
func (s *session) close() {
	began := time.Now()
	err := s.Close()
	took := time.Since(began)
	s.check("the end of the connection", err == nil && took < closing, fmt.Sprintf("%v after %v", err, took))
	_, err = s.CallTool(s.ctx, "echo", nil, mcpclient.CallOptions{})
	s.check("a call after the end", errors.Is(err, mcpclient.ErrDisconnected), err)
}
