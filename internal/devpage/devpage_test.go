package devpage

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/window"
)

// answer is what a page got.
type answer struct {
	status int
	header map[string]string
	body   string
}

func (a *answer) Respond(status int, header map[string]string, body []byte) {
	a.status, a.header, a.body = status, header, string(body)
}

func (a *answer) Stream(map[string]string) (io.WriteCloser, error) {
	return nil, fmt.Errorf("not expected")
}

// get asks as a page does, with the window's token among the headers.
func get(t *testing.T, d *Developer, path, query string) *answer {
	t.Helper()
	a := &answer{}
	headers := map[string]string{"X-Elyra-Token": "secret", "Accept": "text/css", "Cookie": "secret"}
	if !d.Serve(&window.Request{Method: "GET", Path: path, Query: query, Header: func(name string) string { return headers[name] }}, a) {
		t.Fatalf("%s is left to the app", path)
	}
	return a
}

func TestOnlyLoopbackIsAsked(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "http://localhost:5173", "http://example.org:80", "http://0.0.0.0:5173", "http://192.168.0.1:5173", "https://127.0.0.1:5173",
		"http://127.0.0.1", "http://127.0.0.1:0", "http://127.0.0.1:99999", "http://127.0.0.1:5173/base", "http://a@127.0.0.1:5173",
		"http://127.0.0.1:5173?x", "127.0.0.1:5173", "http://127.0.0.1:5173;x", "http://127.0.0.1:5173 *", "file:///etc/passwd", "http://[::1",
	} {
		if _, err := New(Options{Server: address}); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
	for _, address := range []string{"http://127.0.0.1:5173", "http://127.0.0.1:5173/", "http://[::1]:5173"} {
		if _, err := New(Options{Server: address}); err != nil {
			t.Error(err)
		}
	}
	if _, err := New(Options{Server: "http://127.0.0.1:5173", Dir: t.TempDir()}); err == nil {
		t.Error("both are taken")
	}
	if _, err := New(Options{Dir: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a folder that is not there is taken")
	}
}

func TestServerIsAskedForFiles(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, "http://example.org/", http.StatusFound)
		case "/missing":
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Set-Cookie", "a=b")
			fmt.Fprintf(w, "%s %s %s %s", r.Method, r.RequestURI, r.Header.Get("Accept"), r.Header.Get("X-Elyra-Token")+r.Header.Get("Cookie"))
		}
	}))
	defer server.Close()
	d, err := New(Options{Server: server.URL, Policy: "default-src 'self'"})
	if err != nil {
		t.Fatal(err)
	}
	a := get(t, d, "/src/größe main.js", "t=1&import")
	if a.status != 200 || a.body != "GET /src/gr%C3%B6%C3%9Fe%20main.js?t=1&import text/css " {
		t.Errorf("%d %q", a.status, a.body)
	}
	want := "default-src 'self'; script-src 'self' 'unsafe-inline'; connect-src 'self' ws://" + strings.TrimPrefix(server.URL, "http://")
	if a.header["Content-Type"] != "text/javascript" || a.header["Content-Security-Policy"] != want || len(a.header) != 5 {
		t.Errorf("%v", a.header)
	}
	if a := get(t, d, "/away", ""); a.status != 502 {
		t.Errorf("a redirection: %d %s", a.status, a.body)
	}
	if a := get(t, d, "/missing", ""); a.status != 404 {
		t.Errorf("missing: %d", a.status)
	}
	if d.Serve(&window.Request{Method: "POST", Path: "/call/x"}, &answer{}) {
		t.Error("a call goes to the server")
	}
	if d.Script() != "" || d.Files() != nil {
		t.Error("the server has the files")
	}
	server.Close()
	if a := get(t, d, "/", ""); a.status != 502 || !strings.Contains(a.body, "development server") {
		t.Errorf("gone: %d %s", a.status, a.body)
	}
}

func TestFilesTellWhenTheyChange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("index.html", "one")
	d, err := New(Options{Dir: dir, Policy: "default-src 'self'"})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	changed := func(what string) {
		t.Helper()
		a := get(t, d, "/elyra/changed", "")
		if a.status != 200 || seen[a.body] {
			t.Errorf("%s: %d %q", what, a.status, a.body)
		}
		if again := get(t, d, "/elyra/changed", ""); again.body != a.body {
			t.Errorf("%s: %q, then %q", what, a.body, again.body)
		}
		seen[a.body] = true
	}
	changed("first")
	write("index.html", "longer")
	changed("written")
	write("new.js", "")
	changed("added")
	if err := os.Rename(filepath.Join(dir, "new.js"), filepath.Join(dir, "other.js")); err != nil {
		t.Fatal(err)
	}
	changed("renamed")
	if !strings.Contains(d.Script(), "location.reload()") || d.Files() == nil {
		t.Error("the page does not load again")
	}
	if d.Serve(&window.Request{Method: "GET", Path: "/index.html"}, &answer{}) {
		t.Error("files are the bridge's to serve")
	}
}
