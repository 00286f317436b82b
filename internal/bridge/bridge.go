// Package bridge is the app as its windows' pages see it: it serves their files and runtime, takes their calls, and pushes
// live results and channel messages to each window over one stream.
//
// It promises that only a page of the app that holds its window's token reaches a command; that a request is refused by
// what is wrong with it and never by a crash; that what it keeps for a window is bounded, whatever the page does; and
// that a window's subscriptions end with it.
//
// It must not import the root package or a window backend: the app is what App says, the window what package window says.
package bridge

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/live"
	"github.com/elyra-go/elyra/window"
)

// runtime is js/runtime as one module, what pages import from /elyra/runtime.js.
//
//go:embed runtime.js
var runtime []byte

// App is what the bridge needs of the app. Its methods are called from many goroutines.
type App interface {
	// Call runs a command with its arguments as JSON, nil when the page sent none, and returns its result as JSON.
	// ctx ends some time after the window has closed.
	Call(ctx context.Context, window, command string, args []byte) ([]byte, error)
	// Subscribe opens a live command; the first result is its first update.
	Subscribe(window, command string, args []byte) (Live, error)
	// Channels gives the messages for a window until stop is called. The channel is bounded and the app decides what
	// becomes of messages that do not fit. When the app closes it, the window's stream ends and the page opens a new one.
	Channels(window string) (messages <-chan Message, stop func())
	// DescribeError tells of an error in HTTP's terms: a status, and {"error":{"kind","message","fields"?,"ability"?}}.
	DescribeError(err error) (status int, body []byte)
}

// RawCaller is an App with commands that take bytes, such as a picture, instead of arguments in JSON.
type RawCaller interface {
	// CallRaw runs a command with the body as the page sent it, and returns its result as JSON. ctx is as that of Call.
	CallRaw(ctx context.Context, window, command string, body []byte) ([]byte, error)
}

// Live is an open live command. Updates keeps the newest result only, so a window that is behind skips the ones before it.
type Live interface {
	Updates() <-chan live.Update
	Close()
}

// Message is one message on a channel. Value is JSON.
type Message struct {
	Channel string
	Value   jsontext.Value
}

// Developer is what `rata dev` has windows show instead of the app's own files. See package devpage.
type Developer interface {
	// Script runs at the start of each page, after the window's own.
	Script() string
	// Serve answers a request for a file of the app's; false leaves that to the bridge.
	Serve(r *window.Request, w window.ResponseWriter) bool
}

// Options of a Bridge.
type Options struct {
	// App is required.
	App App
	// Assets are the pages' files, index.html at the root. Default: none, and the window says so.
	Assets fs.FS
	// Developer serves files in place of Assets while the app is developed. Default: none, as in every release.
	Developer Developer
	// Files are the file dialogs that pages may show. A page gets the names and contents of the files that its user chose, never
	// a path. Default: none, and a page that asks for one is refused.
	Files window.FileDialogs
	// Notifier shows the notifications of pages. Default: none, and they are refused.
	Notifier window.Notifier
	// Rand is where tokens come from. Default: crypto/rand.Reader.
	Rand io.Reader
	// Log hears of panics and of pages that stall. Default: nothing is logged.
	Log *slog.Logger
	// StallTimeout is how long a page may take nothing from its stream before it loses it. Default: 15 s.
	StallTimeout time.Duration
	// CallGrace is how long a call may go on after its window has closed: a person may well save and close. Default: 2 s.
	CallGrace time.Duration
}

func (o Options) withDefaults() Options {
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.StallTimeout <= 0 {
		o.StallTimeout = 15 * time.Second
	}
	if o.CallGrace <= 0 {
		o.CallGrace = 2 * time.Second
	}
	return o
}

// Bridge implements window.Host.
type Bridge struct {
	options Options

	mu    sync.Mutex
	pages map[string]*page // by window
}

// page is what the bridge knows of an open window.
type page struct {
	window string
	token  string          // "" never matches
	ctx    context.Context // of the window's calls
	cancel context.CancelFunc

	mu       sync.Mutex
	stream   *stream      // the newest, nil before the first
	files    []openedFile // that its user chose, the newest last
	lastFile int64        // the id of that
	closed   bool
}

// New makes a bridge. Close ends it.
func New(o Options) *Bridge {
	return &Bridge{options: o.withDefaults(), pages: map[string]*page{}}
}

// DocumentStart gives a window its token, by the only way that it ever goes to the page. Asked again for a window that
// is open it gives the same.
func (b *Bridge) DocumentStart(windowID string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.pages[windowID]
	if p == nil {
		p = &page{window: windowID}
		p.ctx, p.cancel = context.WithCancel(context.Background())
		var secret [32]byte
		if _, err := io.ReadFull(b.options.Rand, secret[:]); err != nil {
			b.options.Log.Error("a window has no token and cannot call commands", "window", windowID, "reason", err)
		} else {
			p.token = base64.RawURLEncoding.EncodeToString(secret[:])
		}
		b.pages[windowID] = p
	}
	boot, err := json.Marshal(map[string]string{"token": p.token, "window": windowID}, json.Deterministic(true))
	if err != nil { // The id is not valid UTF-8.
		b.options.Log.Error("a window has an id that no page can be told", "window", windowID, "reason", err)
		return ""
	}
	script := fmt.Sprintf(`Object.defineProperty(window, "__elyra", {value: Object.freeze(%s)});`, boot)
	if b.options.Developer != nil {
		script += b.options.Developer.Script()
	}
	return script
}

// Closed forgets a window: its stream and subscriptions end at once, its calls after CallGrace.
func (b *Bridge) Closed(windowID string) {
	if p := b.forget(windowID); p != nil {
		p.close()
		time.AfterFunc(b.options.CallGrace, p.cancel)
	}
}

// Close ends all that is left of all windows and waits until their subscriptions are closed.
func (b *Bridge) Close() {
	b.mu.Lock()
	pages := b.pages
	b.pages = map[string]*page{}
	b.mu.Unlock()
	for _, p := range pages {
		p.cancel()
		if s := p.close(); s != nil {
			<-s.ended
		}
	}
}

func (b *Bridge) forget(windowID string) *page {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.pages[windowID]
	delete(b.pages, windowID)
	return p
}

func (b *Bridge) page(windowID string) *page {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.pages[windowID]
}

// close ends the stream and lets no new one begin. It returns the stream, nil if there was none.
func (p *page) close() *stream {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.stream != nil {
		p.stream.cancel()
	}
	return p.stream
}

// replace makes s the page's stream, and ends the one before it: a page that asks for a second one has lost the first.
func (p *page) replace(s *stream) bool {
	p.mu.Lock()
	before, closed := p.stream, p.closed
	if !closed {
		p.stream = s
	}
	p.mu.Unlock()
	if closed {
		return false
	}
	if before != nil {
		before.cancel()
		<-before.ended
	}
	return true
}

// current gives the page's stream if it has that name.
func (p *page) current(name string) *stream {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stream == nil || p.stream.name != name {
		return nil
	}
	return p.stream
}
