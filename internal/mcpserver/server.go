package mcpserver

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// Options configures a [Server]. Info and Catalog are required.
type Options struct {
	Info         mcp.Implementation
	Instructions string // for the model; "" sends none
	Catalog      Catalog
	Log          *slog.Logger // nil discards
	Limits       wire.Limits  // zero fields mean the defaults of package wire

	MaxInFlight  int           // calls at work on one connection; 0 means 64
	MaxWaiting   int           // calls of one connection that wait for a human; 0 means 16
	MaxListens   int           // open subscriptions of one connection; 0 means 32
	Queue        int           // outgoing messages of one connection; 0 means 256
	DrainTimeout time.Duration // for accepted calls after the end of input; 0 means 2 s
	ToolsTTL     time.Duration // how long a client may keep a list of tools; 0 means 5 min
	Rand         io.Reader     // for incident ids; nil means crypto/rand
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

// Server serves one catalog to any number of connections.
type Server struct {
	o    Options
	conn atomic.Uint64 // counts connections, to name them

	mu    sync.Mutex
	conns map[string]struct{}
}

// New returns a server. It starts nothing.
func New(o Options) *Server {
	return &Server{o: o.withDefaults(), conns: map[string]struct{}{}}
}

// Serve speaks MCP over one connection until r ends, ctx ends or writing fails.
//
// Calls that were accepted are finished and answered within the drain timeout; after it
// their contexts end and they are answered with an error. Serve returns nil when r ended,
// the cause of ctx, or the write error. A read or write that is blocked at the end is
// interrupted by setting a deadline or by Close, where r or w has one of them.
func (s *Server) Serve(ctx context.Context, r io.Reader, w io.Writer) error {
	return context.Cause(ctx)
}

// ToolsChanged makes the server ask the catalog again and tells every client that listens.
// It never blocks, and may be called before the first connection.
func (s *Server) ToolsChanged() {}
