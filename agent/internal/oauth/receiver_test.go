package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// listenFor returns a receiver that waits for the state "mine".
func listenFor(t *testing.T) (*receiver, int) {
	t.Helper()
	port := freePort(t)
	r, err := listen(port, "")
	if err != nil {
		t.Fatal(err)
	}
	r.expect(func(a answer) bool { return a.state == "mine" })
	return r, port
}

func TestReceiverAnswersOneAddressAlone(t *testing.T) {
	t.Parallel()
	r, port := listenFor(t)
	defer r.close()
	base := fmt.Sprintf("http://127.0.0.1:%d", port)
	for _, test := range []struct {
		method, path, host string
		status             int
	}{
		{"GET", "/", "", 404},
		{"GET", "/favicon.ico", "", 404},
		{"GET", "/mcp/callback/", "", 404},
		{"GET", "/mcp//callback?code=c&state=mine", "", 404},
		{"GET", "/mcp/%63allback?code=c&state=mine", "", 404},
		{"POST", "/mcp/callback?code=c&state=mine", "", 405},
		{"HEAD", "/mcp/callback?code=c&state=mine", "", 405},
		{"OPTIONS", "/mcp/callback", "", 405},
		{"GET", "/mcp/callback?code=c&state=mine", "rebinding.example", 404},
		{"GET", "/mcp/callback?code=c&state=mine", fmt.Sprintf("localhost:%d", port), 404},
		{"GET", "/mcp/callback?code=c&state=other", "", 400},
		{"GET", "/mcp/callback?code=c", "", 400},
		{"GET", "/mcp/callback?code=c&state=mine&state=mine", "", 400},
		{"GET", "/mcp/callback?code=c&state=mine&code=d", "", 400},
		{"GET", "/mcp/callback?code=c&state=mine&iss=x&iss=y", "", 400},
		{"GET", "/mcp/callback?state=mine&code=" + strings.Repeat("x", maxAnswer), "", 400},
	} {
		req, err := http.NewRequest(test.method, base+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = test.host
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != test.status {
			t.Errorf("%s %s (%s): status %d, want %d", test.method, test.path, test.host, resp.StatusCode, test.status)
		}
	}
	if len(r.answers) > 0 {
		t.Error("something was accepted")
	}
}

func TestReceiverTakesOneAnswerAndShowsAPlainPage(t *testing.T) {
	t.Parallel()
	r, port := listenFor(t)
	address := fmt.Sprintf("http://127.0.0.1:%d%s?state=mine&code=", port, callbackPath)
	for i, code := range []string{"first", "first", "<script>alert(1)</script>"} {
		resp, err := http.Get(address + code)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if string(body) != page || resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain") || resp.Header.Get("X-Content-Type-Options") != "nosniff" || resp.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("visit %d: status %d, %q, %v", i+1, resp.StatusCode, body, resp.Header)
		}
		if i == 0 {
			if got := <-r.answers; got.code != "first" {
				t.Errorf("got %+v", got)
			}
		}
	}
	if len(r.answers) > 0 {
		t.Error("a second answer was taken")
	}
	r.close()
	if _, err := net.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
		t.Error("the port is still bound")
	}
}

func TestReceiverBeforeTheBrowserWasSent(t *testing.T) {
	t.Parallel()
	r, err := listen(freePort(t), "")
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	if r.take(answer{state: ""}) || len(r.answers) > 0 {
		t.Error("an answer before there was a question")
	}
}

func TestBrowserThatComesTwice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.session(nil)
	err := s.Login(t.Context(), LoginOptions{Open: func(address string) error {
		// The first visit ends at our page; then the browser reloads it, twice at once.
		var last string
		client := http.Client{CheckRedirect: func(r *http.Request, _ []*http.Request) error { last = r.URL.String(); return nil }}
		resp, err := client.Get(address)
		if err != nil {
			return err
		}
		resp.Body.Close()
		all(t, 2, func() error { return browse(last) })
		return nil
	}})
	if err != nil || w.as.grants("authorization_code") != 1 {
		t.Errorf("%v, %d codes used", err, w.as.grants("authorization_code"))
	}
}

func TestBusyPort(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", w.port))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := w.session(func(o *Options) { o.ProcRoot = "/proc" })
	err = s.Login(t.Context(), LoginOptions{Open: browse})
	if !errors.Is(err, ErrPortBusy) || !strings.Contains(err.Error(), "--no-browser") {
		t.Fatalf("error %v", err)
	}
	if runtime.GOOS == "linux" && !strings.Contains(err.Error(), fmt.Sprintf("(process %d)", os.Getpid())) {
		t.Errorf("it does not say by what: %v", err)
	}
	if len(w.as.clients)+len(w.rs.requests()) > 0 {
		t.Error("requests were made for a login that could not end")
	}
	// Pasting needs no port.
	if err := s.Login(t.Context(), LoginOptions{NoBrowser: true, Show: w.visit, Paste: w.pasteLast}); err != nil {
		t.Errorf("with --no-browser: %v", err)
	}
}

// visit goes to the authorization server as a browser of another machine does: it cannot reach the redirect address.
func (w *world) visit(_, _, address string) {
	client := http.Client{CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		w.ended = r.URL.String()
		return http.ErrUseLastResponse
	}}
	resp, err := client.Get(address)
	if err != nil {
		w.t.Error(err)
		return
	}
	resp.Body.Close()
}

// pasteLast pastes where visit ended up.
func (w *world) pasteLast(context.Context, string) (string, error) { return w.ended, nil }

func TestPaste(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	redirect := fmt.Sprintf("http://127.0.0.1:%d/mcp/callback", w.port)
	query := func() string { _, q, _ := strings.Cut(w.ended, "?"); return q }
	tests := map[string]func() string{
		"the address":            func() string { return w.ended },
		"with blanks and quotes": func() string { return "  \"" + w.ended + "\"\r\n" },
		"with a fragment":        func() string { return w.ended + "#_=_" },
		"the query":              func() string { return query() },
		"with its mark":          func() string { return "?" + query() },
	}
	for name, text := range tests {
		var problems []string
		lines := []string{"", "https://as.example/mcp/callback?code=x&state=y", redirect + "?code=x&state=other"}
		err := w.session(nil).Login(t.Context(), LoginOptions{NoBrowser: true, Show: w.visit, Paste: func(_ context.Context, problem string) (string, error) {
			problems = append(problems, problem)
			if n := len(problems); n <= len(lines) {
				return lines[n-1], nil
			}
			return text(), nil
		}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(problems) != 4 || problems[0] != "" || !strings.Contains(problems[2], "does not begin with "+redirect) || !strings.Contains(problems[3], "another login") {
			t.Errorf("%s: problems %q", name, problems)
		}
	}
}

func TestPasteThatNeverFits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := 0
	err := w.session(nil).Login(t.Context(), LoginOptions{NoBrowser: true, Paste: func(context.Context, string) (string, error) { n++; return "nonsense", nil }})
	if err == nil || n != maxPastes {
		t.Errorf("%v after %d", err, n)
	}
}

func TestBrowserOnThisMachineWhileNobodyPastes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	err := w.session(nil).Login(t.Context(), LoginOptions{
		NoBrowser: true,
		Show:      func(_, _, address string) { go browse(address) },
		Paste:     func(context.Context, string) (string, error) { return "", io.EOF },
	})
	if err != nil {
		t.Error(err)
	}
}

func TestBrowserThatDoesNotOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var problem string
	err := w.session(nil).Login(t.Context(), LoginOptions{
		Show: w.visit,
		Open: func(string) error { return errors.New("there is no display") },
		Paste: func(_ context.Context, p string) (string, error) {
			problem = p
			return w.ended, nil
		},
	})
	if err != nil || problem != "there is no display" {
		t.Errorf("%v, problem %q", err, problem)
	}
}

func TestPasteEndsWithTheLogin(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ended := make(chan struct{})
	err := w.session(nil).Login(t.Context(), LoginOptions{
		NoBrowser: true,
		Timeout:   20 * time.Millisecond,
		Paste: func(ctx context.Context, _ string) (string, error) {
			<-ctx.Done()
			close(ended)
			return "", ctx.Err()
		},
	})
	if err == nil {
		t.Error("a login by nobody")
	}
	<-ended
}
