package bridge

import (
	"crypto/subtle"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/window"
)

// tokenHeader carries the window's token in each request that reaches the app.
const tokenHeader = "X-Elyra-Token"

// Policy is the Content-Security-Policy of everything that is served: a page runs the app's own files and talks to the
// app alone. Inline styles are allowed because frameworks set them for transitions.
const Policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; " +
	"media-src 'self' data: blob:; object-src 'none'; frame-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// Serve answers a page's request. See package window.
func (b *Bridge) Serve(r *window.Request, w window.ResponseWriter) {
	defer func() {
		if cause := recover(); cause != nil {
			b.options.Log.Error("a request of a window ended in a panic", "window", r.Window, "path", r.Path,
				"panic", fmt.Sprint(cause), "stack", string(debug.Stack()))
			refuse(w, 500, "internal", "something went wrong inside the app; its log has the cause")
		}
	}()
	if from := r.Header("Origin"); from != "" && from != r.Origin {
		refuse(w, 403, "foreign", "only the app's own pages are served")
		return
	}
	area, what := route(r)
	if area == "" {
		b.serveFile(r, w)
		return
	}
	p := b.admit(r, w)
	if p == nil {
		return
	}
	switch area {
	case "call":
		b.serveCall(p, what, r, w)
	case "raw":
		b.serveRaw(p, what, r, w)
	case "live":
		b.serveLive(p, what, r, w)
	case "elyra":
		b.serveDesktop(p, what, r, w)
	}
}

// route gives the area of the app that a request is for, and what it asks there; "" for the app's files.
func route(r *window.Request) (area, what string) {
	area, what, found := strings.Cut(strings.TrimPrefix(r.Path, "/"), "/")
	switch {
	case !found:
		return "", ""
	case area == "call", area == "raw", area == "live":
		return area, what
	case area == "elyra" && r.Method != "GET": // The runtime is a file there.
		return area, what
	}
	return "", ""
}

// admit gives the page that a request to the app comes from, or answers why it is refused and gives nil.
func (b *Bridge) admit(r *window.Request, w window.ResponseWriter) *page {
	if r.Method != "POST" {
		refuse(w, 405, "method", "the app takes POST here, not "+r.Method)
		return nil
	}
	p := b.page(r.Window)
	if p == nil || p.token == "" || subtle.ConstantTimeCompare([]byte(p.token), []byte(r.Header(tokenHeader))) != 1 {
		refuse(w, 403, "token", "this page does not have the token of an open window; use @elyra/runtime")
		return nil
	}
	if r.Header(window.BodyHeader) != window.BodyBytes {
		refuse(w, 415, "body", "a request to the app says "+window.BodyHeader+": "+window.BodyBytes+"; use @elyra/runtime")
		return nil
	}
	if len(r.Body) > window.MaxBody {
		refuse(w, 413, "body", fmt.Sprintf("the arguments take more than %d MiB", window.MaxBody>>20))
		return nil
	}
	return p
}

// longestName is how long a command's name may be, in bytes.
const longestName = 128

func (b *Bridge) serveCall(p *page, command string, r *window.Request, w window.ResponseWriter) {
	b.run(w, command, func() ([]byte, error) { return b.options.App.Call(p.ctx, p.window, command, r.Body) })
}

func (b *Bridge) serveRaw(p *page, command string, r *window.Request, w window.ResponseWriter) {
	app, ok := b.options.App.(RawCaller)
	if !ok {
		refuse(w, 404, "unknownCommand", "this app has no command that takes bytes")
		return
	}
	b.run(w, command, func() ([]byte, error) { return app.CallRaw(p.ctx, p.window, command, r.Body) })
}

// run answers with what a command returns.
func (b *Bridge) run(w window.ResponseWriter, command string, call func() ([]byte, error)) {
	if command == "" || len(command) > longestName || strings.Contains(command, "/") {
		refuse(w, 404, "unknownCommand", "this is not the name of a command")
		return
	}
	result, err := call()
	if err != nil {
		b.fail(w, err)
		return
	}
	respond(w, 200, "application/json", orNull(result))
}

// fail answers with an error of the app's.
func (b *Bridge) fail(w window.ResponseWriter, err error) {
	status, body := b.options.App.DescribeError(err)
	respond(w, status, "application/json", body)
}

// refuse answers with an error of the bridge's own.
func refuse(w window.ResponseWriter, status int, kind, message string) {
	type reason struct {
		Kind    string `json:"kind"`
		Message string `json:"message"`
	}
	body, err := json.Marshal(struct {
		Error reason `json:"error"`
	}{reason{kind, strings.ToValidUTF8(message, "?")}})
	if err != nil {
		body = nil
	}
	respond(w, status, "application/json", body)
}

func respond(w window.ResponseWriter, status int, contentType string, body []byte) {
	w.Respond(status, header(contentType), body)
}

// header gives the headers of every response.
func header(contentType string) map[string]string {
	return map[string]string{
		"Content-Type":            contentType,
		"Content-Security-Policy": Policy,
		"X-Content-Type-Options":  "nosniff",
		"Cache-Control":           "no-store",
		"Referrer-Policy":         "same-origin",
	}
}
