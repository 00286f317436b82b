package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/oauth"
	"github.com/elyra-go/elyra/internal/terminal"
)

// The person of a conformance run: types at a terminal, and has a browser that follows every redirect.

// conformanceDocument is the address at which the suite's authorization servers believe to find the client's metadata.
const conformanceDocument = "https://conformance-test.local/client-metadata.json"

// conformanceLogin makes the login of the run. Its redirect address has a port of its own, because the suite runs several
// clients at once.
func conformanceLogin(r *run, dir *home.Dir, url string, asked conformanceContext) (*oauth.Session, error) {
	port, err := freePort(r.ctx)
	if err != nil {
		return nil, err
	}
	browse := func(address string) error { return visit(r.ctx, address) }
	return oauth.New(dir).Session(oauth.Options{
		Name: conformanceServer, Identity: "user", URL: url, CallbackPort: port,
		ClientID: asked.ClientID, ClientSecret: asked.ClientSecret, ClientDocument: conformanceDocument,
		Offer: func(context.Context, []string) (oauth.LoginOptions, bool) {
			return oauth.LoginOptions{Open: browse, Timeout: 10 * time.Second}, true
		},
	})
}

// freePort finds a port of the loopback interface that nobody listens on.
func freePort(ctx context.Context) (int, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// visit opens a page and follows its redirects.
func visit(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// agreeing opens a terminal at which somebody agrees to every question and takes every value that is offered.
func agreeing() (terminal.Device, error) { return &person{}, nil }

// person types a line after each prompt.
type person struct {
	prompt string
	typed  io.Reader
}

func (p *person) Write(b []byte) (int, error) {
	p.prompt = string(b)
	return len(b), nil
}

func (p *person) Read(b []byte) (int, error) {
	if p.typed == nil {
		line := "\n"
		if strings.HasSuffix(p.prompt, "[y/N] ") {
			line = "y\n"
		}
		p.typed = strings.NewReader(line)
	}
	n, err := p.typed.Read(b)
	if err == io.EOF {
		p.typed = nil
		return p.Read(b)
	}
	return n, nil
}

func (p *person) Close() error                    { return nil }
func (p *person) SetReadDeadline(time.Time) error { return nil }
