package dev

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"time"

	"github.com/elyra-go/elyra/internal/process"
)

// frontendPatience is how long a frontend's development server may take to answer.
const frontendPatience = 60 * time.Second

// Frontend is a development server of a frontend's own toolchain, on the loopback interface.
type Frontend struct {
	// Address is what it answers at: http://127.0.0.1:41234.
	Address string

	group  process.Group
	exited chan struct{} // closed when it has ended
}

// StartFrontend starts the server that command makes for a port, and waits until it answers. Say tells the
// person of it.
func StartFrontend(ctx context.Context, command func(port string) (*exec.Cmd, error), o Output) (*Frontend, error) {
	// The port is free now. Should somebody else take it meanwhile, the server does not start, because it is
	// told to take no other.
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the frontend: %w", err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, fmt.Errorf("start the frontend: %w", err)
	}
	_, port, _ := net.SplitHostPort(address) // it is an address
	cmd, err := command(port)
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = o.Stdout, o.Stderr
	cmd.WaitDelay = time.Second
	group, err := process.Start(cmd)
	if err != nil {
		return nil, fmt.Errorf("start the frontend: %w", err)
	}
	f := &Frontend{Address: "http://" + address, group: group, exited: make(chan struct{})}
	go func() {
		defer close(f.exited)
		_ = cmd.Wait() // it is not to end, so why does not matter
		group.Kill()
		group.Release()
	}()
	if err := f.answers(ctx); err != nil {
		f.Stop()
		return nil, fmt.Errorf("start the frontend: %w", err)
	}
	return f, nil
}

// answers waits for the first answer.
func (f *Frontend) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, frontendPatience)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true}}
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, f.Address+"/", nil)
		if err != nil {
			return err
		}
		if response, err := client.Do(request); err == nil {
			return response.Body.Close()
		}
		select {
		case <-f.exited:
			return errors.New("its development server ended")
		case <-ctx.Done():
			return fmt.Errorf("its development server did not answer at %s: %w", f.Address, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Exited is closed when the server has ended by itself or was stopped.
func (f *Frontend) Exited() <-chan struct{} { return f.exited }

// Stop ends the server with all that it has started.
func (f *Frontend) Stop() {
	f.group.Terminate()
	select {
	case <-f.exited:
	case <-time.After(grace):
		f.group.Kill()
		<-f.exited
	}
}
