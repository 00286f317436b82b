// Command bridge offers a command that speaks MCP over its standard streams at an HTTP address of the loopback interface,
// for test suites that know only HTTP. It prints the address on its standard output and serves until it is interrupted;
// then it ends every process that it started.
//
//	bridge COMMAND [ARGUMENT…]
package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/test/bridge"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: bridge COMMAND [ARGUMENT…]")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "bridge:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, name string, args []string) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	b := bridge.New(mcpclient.Command(func() *exec.Cmd { return exec.Command(name, args...) }, mcpclient.CommandOptions{Stderr: os.Stderr}), log)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	server := &http.Server{Handler: b, BaseContext: func(net.Listener) context.Context { return ctx }}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err = <-served:
	case <-ctx.Done():
		server.Close()
		<-served
	}
	if closed := b.Close(); err == nil {
		err = closed
	}
	return err
}
