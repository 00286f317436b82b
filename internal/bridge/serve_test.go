package bridge

import (
	"context"
	"errors"
	"net/textproto"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/window"
)

func TestCallReachesTheApp(t *testing.T) {
	t.Parallel()
	p := openPage(t, newBridge(t, newApp(), nil), "main")
	a := p.post("/call/customers_show", `{"id":1}`)
	if a.status != 200 || string(a.body) != `"main customers_show {'id':1}"` {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if a.header["Content-Type"] != "application/json" || a.header["Cache-Control"] != "no-store" {
		t.Errorf("headers %v", a.header)
	}
}

func TestCallErrorsAreTheApps(t *testing.T) {
	t.Parallel()
	app := newApp()
	app.call = func(context.Context, string, string, []byte) ([]byte, error) { return nil, errors.New("disk full") }
	a := openPage(t, newBridge(t, app, nil), "main").post("/call/c", "")
	if a.status != 418 || !strings.Contains(string(a.body), "disk full") {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

func TestCallWithoutResultIsNull(t *testing.T) {
	t.Parallel()
	app := newApp()
	app.call = func(context.Context, string, string, []byte) ([]byte, error) { return nil, nil }
	if a := openPage(t, newBridge(t, app, nil), "main").post("/call/c", ""); string(a.body) != "null" {
		t.Errorf("got %q", a.body)
	}
}

func TestCallThatPanicsIsAnError(t *testing.T) {
	t.Parallel()
	app := newApp()
	app.call = func(context.Context, string, string, []byte) ([]byte, error) { panic("secret") }
	a := openPage(t, newBridge(t, app, nil), "main").post("/call/c", "")
	if a.status != 500 || strings.Contains(string(a.body), "secret") {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

func TestRequestsAreRefused(t *testing.T) {
	t.Parallel()
	type change = func(*window.Request, textproto.MIMEHeader)
	set := func(name, value string) change {
		return func(_ *window.Request, h textproto.MIMEHeader) { h.Set(name, value) }
	}
	app := newApp()
	b := newBridge(t, app, nil)
	p, other := openPage(t, b, "main"), openPage(t, b, "other")
	if p.token == other.token || len(p.token) < 40 {
		t.Fatalf("tokens %q and %q", p.token, other.token)
	}
	for name, test := range map[string]struct {
		path   string
		change change
		status int
		kind   string
	}{
		"a foreign origin":          {"/call/c", set("Origin", "https://evil.example"), 403, "foreign"},
		"an opaque origin":          {"/call/c", set("Origin", "null"), 403, "foreign"},
		"a foreign origin, file":    {"/app.js", set("Origin", "null"), 403, "foreign"},
		"no token":                  {"/call/c", set(tokenHeader, ""), 403, "token"},
		"a wrong token":             {"/call/c", set(tokenHeader, p.token[1:]+"x"), 403, "token"},
		"another window's token":    {"/call/c", set(tokenHeader, other.token), 403, "token"},
		"no window":                 {"/call/c", func(r *window.Request, _ textproto.MIMEHeader) { r.Window = "" }, 403, "token"},
		"an unknown window":         {"/live/stream", func(r *window.Request, _ textproto.MIMEHeader) { r.Window = "x" }, 403, "token"},
		"GET":                       {"/call/c", func(r *window.Request, _ textproto.MIMEHeader) { r.Method = "GET" }, 405, "method"},
		"a body that is not bytes":  {"/call/c", set(window.BodyHeader, ""), 415, "body"},
		"a body that is too large":  {"/call/c", func(r *window.Request, _ textproto.MIMEHeader) { r.Body = make([]byte, window.MaxBody+1) }, 413, "body"},
		"no command":                {"/call/", nil, 404, "unknownCommand"},
		"a path as command":         {"/call/../live/open", nil, 404, "unknownCommand"},
		"a command without end":     {"/call/" + strings.Repeat("a", 200), nil, 404, "unknownCommand"},
		"POST to a file":            {"/index.html", nil, 405, "method"},
		"an open that is no JSON":   {"/live/open", func(r *window.Request, _ textproto.MIMEHeader) { r.Body = []byte("{") }, 400, "body"},
		"an open without a stream":  {"/live/open", func(r *window.Request, _ textproto.MIMEHeader) { r.Body = []byte("{}") }, 400, "body"},
		"an open of a lost stream":  {"/live/open", func(r *window.Request, _ textproto.MIMEHeader) { r.Body = []byte(`{"stream":"x"}`) }, 409, "stream"},
		"something below live":      {"/live/else", func(r *window.Request, _ textproto.MIMEHeader) { r.Body = []byte(`{"stream":"x"}`) }, 409, "stream"},
		"an unknown member of open": {"/live/open", func(r *window.Request, _ textproto.MIMEHeader) { r.Body = []byte(`{"stream":"x","Id":1}`) }, 400, "body"},
	} {
		t.Run(name, func(t *testing.T) {
			a := &answer{}
			b.Serve(p.request(test.path, "", test.change), a)
			if a.status != test.status || kindOf(t, a) != test.kind {
				t.Errorf("got %d %s, want %d %s", a.status, a.body, test.status, test.kind)
			}
		})
	}
	if app.calls != 0 || len(app.opened) != 0 {
		t.Errorf("%d calls and %d subscriptions reached the app", app.calls, len(app.opened))
	}
}

func TestFilesAreServed(t *testing.T) {
	t.Parallel()
	p := openPage(t, newBridge(t, newApp(), nil), "main")
	for _, test := range []struct {
		path        string
		status      int
		contentType string
		body        string
	}{
		{"/", 200, "text/html; charset=utf-8", "<h1>home</h1>"},
		{"/index.html", 200, "text/html; charset=utf-8", "<h1>home</h1>"},
		{"/app.js", 200, "text/javascript; charset=utf-8", "run()"},
		{"/img/a b.png", 200, "image/png", "\x89"},
		{"/customers/12", 200, "text/html; charset=utf-8", "<h1>home</h1>"},
		{"/docs", 200, "text/html; charset=utf-8", "<h1>home</h1>"},
		{"/missing.js", 404, "text/plain; charset=utf-8", "there is no missing.js"},
		{"/../secret.txt", 404, "text/plain; charset=utf-8", "is not a path"},
		{"//etc/passwd.txt", 404, "text/plain; charset=utf-8", "is not a path"},
		{"/elyra/runtime.js", 200, "text/javascript; charset=utf-8", "// Code generated"},
	} {
		t.Run(test.path, func(t *testing.T) {
			a := p.get(test.path)
			if a.status != test.status || a.header["Content-Type"] != test.contentType || !strings.HasPrefix(string(a.body), test.body) && !strings.Contains(string(a.body), test.body) {
				t.Errorf("got %d %q %.60q", a.status, a.header["Content-Type"], a.body)
			}
			csp := a.header["Content-Security-Policy"]
			if !strings.Contains(csp, "default-src 'self'") || strings.Contains(csp, "unsafe-eval") || a.header["X-Content-Type-Options"] != "nosniff" {
				t.Errorf("headers %v", a.header)
			}
		})
	}
}

func TestWindowWithoutFilesSaysSo(t *testing.T) {
	t.Parallel()
	p := openPage(t, newBridge(t, newApp(), func(o *Options) { o.Assets = nil }), "main")
	if a := p.get("/"); a.status != 404 || !strings.Contains(string(a.body), "index.html") {
		t.Errorf("got %d %q", a.status, a.body)
	}
}

func TestDocumentStartKeepsTheTokenUntilTheWindowCloses(t *testing.T) {
	t.Parallel()
	b := newBridge(t, newApp(), nil)
	first := b.DocumentStart("main")
	if b.DocumentStart("main") != first {
		t.Error("an open window got another token")
	}
	if !strings.Contains(first, `"window":"main"`) || !strings.Contains(first, "__elyra") {
		t.Errorf("the script is %q", first)
	}
	p := openPage(t, b, "main")
	b.Closed("main")
	b.Closed("main")
	if a := p.post("/call/c", ""); a.status != 403 {
		t.Errorf("a closed window's token still works: %d", a.status)
	}
	if b.DocumentStart("main") == first {
		t.Error("a window that was opened again has the old token")
	}
}

func TestWithoutRandomnessNothingCanBeCalled(t *testing.T) {
	t.Parallel()
	b := newBridge(t, newApp(), func(o *Options) { o.Rand = strings.NewReader("short") })
	b.DocumentStart("main")
	p := &testPage{t, b, "main", ""}
	if a := p.post("/call/c", ""); a.status != 403 {
		t.Errorf("an empty token was accepted: %d", a.status)
	}
}

func TestCallMayOutliveItsWindowForAMoment(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		app := newApp()
		started := make(chan struct{})
		app.call = func(ctx context.Context, _, _ string, _ []byte) ([]byte, error) {
			close(started)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		b := newBridge(t, app, func(o *Options) { o.CallGrace = 3 * time.Second })
		p := openPage(t, b, "main")
		done := make(chan struct{})
		go func() { defer close(done); p.post("/call/save", "") }()
		<-started
		began := time.Now()
		b.Closed("main")
		<-done
		if after := time.Since(began); after != 3*time.Second {
			t.Errorf("the call's context ended after %v, want 3s", after)
		}
	})
}
