package shim

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"github.com/elyra-go/elyra/internal/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// maxTracked bounds each thing that is remembered of a client. A server refuses far earlier.
const maxTracked = 4096

// flight is a request without an answer.
type flight struct {
	id     string // raw JSON
	method string
	line   []byte // kept only for requests that may be sent again
}

// flights remembers the state of a connection that must outlive whoever serves it. The directions are
// noted by different goroutines.
type flights struct {
	mu    sync.Mutex
	order []string                 // ids of open, oldest first; may have ids that were answered since
	open  map[string]flight        // the client's requests
	asked map[string]bool          // requests to the client
	stale map[string]bool          // requests to the client by someone who is gone
	own   map[string]chan struct{} // the shim's requests, closed when answered

	initialize  jsontext.Value            // params of the last one
	initialized bool                      // the client has confirmed it
	watched     map[string]jsontext.Value // params of resources/subscribe, by URI
}

func newFlights() *flights {
	return &flights{
		open:  map[string]flight{},
		asked: map[string]bool{}, stale: map[string]bool{},
		own:     map[string]chan struct{}{},
		watched: map[string]jsontext.Value{},
	}
}

// fromClient notes a piece that the client sent. It reports false for one that must not be passed on: the
// late answer to a question of someone who is gone, which another server could take for its own.
func (f *flights) fromClient(p piece) (pass bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	pass = true
	messages(p, func(m wire.Message, raw []byte) {
		id := string(m.ID)
		switch {
		case m.ID == nil:
			f.notified(m)
		case m.Result != nil || m.Error != nil:
			delete(f.asked, id)
			if f.stale[id] {
				delete(f.stale, id)
				pass = false
			}
		default:
			f.requested(m, raw)
		}
	})
	return pass
}

// unsent takes back the requests of a piece that was noted and then could not be sent.
func (f *flights) unsent(p piece) {
	f.mu.Lock()
	defer f.mu.Unlock()
	messages(p, func(m wire.Message, _ []byte) {
		if m.Method != "" {
			delete(f.open, string(m.ID))
		}
	})
}

func (f *flights) notified(m wire.Message) {
	switch m.Method {
	case "notifications/initialized":
		f.initialized = true
	case "notifications/cancelled":
		// Nothing more is sent for a cancelled request, not even by the shim.
		delete(f.open, string(member(m.Params, "requestId")))
	}
}

func (f *flights) requested(m wire.Message, raw []byte) {
	switch m.Method {
	case "initialize":
		f.initialize, f.initialized = bytes.Clone(m.Params), false
		clear(f.watched)
	case "resources/subscribe":
		if uri := member(m.Params, "uri"); uri != nil && len(f.watched) < maxTracked {
			f.watched[string(uri)] = bytes.Clone(m.Params)
		}
	case "resources/unsubscribe":
		delete(f.watched, string(member(m.Params, "uri")))
	}
	if len(f.open) >= maxTracked {
		return
	}
	fl := flight{id: string(m.ID), method: m.Method}
	if repeatable(m.Method) {
		fl.line = bytes.Clone(raw)
	}
	f.open[fl.id] = fl
	f.order = append(f.order, fl.id)
	if len(f.order) > 2*maxTracked {
		f.forget()
	}
}

// forget drops the answered ids from the order.
func (f *flights) forget() {
	kept := f.order[:0]
	seen := map[string]bool{}
	for _, id := range f.order {
		if _, open := f.open[id]; open && !seen[id] {
			seen[id] = true
			kept = append(kept, id)
		}
	}
	f.order = kept
}

// repeatable reports whether a request may be sent a second time: those that only open a conversation.
func repeatable(method string) bool { return method == "initialize" || method == "server/discover" }

// fromServer notes a piece that is on its way to the client. It reports false for the answer to a request
// of the shim's own.
func (f *flights) fromServer(p piece) (pass bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	pass = true
	messages(p, func(m wire.Message, _ []byte) {
		id := string(m.ID)
		switch {
		case m.ID == nil && m.Method == "notifications/cancelled":
			delete(f.asked, string(member(m.Params, "requestId")))
		case m.ID == nil:
		case m.Method != "":
			if len(f.asked) < maxTracked {
				f.asked[id] = true
			}
		default:
			delete(f.open, id)
			if answered, own := f.own[id]; own {
				delete(f.own, id)
				close(answered)
				pass = false
			}
		}
	})
	return pass
}

// opening returns what has to be repeated to a new server: the params of initialize, nil when the client
// sent none; whether the client confirmed it; and the params of its resource subscriptions.
func (f *flights) opening() (initialize jsontext.Value, initialized bool, watched []jsontext.Value) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, uri := range slices.Sorted(maps.Keys(f.watched)) {
		watched = append(watched, f.watched[uri])
	}
	return f.initialize, f.initialized, watched
}

// await announces a request of the shim's own. The channel is closed when its answer comes, which is not
// passed on.
func (f *flights) await(id string) <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	answered := make(chan struct{})
	f.own[id] = answered
	return answered
}

// again notes that a request which was lost is sent once more.
func (f *flights) again(fl flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open[fl.id] = fl
	f.order = append(f.order, fl.id)
}

// lost empties what was waiting for a server that is gone: the client's requests without an answer, oldest
// first, and the questions that the client need not answer any more.
func (f *flights) lost() (unanswered []flight, questions []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.forget()
	for _, id := range f.order {
		unanswered = append(unanswered, f.open[id])
	}
	for id := range f.asked {
		questions = append(questions, id)
		if len(f.stale) < maxTracked {
			f.stale[id] = true
		}
	}
	f.order = nil
	clear(f.open)
	clear(f.asked)
	clear(f.own)
	return unanswered, questions
}
