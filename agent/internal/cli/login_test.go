package cli

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/elyra-go/elyra/agent/internal/hosttest"
	"github.com/elyra-go/elyra/internal/terminal"
)

// newRemote is an MCP server over HTTP that wants a login, and its own authorization server.
func newRemote() *httptest.Server {
	var s *httptest.Server
	reply := func(w http.ResponseWriter, format string, args ...any) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, format, args...)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, `{"resource":"%s/mcp","authorization_servers":["%[1]s"]}`, s.URL)
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, `{"issuer":"%s","authorization_endpoint":"%[1]s/authorize","token_endpoint":"%[1]s/token","registration_endpoint":"%[1]s/register","code_challenge_methods_supported":["S256"]}`, s.URL)
	})
	mux.HandleFunc("/register", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"client_id":"client"}`)
	})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		http.Redirect(w, r, q.Get("redirect_uri")+"?code=code-1&state="+url.QueryEscape(q.Get("state")), http.StatusFound)
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, `{"access_token":"token-of-the-login","token_type":"Bearer","expires_in":3600}`)
	})
	mux.Handle("/mcp", hosttest.Remote{Tool: "who", Text: "you are in", Refuse: func(r *http.Request, _ string) int {
		if r.Header.Get("Authorization") != "Bearer token-of-the-login" {
			return http.StatusUnauthorized
		}
		return 0
	}})
	s = httptest.NewServer(mux)
	return s
}

// startRemote starts the server for a script and configures it under a name, with a port for the redirect that nobody else
// has: remote NAME
func startRemote(ts *testscript.TestScript, _ bool, args []string) {
	s := newRemote()
	ts.Defer(s.Close)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	port := free.Addr().(*net.TCPAddr).Port
	ts.Check(free.Close())
	file := filepath.Join(ts.Getenv("HOME"), ".elyra", "agent", "mcp.json")
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o700))
	ts.Check(os.WriteFile(file, fmt.Appendf(nil, `{"mcpServers": {%q: {"url": "%s/mcp", "oauth": {"callbackPort": %d}}}}`, args[0], s.URL, port), 0o600))
}

// browserVariable is set for a script's program that has a browser: one that agrees to everything.
const browserVariable = "TEST_BROWSER"

// browse opens an address as a browser does that is on this machine.
func browse(address string) error {
	resp, err := http.Get(address)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// pastes opens the address that the terminal shows in a browser of another machine, and types where that ended.
func pastes(ts *testscript.TestScript, _ bool, _ []string) {
	var shown strings.Builder
	for _, line := range ts.Value(terminalKey).(*terminalOf).lines() {
		switch {
		case strings.Contains(line, "/authorize?"):
			shown.Reset()
			shown.WriteString(line)
		case line == "":
			shown.WriteByte('\n')
		default:
			shown.WriteString(line)
		}
	}
	address, _, _ := strings.Cut(shown.String(), "\n")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Get(address)
	ts.Check(err)
	resp.Body.Close()
	time.Sleep(readTime)
	write(ts, resp.Header.Get("Location")+"\r")
}

// elsewhere is a terminal at which somebody opens the address that is shown in a browser of another machine, and pastes where
// that ended.
type elsewhere struct {
	t      *testing.T
	shown  *bytes.Buffer // standard error of elyra
	pasted *strings.Reader
}

func (e *elsewhere) Read(b []byte) (int, error) {
	if e.pasted == nil {
		address := regexp.MustCompile(`(?m)^ *(http\S+/authorize\?\S+)$`).FindStringSubmatch(e.shown.String())
		if address == nil {
			return 0, fmt.Errorf("no address in %q", e.shown)
		}
		client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		resp, err := client.Get(address[1])
		if err != nil {
			return 0, err
		}
		resp.Body.Close()
		e.pasted = strings.NewReader(resp.Header.Get("Location") + "\n")
	}
	return e.pasted.Read(b)
}

func (e *elsewhere) Write(b []byte) (int, error)     { return len(b), nil }
func (e *elsewhere) Close() error                    { return nil }
func (e *elsewhere) SetReadDeadline(time.Time) error { return errors.ErrUnsupported }

// Over SSH there is no browser, and the redirect address is one of another machine: the address is printed, and what the
// browser ended at is pasted. No keyring is asked: the tokens are in a file for the user alone.
func TestLoginOverSSH(t *testing.T) {
	t.Parallel()
	remote := newRemote()
	t.Cleanup(remote.Close)
	home := t.TempDir()
	elyra := func(args ...string) (code int, stdout, stderr string) {
		var out, log bytes.Buffer
		code = Run(t.Context(), args, Env{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &log, Environ: []string{"HOME=" + home, "PATH=/nowhere"}, Dir: home, UserHome: home,
			OpenTerminal: func() (terminal.Device, error) { return &elsewhere{t: t, shown: &log}, nil },
			Browse:       func(string) error { t.Error("a browser was opened"); return nil },
		})
		return code, out.String(), log.String()
	}
	if code, _, stderr := elyra("mcp", "add", "far", remote.URL+"/mcp"); code != 0 {
		t.Fatal(stderr)
	}
	if code, stdout, stderr := elyra("mcp", "login", "--no-browser", "far"); code != 0 || stdout != "logged in to far\n" {
		t.Fatalf("code %d, %q, %s", code, stdout, stderr)
	}
	if code, stdout, stderr := elyra("mcp", "call", "far", "who"); code != 0 || stdout != "you are in\n" {
		t.Errorf("code %d, %q, %s", code, stdout, stderr)
	}
	file := filepath.Join(home, ".elyra", "agent", "extension-credentials.json")
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the credentials: %v, %v", info, err)
	}
	if code, _, stderr := elyra("mcp", "logout", "far"); code != 0 {
		t.Error(stderr)
	}
	if text, err := os.ReadFile(file); err != nil || strings.Contains(string(text), "token-of-the-login") {
		t.Errorf("after the logout: %v", err)
	}
}
