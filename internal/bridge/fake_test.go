package bridge

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net/textproto"
	"regexp"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/internal/live"
	"github.com/elyra-go/elyra/window"
)

const ownOrigin = "elyra://app"

// fakeApp answers calls with what it was called with, and gives each subscription as it was opened.
type fakeApp struct {
	call     func(ctx context.Context, window, command string, args []byte) ([]byte, error)
	messages chan Message
	stopped  int

	mu     sync.Mutex
	opened []*fakeLive
	calls  int
}

type fakeLive struct {
	window, command, args string
	updates               chan live.Update
	closed                chan struct{}
}

func (l *fakeLive) Updates() <-chan live.Update { return l.updates }
func (l *fakeLive) Close()                      { close(l.closed) }

func newApp() *fakeApp { return &fakeApp{messages: make(chan Message, 8)} }

func (a *fakeApp) Call(ctx context.Context, window, command string, args []byte) ([]byte, error) {
	a.mu.Lock()
	a.calls++
	a.mu.Unlock()
	if a.call != nil {
		return a.call(ctx, window, command, args)
	}
	return []byte(`"` + window + " " + command + " " + string(bytes.ReplaceAll(args, []byte(`"`), []byte(`'`))) + `"`), nil
}

func (a *fakeApp) Subscribe(window, command string, args []byte) (Live, error) {
	if command == "refused" {
		return nil, errors.New("refused")
	}
	l := &fakeLive{window, command, string(args), make(chan live.Update, 1), make(chan struct{})}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.opened = append(a.opened, l)
	return l, nil
}

func (a *fakeApp) Channels(string) (<-chan Message, func()) {
	return a.messages, func() { a.stopped++ }
}

func (a *fakeApp) DescribeError(err error) (int, []byte) {
	return 418, []byte(`{"error":{"kind":"command","message":"` + err.Error() + `"}}`)
}

func (a *fakeApp) live(n int) *fakeLive {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.opened[n]
}

// answer is what a request got, and where a stream is written.
type answer struct {
	mu     sync.Mutex
	times  int
	status int
	header map[string]string
	body   []byte
	stream *io.PipeReader
}

func (a *answer) Respond(status int, header map[string]string, body []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.times++; a.times == 1 {
		a.status, a.header, a.body = status, header, bytes.Clone(body)
	}
}

func (a *answer) Stream(header map[string]string) (io.WriteCloser, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.times++; a.times > 1 {
		return nil, errors.New("answered already")
	}
	in, out := io.Pipe()
	a.status, a.header, a.stream = 200, header, in
	return out, nil
}

// testPage is one open window of a bridge.
type testPage struct {
	t      *testing.T
	bridge *Bridge
	window string
	token  string
}

func openPage(t *testing.T, b *Bridge, id string) *testPage {
	t.Helper()
	match := regexp.MustCompile(`"token":"([^"]+)"`).FindStringSubmatch(b.DocumentStart(id))
	if match == nil {
		t.Fatalf("no token in %q", b.DocumentStart(id))
	}
	return &testPage{t, b, id, match[1]}
}

func newBridge(t *testing.T, app App, change func(*Options)) *Bridge {
	o := Options{App: app, Assets: fstest.MapFS{
		"index.html":     {Data: []byte("<h1>home</h1>")},
		"app.js":         {Data: []byte("run()")},
		"docs/index.htm": {Data: []byte("docs")},
		"img/a b.png":    {Data: []byte{0x89}},
	}}
	if change != nil {
		change(&o)
	}
	b := New(o)
	t.Cleanup(b.Close)
	return b
}

// request makes a request as the runtime would; change makes it another.
func (p *testPage) request(path, body string, change func(*window.Request, textproto.MIMEHeader)) *window.Request {
	header := textproto.MIMEHeader{}
	header.Set(tokenHeader, p.token)
	header.Set(window.BodyHeader, window.BodyBytes)
	header.Set("Origin", ownOrigin)
	r := &window.Request{Window: p.window, Method: "POST", Path: path, Origin: ownOrigin, Header: header.Get}
	if body != "" {
		r.Body = []byte(body)
	}
	if change != nil {
		change(r, header)
	}
	return r
}

func (p *testPage) post(path, body string) *answer {
	a := &answer{}
	p.bridge.Serve(p.request(path, body, nil), a)
	return a
}

func (p *testPage) get(path string) *answer {
	a := &answer{}
	header := textproto.MIMEHeader{}
	p.bridge.Serve(&window.Request{Window: p.window, Method: "GET", Path: path, Origin: ownOrigin, Header: header.Get}, a)
	return a
}

// openStream opens a stream and reads its first, empty frame. served is closed when the bridge is done with it.
func (p *testPage) openStream(name string) (stream io.ReadCloser, served chan struct{}) {
	p.t.Helper()
	in, out := io.Pipe()
	served = make(chan struct{})
	go func() {
		defer close(served)
		p.bridge.Serve(p.request("/live/stream", `{"stream":"`+name+`"}`, nil), streamTo{out})
	}()
	if frame := p.frame(in); len(frame) != 0 {
		p.t.Fatalf("the first frame is %q, want an empty one", frame)
	}
	return in, served
}

// streamTo is a response that can only be streamed.
type streamTo struct{ out *io.PipeWriter }

func (s streamTo) Respond(status int, _ map[string]string, body []byte) {
	s.out.CloseWithError(errors.New(string(body)))
}
func (s streamTo) Stream(map[string]string) (io.WriteCloser, error) { return s.out, nil }

// frame reads the next frame of a stream.
func (p *testPage) frame(stream io.Reader) string {
	p.t.Helper()
	var length [4]byte
	if _, err := io.ReadFull(stream, length[:]); err != nil {
		p.t.Fatalf("read a frame: %v", err)
	}
	payload := make([]byte, binary.LittleEndian.Uint32(length[:]))
	if _, err := io.ReadFull(stream, payload); err != nil {
		p.t.Fatalf("read a frame of %d bytes: %v", len(payload), err)
	}
	return string(payload)
}

func kindOf(t *testing.T, a *answer) string {
	t.Helper()
	var body struct {
		Error struct{ Kind, Message string }
	}
	if err := json.Unmarshal(a.body, &body, json.MatchCaseInsensitiveNames(true)); err != nil || body.Error.Message == "" {
		t.Fatalf("this is no error object: %q", a.body)
	}
	return body.Error.Kind
}
