package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	nethttp "net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"time"
)

// remote is a server over HTTP, with a proxy before it that keeps what the agent sends in a file.
type remote struct {
	command *exec.Cmd
	start   func() *exec.Cmd
	port    string
	proxy   *nethttp.Server
	address string // of the proxy
	served  sync.WaitGroup
}

// listenRemote starts the proxy; the server is started by run.
func listenRemote(path string, start func(port string) *exec.Cmd) (*remote, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	r := &remote{port: port, address: "http://" + listener.Addr().String(), start: func() *exec.Cmd { return start(port) }}
	forward := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: "127.0.0.1:" + port})
	forward.FlushInterval = -1
	forward.ErrorLog = log.New(io.Discard, "", 0) // Servers are killed on purpose.
	forward.ErrorHandler = func(w nethttp.ResponseWriter, _ *nethttp.Request, _ error) { w.WriteHeader(nethttp.StatusBadGateway) }
	var mu sync.Mutex
	r.proxy = &nethttp.Server{Handler: nethttp.HandlerFunc(func(w nethttp.ResponseWriter, req *nethttp.Request) {
		body, err := io.ReadAll(io.LimitReader(req.Body, 1<<20))
		if err != nil {
			return
		}
		mu.Lock()
		fmt.Fprintf(file, "%s\n", body)
		mu.Unlock()
		req.Body = io.NopCloser(bytes.NewReader(body))
		defer func() { recover() }() //nolint:errcheck // How the proxy ends a response whose server is gone.
		forward.ServeHTTP(w, req)
	})}
	r.served.Go(func() {
		r.proxy.Serve(listener) //nolint:errcheck // It ends with close.
		file.Close()
	})
	return r, nil
}

func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, err
}

// run starts the server and waits until it listens.
func (r *remote) run(ctx context.Context) error {
	r.command = r.start()
	if err := r.command.Start(); err != nil {
		return err
	}
	for range 300 {
		conn, err := net.Dial("tcp", "127.0.0.1:"+r.port)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-time.After(100 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.New("the server does not listen")
}

// kill ends the server.
func (r *remote) kill() {
	if r.command != nil && r.command.Process != nil {
		r.command.Process.Kill() //nolint:errcheck // It may be gone.
		r.command.Wait()         //nolint:errcheck // It was killed.
		r.command = nil
	}
}

func (r *remote) close() {
	r.kill()
	r.proxy.Close()
	r.served.Wait()
}
