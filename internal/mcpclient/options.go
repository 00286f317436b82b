package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

// Errors that callers tell apart with errors.Is.
var (
	// ErrDisconnected is wrapped by the error of each request that was in flight when the connection ended, and of each
	// later one. What a request in flight has done by then is unknown.
	ErrDisconnected = errors.New("the connection to the MCP server has ended")
	// ErrNotSent is wrapped when a request certainly did not reach the server, so that sending it again is safe.
	ErrNotSent = errors.New("the request was not sent")
	// ErrLost is wrapped when the way to the server broke while the request was under way, and the connection goes on: over HTTP
	// each request has a way of its own. What the request has done is unknown. Requests that only read are sent again once by
	// the client itself, under a new id; for others the caller decides.
	ErrLost = errors.New("the answer of the MCP server was lost")
	// ErrNotMCP is wrapped when something answered a request, but not with a message of the protocol: an HTTP error, a web page.
	ErrNotMCP = errors.New("the answer is no MCP message")
	// ErrTimeout is wrapped when the server did not answer in time. The request was cancelled.
	ErrTimeout = errors.New("the MCP server did not answer in time")
	// ErrUnsupportedVersion is wrapped by Connect when the two sides have no protocol version in common, or the server does
	// not speak the one of Options.Era. A host that remembered the era connects again without it.
	ErrUnsupportedVersion = errors.New("no common protocol version")
)

// Options configure Connect. The zero value works: it declares no elicitation and finds out the era.
type Options struct {
	// Info names this client to the server. An empty Name becomes "elyra", an empty Version "0".
	Info mcp.Implementation
	// Elicit asks the user what a server wants to know. It may be called from several goroutines at once. Its context ends
	// when nobody wants the answer any more: with that of the request (modern), when the server takes its question back
	// (legacy), or with the client. The Mode of its parameters is never empty. Nil: elicitation is
	// not declared, and a server that asks anyway gets an error.
	Elicit func(ctx context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error)
	// ElicitURL declares that Elicit also handles mode "url", in which the user is sent to a web address.
	ElicitURL bool
	// Era fixes the protocol version, for example "2025-06-18" or "2026-07-28". Empty: the server is probed with
	// server/discover and the newest common version is used. What Client.Version returned may be stored and passed here to
	// save the probe.
	Era string
	// ProbeTimeout is how long the answer to the probe is awaited before initialize is tried as well. Zero: 5 s.
	ProbeTimeout time.Duration
	// CallTimeout is how long a request may stay without an answer or progress. It stands still while the server waits for
	// Elicit. Zero: 60 s.
	CallTimeout time.Duration
	// Hold stops those timers while the user is waited for outside of the connection, as for a login. Nil: only the server's own
	// questions do.
	Hold *Hold
	// MaxCallTime bounds a request in spite of progress. Zero: one hour.
	MaxCallTime time.Duration
	// Cache keeps what a modern server allows to be kept. Nil: nothing is kept.
	Cache *Cache
	// CacheContext says on whose behalf the client asks, in a form that tells one authorization from another, for example a
	// hash of issuer and subject. Private results of Cache stay within it.
	CacheContext string
	// Log gets what no caller is told: skipped lines, skipped tools, failed answers. Nil: nothing is logged.
	Log *slog.Logger
	// OnNotification gets notifications that belong to no request and no subscription. The calls come one at a time, from one
	// goroutine; when 256 are waiting, further ones are dropped and counted in the log, and so are those that wait when the connection
	// ends. It must not close the client.
	OnNotification func(method string, params jsontext.Value)
	// OnSkippedTool gets each tool that ListTools left out. Name may be empty.
	OnSkippedTool func(name string, reason error)
}

// CallOptions configure one CallTool.
type CallOptions struct {
	// Progress gets the server's reports in the goroutine that waits in CallTool. Done only increases; total 0 means unknown.
	Progress func(done, total float64, message string)
	// Timeout replaces Options.CallTimeout for this call. Zero: no change.
	Timeout time.Duration
}

const (
	defaultProbeTimeout = 5 * time.Second
	defaultCallTimeout  = 60 * time.Second
	defaultMaxCallTime  = time.Hour
)

// v2024_11_05 is the first revision. Much of what is installed still answers with it; for a client that lists and calls
// tools it does not differ from its successor.
const v2024_11_05 = "2024-11-05"

// withDefaults replaces the zero fields.
func (o Options) withDefaults() Options {
	if o.Info.Name == "" {
		o.Info.Name = "elyra"
	}
	if o.Info.Version == "" {
		o.Info.Version = "0"
	}
	if o.Hold == nil {
		o.Hold = &Hold{}
	}
	if o.ProbeTimeout <= 0 {
		o.ProbeTimeout = defaultProbeTimeout
	}
	if o.CallTimeout <= 0 {
		o.CallTimeout = defaultCallTimeout
	}
	if o.MaxCallTime <= 0 {
		o.MaxCallTime = defaultMaxCallTime
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// validate checks what has no sensible replacement.
func (o Options) validate() error {
	if o.Era != "" && !mcp.Modern(o.Era) && !legacy(o.Era) {
		return fmt.Errorf("option Era: unknown protocol version %q, known are %s", o.Era, strings.Join(versions(), ", "))
	}
	if o.ElicitURL && o.Elicit == nil {
		return errors.New("option ElicitURL: it needs Elicit")
	}
	return nil
}

// capabilities returns what the client declares. A mode that it does not name is one that servers must not use.
func (o Options) capabilities() mcp.ClientCapabilities {
	if o.Elicit == nil {
		return mcp.ClientCapabilities{}
	}
	e := &mcp.Elicitation{Form: jsontext.Value(`{}`)}
	if o.ElicitURL {
		e.URL = jsontext.Value(`{}`)
	}
	return mcp.ClientCapabilities{Elicitation: e}
}

// versions returns every version that the client speaks, newest first.
func versions() []string { return append(mcp.Versions(), v2024_11_05) }

// legacy reports whether version is one that starts with initialize.
func legacy(version string) bool { return mcp.Legacy(version) || version == v2024_11_05 }

// newestCommon returns the newest version that the client speaks among those of a server, or "".
func newestCommon(server []string) string {
	for _, v := range versions() {
		for _, s := range server {
			if s == v {
				return v
			}
		}
	}
	return ""
}
