// Command peer lets a real authorization server and a real MCP server work with package oauth: each run is one process of
// an agent with its own memory and a shared folder. The script test/peers/oauth.sh runs it; no program links it.
//
//	peer -home DIR -url URL login|logout|status
//	peer -home DIR -url URL [-offer] call TOOL
//	peer document ADDRESS
//
// It prints what a test looks at on standard output and errors on standard error, and never a secret. The exit status is 3
// when a login is needed, 4 when it was denied.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/oauth"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpclient/streamable"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	cancel()
	if err == nil {
		return
	}
	status := 1
	var needed *oauth.ErrLoginNeeded
	switch {
	case errors.As(err, &needed):
		err = fmt.Errorf("%w (scopes: %s)", err, strings.Join(needed.Scopes, " "))
		status = 3
	case errors.Is(err, oauth.ErrDenied):
		status = 4
	}
	fmt.Fprintln(os.Stderr, "peer:", err)
	os.Exit(status)
}

// peer is one run.
type peer struct {
	url     string
	session *oauth.Session
	login   oauth.LoginOptions
	out     io.Writer
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("peer", flag.ContinueOnError)
	folder := flags.String("home", "", "the agent's folder")
	url := flags.String("url", "", "the MCP server")
	offer := flags.Bool("offer", false, "log in when a call needs it")
	noBrowser := flags.Bool("no-browser", false, "print the address and read what is pasted")
	document := flags.String("document", "", "the address of a client metadata document")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.Arg(0) == "document" {
		data, err := oauth.Document(flags.Arg(1))
		if err == nil {
			_, err = out.Write(data)
		}
		return err
	}
	dir, err := home.Open(*folder)
	if err != nil {
		return err
	}
	p := &peer{url: *url, out: out, login: oauth.LoginOptions{NoBrowser: *noBrowser, Open: oauth.Browser(runtime.GOOS, nil), Timeout: 20 * time.Second}}
	if *noBrowser {
		p.login.Show = func(_, _, address string) { fmt.Fprintln(out, address) }
		lines := bufio.NewReader(in)
		p.login.Paste = func(context.Context, string) (string, error) { return lines.ReadString('\n') }
	}
	o := oauth.Options{
		Name: "notes", Identity: "user", URL: *url, ClientDocument: *document, ProcRoot: "/proc",
		Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}
	if *offer {
		o.Offer = func(context.Context, []string) (oauth.LoginOptions, bool) { return p.login, true }
	}
	if p.session, err = oauth.New(dir).Session(o); err != nil {
		return err
	}
	defer p.session.Close()
	return p.do(ctx, flags.Args())
}

func (p *peer) do(ctx context.Context, args []string) error {
	switch {
	case len(args) == 1 && args[0] == "login":
		return p.session.Login(ctx, p.login)
	case len(args) == 1 && args[0] == "logout":
		return p.session.Logout(ctx)
	case len(args) == 1 && args[0] == "status":
		s, err := p.session.Status()
		if err == nil {
			fmt.Fprintf(p.out, "in=%v refreshes=%v scopes=%s\n", s.LoggedIn, s.Refreshes, strings.Join(s.Scopes, ","))
		}
		return err
	case len(args) == 2 && args[0] == "call":
		return p.call(ctx, args[1])
	}
	return fmt.Errorf("unknown command %q", strings.Join(args, " "))
}

// call calls one tool over Streamable HTTP, as the agent does.
func (p *peer) call(ctx context.Context, tool string) error {
	t, err := streamable.New(streamable.Options{URL: p.url, Auth: p.session})
	if err != nil {
		return err
	}
	c, err := mcpclient.Connect(ctx, t, mcpclient.Options{Era: mcp.V2026_07_28})
	if err != nil {
		return err
	}
	defer c.Close()
	r, err := c.CallTool(ctx, tool, map[string]any{}, mcpclient.CallOptions{})
	if err != nil {
		return err
	}
	for _, content := range r.Content {
		fmt.Fprintln(p.out, content.Text)
	}
	return nil
}
