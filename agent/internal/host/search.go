package host

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/agent/internal/search"
)

// SearchOptions configure one Search.
type SearchOptions struct {
	// Server asks one server only. Empty: all that are enabled.
	Server string
	// Limit is how many tools are found at most. Zero: 8.
	Limit int
	// Wait is how long servers whose tools are not known yet may take. What is not there then is named as missing.
	// Zero: 10 s.
	Wait time.Duration
}

// Found is the answer to a search. All of it but the names of servers is their own text.
type Found struct {
	Tools   []catalog.Tool // the best first
	Total   int            // how many tools were searched
	Suggest []string       // words that the query may have meant, when nothing was found
	Missing []Missing      // servers whose tools could not be searched, by name
	// Instructions are what the servers among Tools say about themselves, by server; only of servers that were heard.
	Instructions map[string]string
}

// Missing is a server whose tools are not known.
type Missing struct {
	Server string
	Err    error
}

// NeedsLogin reports whether the server waits for the user to log in.
func (m Missing) NeedsLogin() bool { return loginNeeded(m.Err) }

// index is what was searched last. It is good as long as no listing changes.
type index struct {
	mu     sync.Mutex
	hashes string
	tools  []catalog.Tool
	index  *search.Index
}

// Search finds tools for a query. It needs no running server when their tools are known from before; others are started,
// all at the same time.
func (h *Host) Search(ctx context.Context, query string, o SearchOptions) (Found, error) {
	if o.Server != "" {
		if _, err := h.find(o.Server); err != nil {
			return Found{}, err
		}
	}
	if o.Wait <= 0 {
		o.Wait = 10 * time.Second
	}
	listings, missing := h.listings(ctx, o.Server, o.Wait)
	if err := ctx.Err(); err != nil {
		return Found{}, err
	}
	found := Found{Missing: missing, Instructions: map[string]string{}}
	instructions := map[string]string{}
	for _, l := range listings {
		found.Total += len(l.Tools)
		instructions[l.Server] = l.Instructions
	}
	h.index.mu.Lock()
	defer h.index.mu.Unlock()
	h.index.build(listings)
	hits := h.index.index.Find(query, search.Options{Limit: o.Limit, Server: o.Server})
	for _, hit := range hits {
		t := h.index.tools[hit.Document]
		found.Tools = append(found.Tools, t)
		if text := instructions[t.Server]; text != "" {
			found.Instructions[t.Server] = text
		}
	}
	if len(hits) == 0 {
		found.Suggest = h.index.index.Suggest(query)
	}
	return found, nil
}

// build makes the index when the listings are others than last time.
func (x *index) build(listings []catalog.Listing) {
	var hashes strings.Builder
	for _, l := range listings {
		hashes.WriteString(l.Server + "\x00" + l.Hash + "\x00")
	}
	if x.index != nil && x.hashes == hashes.String() {
		return
	}
	x.tools = nil
	for _, l := range listings {
		x.tools = append(x.tools, l.Tools...)
	}
	docs := make([]search.Document, len(x.tools))
	for i, t := range x.tools {
		docs[i] = search.Document{Server: t.Server, Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: t.InputSchema}
	}
	x.index, x.hashes = search.New(docs), hashes.String()
}

// errStillStarting is why the tools of a server that takes long are missing.
var errStillStarting = errors.New("it is still starting; ask again in a moment")

// listings returns what the enabled servers offer, by name, and those that could not be asked within the time. A server
// goes on starting afterwards, and is not waited for a second time.
func (h *Host) listings(ctx context.Context, only string, patience time.Duration) (known []catalog.Listing, missing []Missing) {
	var asked []*server
	for _, s := range h.all() {
		if (only == "" || only == s.Name) && !h.opts.Disabled(s.Server) {
			asked = append(asked, s)
		}
	}
	all, errs := make([]catalog.Listing, len(asked)), make([]error, len(asked))
	var wg sync.WaitGroup
	for i, s := range asked {
		wg.Go(func() { all[i], errs[i] = s.listWithin(ctx, patience) })
	}
	wg.Wait()
	for i, s := range asked {
		if errs[i] != nil {
			missing = append(missing, Missing{s.Name, errs[i]})
		} else {
			known = append(known, all[i])
		}
	}
	return known, missing
}

// listWithin is list with a patience that counts from when the server was first waited for. A server that was given up has no
// tools, though they are known: none of them could be called.
func (s *server) listWithin(ctx context.Context, patience time.Duration) (catalog.Listing, error) {
	now := time.Now()
	s.mu.Lock()
	if s.client == nil && s.opening == nil {
		if _, err := s.mayStart(now); err != nil {
			s.mu.Unlock()
			return catalog.Listing{}, err
		}
	}
	if s.waiting.IsZero() {
		s.waiting = now
	}
	until := s.waiting.Add(patience)
	s.mu.Unlock()
	ctx, cancel := context.WithDeadlineCause(ctx, until, errStillStarting)
	defer cancel()
	l, err := s.list(ctx)
	if !errors.Is(err, errStillStarting) {
		s.mu.Lock()
		s.waiting = time.Time{}
		s.mu.Unlock()
	}
	return l, err
}

// Direct returns the names of the enabled servers whose tools the model is to have as its own.
func (h *Host) Direct() []string {
	var names []string
	for _, s := range h.all() {
		if s.DirectTools && !h.opts.Disabled(s.Server) {
			names = append(names, s.Name)
		}
	}
	return names
}

// Listing returns what one server offers: what is known of it, or else what it says now.
func (h *Host) Listing(ctx context.Context, name string) (catalog.Listing, error) {
	s, err := h.find(name)
	if err != nil {
		return catalog.Listing{}, err
	}
	return s.list(ctx)
}

// Refresh connects to a server anew and asks what it offers, also when it was given up.
func (h *Host) Refresh(ctx context.Context, name string) (catalog.Listing, error) {
	s, err := h.find(name)
	if err != nil {
		return catalog.Listing{}, err
	}
	if err := s.disconnect(); err != nil {
		h.opts.Log.Warn("a server that is started anew did not end well", "server", name, "error", err)
	}
	return s.fetch(ctx)
}
