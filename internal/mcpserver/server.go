package mcpserver

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// interruptGrace is how long an interrupted read gets to return. Not every file obeys: a
// terminal, for one, ignores both ways of interrupting it.
const interruptGrace = 100 * time.Millisecond

// errStalled ends a connection whose peer let its queue fill up.
var errStalled = errors.New("serve: the client stopped reading")

// Options configures a [Server]. Info and Catalog are required.
type Options struct {
	Info         mcp.Implementation
	Instructions string // for the model; "" sends none
	Catalog      Catalog
	Resources    ResourceCatalog // nil: offers none
	Prompts      PromptCatalog   // nil: offers none
	Completer    Completer       // nil: completes nothing
	Logging      bool            // lets the catalog write to the client's log; no app does, see [Exchange.Log]
	Log          *slog.Logger    // nil discards
	Limits       wire.Limits     // zero fields mean the defaults of package wire

	MaxInFlight  int           // calls at work on one connection; 0 means 64
	MaxWaiting   int           // calls of one connection that wait for a human; 0 means 16
	MaxListens   int           // open subscriptions of one connection; 0 means 32
	MaxWatched   int           // resources that one connection watches; 0 means 1,000
	Queue        int           // outgoing messages of one connection; 0 means 256
	DrainTimeout time.Duration // for accepted calls after the end of input; 0 means 2 s
	ToolsTTL     time.Duration // how long a client may keep a list of tools; 0 means 5 min
	Rand         io.Reader     // for ids of incidents and questions; nil means crypto/rand
}

// withDefaults replaces the zero fields.
func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.MaxInFlight <= 0 {
		o.MaxInFlight = 64
	}
	if o.MaxWaiting <= 0 {
		o.MaxWaiting = 16
	}
	if o.MaxListens <= 0 {
		o.MaxListens = 32
	}
	if o.MaxWatched <= 0 {
		o.MaxWatched = 1000
	}
	if o.Queue <= 0 {
		o.Queue = 256
	}
	if o.DrainTimeout <= 0 {
		o.DrainTimeout = 2 * time.Second
	}
	if o.ToolsTTL <= 0 {
		o.ToolsTTL = 5 * time.Minute
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	return o
}

// Server serves one catalog to any number of connections. Its methods may be called
// concurrently.
type Server struct {
	o          Options
	modernHead []byte // what every modern result begins with
	discovery  []byte // the members of the answer to server/discover
	tools      toolLists
	opened     atomic.Uint64 // counts connections, to name them
	asker      string        // begins the id of every question: an answer meant for another process fits none

	mu    sync.Mutex
	conns map[*conn]struct{}
}

// New returns a server. It starts nothing.
func New(o Options) *Server {
	s := &Server{o: o.withDefaults(), conns: map[*conn]struct{}{}}
	s.asker = s.randomName()
	s.modernHead = s.encodeHead()
	s.discovery = s.encodeDiscovery()
	return s
}

// Serve speaks MCP over one connection until r ends, ctx ends or writing fails.
//
// Calls that were accepted are finished and answered within the drain timeout; after it
// their contexts end and they are answered with an error. Serve returns nil when r ended,
// the cause of ctx, or the read or write error. It leaves r and w open, except that a read
// or a write that is still blocked at the end is interrupted: by setting a deadline, or
// else by Close, where they have one of these.
func (s *Server) Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	c := newConn(ctx, s, "c"+strconv.FormatUint(s.opened.Add(1), 10), w)
	s.mu.Lock()
	s.conns[c] = struct{}{}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
	}()

	read := make(chan error, 1)
	go func() { read <- c.read(r) }()
	var err error
	select {
	case err = <-read:
		read = nil
	case <-c.reading.Done(): // ctx has ended, or the peer has stalled
		err = context.Cause(c.reading)
	case <-c.out.Failed():
		err = c.out.Err()
	}
	c.endInput()
	if read != nil && interruptRead(r) {
		select {
		case <-read:
		case <-time.After(interruptGrace):
		}
	}
	// A peer that does not take its answers is not worth waiting for.
	patience := s.o.DrainTimeout
	if errors.Is(err, errStalled) || c.out.Err() != nil {
		patience = 0
	}
	c.drain(patience)
	if failed := c.out.Err(); err == nil {
		err = failed
	}
	return err
}

// interruptRead makes a blocked read return, and reports whether it could.
func interruptRead(r io.Reader) bool {
	if d, ok := r.(interface{ SetReadDeadline(time.Time) error }); ok && d.SetReadDeadline(time.Unix(1, 0)) == nil {
		return true
	}
	if c, ok := r.(io.Closer); ok {
		return c.Close() == nil
	}
	return false
}

// ToolsChanged makes the server ask the catalog again and tells every client that listens.
// It never blocks on a client, and may be called before the first connection.
func (s *Server) ToolsChanged() {
	s.tools.changed()
	s.announce(mcp.NotifyToolsChanged, func(f mcp.SubscriptionFilter) bool { return f.ToolsListChanged })
}

// ResourcesChanged is ToolsChanged for the lists of resources and templates.
func (s *Server) ResourcesChanged() {
	if s.o.Resources != nil {
		s.announce(mcp.NotifyResourcesChanged, func(f mcp.SubscriptionFilter) bool { return f.ResourcesListChanged })
	}
}

// PromptsChanged is ToolsChanged for the list of prompts.
func (s *Server) PromptsChanged() {
	if s.o.Prompts != nil {
		s.announce(mcp.NotifyPromptsChanged, func(f mcp.SubscriptionFilter) bool { return f.PromptsListChanged })
	}
}

// announce tells every client that wants to know that a list has changed.
func (s *Server) announce(method string, wanted func(mcp.SubscriptionFilter) bool) {
	s.mu.Lock()
	conns := make([]*conn, 0, len(s.conns))
	for c := range s.conns {
		conns = append(conns, c)
	}
	s.mu.Unlock()
	for _, c := range conns {
		c.listChanged(method, wanted)
	}
}
