package bridge

import (
	"net/textproto"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/window"
)

// fakeDeveloper serves one file.
type fakeDeveloper struct{ asked []string }

func (d *fakeDeveloper) Script() string { return "/* developing */" }

func (d *fakeDeveloper) Serve(r *window.Request, w window.ResponseWriter) bool {
	d.asked = append(d.asked, r.Path)
	if r.Path != "/src/main.ts" {
		return false
	}
	w.Respond(200, nil, []byte("from the developer"))
	return true
}

// TestDevelopingChangesFilesOnly shows that who may call what is the same while an app is developed.
func TestDevelopingChangesFilesOnly(t *testing.T) {
	t.Parallel()
	d := &fakeDeveloper{}
	b := newBridge(t, newApp(), func(o *Options) { o.Developer = d })
	if script := b.DocumentStart("main"); !strings.HasSuffix(script, "/* developing */") || !strings.Contains(script, "__elyra") {
		t.Errorf("%s", script)
	}
	p := openPage(t, b, "main")
	if a := p.get("/src/main.ts"); a.status != 200 || string(a.body) != "from the developer" {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := p.get("/elyra/runtime.js"); a.status != 200 || len(a.body) != len(runtime) {
		t.Errorf("the runtime: %d, %d bytes", a.status, len(a.body))
	}
	if a := p.get("/missing.js"); a.status != 404 {
		t.Errorf("left to the app: %d", a.status)
	}
	asked := len(d.asked)
	for name, change := range map[string]func(*window.Request, textproto.MIMEHeader){
		"a foreign page": func(r *window.Request, h textproto.MIMEHeader) {
			r.Method, r.Path = "GET", "/src/main.ts"
			h.Set("Origin", "http://127.0.0.1:5173")
		},
		"a call without the token": func(_ *window.Request, h textproto.MIMEHeader) { h.Set(tokenHeader, "") },
		"a call from the server's own origin": func(_ *window.Request, h textproto.MIMEHeader) {
			h.Set("Origin", "http://127.0.0.1:5173")
		},
	} {
		a := &answer{}
		b.Serve(p.request("/call/greet", "{}", change), a)
		if a.status != 403 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if len(d.asked) != asked {
		t.Errorf("asked for %q", d.asked[asked:])
	}
}
