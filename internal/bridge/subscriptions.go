package bridge

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/window"
)

// maxSubscriptions is how many live commands a window may have open.
const maxSubscriptions = 64

// liveRequest is the body of the requests below /live/. Each names the stream that it is about, which the page chose when
// it opened it: what arrives late from a page that was reloaded is about no stream any more.
type liveRequest struct {
	Stream  string         `json:"stream"`
	ID      int64          `json:"id"`
	Command string         `json:"command"`
	Args    jsontext.Value `json:"args"`
	Bytes   int64          `json:"bytes"`
}

func (b *Bridge) serveLive(p *page, what string, r *window.Request, w window.ResponseWriter) {
	var request liveRequest
	if err := json.Unmarshal(r.Body, &request, json.RejectUnknownMembers(true)); err != nil {
		refuse(w, 400, "body", fmt.Sprintf("%s: the body is not what @elyra/runtime sends: %v", r.Path, err))
		return
	}
	if request.Stream == "" || len(request.Stream) > longestName {
		refuse(w, 400, "body", "a stream has a name")
		return
	}
	if what == "stream" {
		b.serveStream(p, request.Stream, w)
		return
	}
	s := p.current(request.Stream)
	if s == nil {
		lost(w)
		return
	}
	switch what {
	case "open":
		b.openLive(p, s, request, w)
	case "close":
		var subscription Live
		if !s.do(func() { subscription = s.remove(request.ID) }) {
			lost(w)
			return
		}
		if subscription != nil {
			subscription.Close()
		}
		respond(w, 204, "application/json", nil)
	case "ack":
		if !s.do(func() { s.unread = max(0, s.unread-max(0, request.Bytes)) }) {
			lost(w)
			return
		}
		respond(w, 204, "application/json", nil)
	default:
		refuse(w, 404, "path", "there is nothing at "+r.Path)
	}
}

// lost answers about a stream that is not the window's any more. The runtime opens its queries again on the next one.
func lost(w window.ResponseWriter) {
	refuse(w, 409, "stream", "this stream is not open any more")
}

func (b *Bridge) openLive(p *page, s *stream, request liveRequest, w window.ResponseWriter) {
	if request.Command == "" || len(request.Command) > longestName {
		refuse(w, 404, "unknownCommand", "this is not the name of a command")
		return
	}
	subscription, err := b.options.App.Subscribe(p.window, request.Command, request.Args)
	if err != nil {
		b.fail(w, err)
		return
	}
	var unused Live // what has no place in the stream: the one before of the same id, or the new one
	full := false
	if !s.do(func() {
		unused = s.remove(request.ID)
		if full = len(s.open) >= maxSubscriptions; !full {
			s.open = append(s.open, subscribed{request.ID, subscription})
		}
	}) {
		subscription.Close()
		lost(w)
		return
	}
	if unused != nil {
		unused.Close()
	}
	if full {
		subscription.Close()
		refuse(w, 429, "limit", fmt.Sprintf("a window may watch at most %d live commands at once", maxSubscriptions))
		return
	}
	respond(w, 204, "application/json", nil)
}

// serveStream is the window's stream: it returns when that ends.
func (b *Bridge) serveStream(p *page, name string, w window.ResponseWriter) {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	s := &stream{name: name, cancel: cancel, done: ctx.Done(), ops: make(chan op), ended: make(chan struct{})}
	defer close(s.ended)
	if !p.replace(s) {
		refuse(w, 410, "closed", "the window is closed")
		return
	}
	out, err := w.Stream(header("application/octet-stream"))
	if err != nil {
		b.options.Log.Warn("a window's stream cannot be opened", "window", p.window, "reason", err)
		refuse(w, 503, "stream", "the stream cannot be opened")
		return
	}
	messages, stopMessages := b.options.App.Channels(p.window)
	defer stopMessages()
	reason := s.run(ctx, pump{out: out, messages: messages, app: b.options.App, stall: b.options.StallTimeout})
	b.options.Log.Debug("a window's stream ended", "window", p.window, "reason", reason)
}
