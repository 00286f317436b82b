package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// Connect opens a connection and finds out which protocol version to speak.
//
// Without Options.Era it asks server/discover first. A server that knows the question is modern. Any other answer means a
// legacy server, which gets initialize. Silence means nothing, the server may only be slow to start: after
// Options.ProbeTimeout initialize is sent as well, and what the server answers to either decides. A server that exits on the
// probe is opened a second time, straight with initialize.
//
// The error of a process that could not be started or has died quotes the end of its standard error. The caller closes the
// client.
func Connect(ctx context.Context, t Transport, o Options) (*Client, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, fmt.Errorf("connect to MCP server: %w", err)
	}
	c := &Client{opts: o}
	c.ctx, c.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	c.queue.start(c)
	n := &negotiation{c: c, t: t}
	if err := n.run(ctx); err != nil {
		c.cancel(err)
		if n.link != nil {
			n.link.close(fmt.Errorf("%w: connecting failed", ErrDisconnected)) //nolint:errcheck // The first error is the one to tell.
		}
		c.wg.Wait()
		return nil, fmt.Errorf("connect to MCP server: %w", err)
	}
	c.wg.Go(func() {
		select {
		case <-c.link.dead:
			c.cancel(c.link.reason())
		case <-c.ctx.Done():
		}
	})
	return c, nil
}

// negotiation is the work of one Connect.
type negotiation struct {
	c    *Client
	t    Transport
	link *link // the open connection
}

// open makes a connection; one that is open is closed before.
func (n *negotiation) open(ctx context.Context, legacy bool) error {
	if n.link != nil {
		if err := n.link.close(fmt.Errorf("%w: it is opened again", ErrDisconnected)); err != nil {
			n.c.opts.Log.Warn("closing the probed MCP server failed", "error", err)
		}
		n.link = nil
	}
	conn, err := n.t.Open(ctx, legacy)
	if err != nil {
		return err
	}
	n.link = newLink(conn, n.c, n.c.opts.Log, &n.c.skipped)
	return nil
}

func (n *negotiation) run(ctx context.Context) error {
	era := n.c.opts.Era
	if legacy(era) {
		if err := n.open(ctx, true); err != nil {
			return err
		}
		return n.initialize(ctx, era)
	}
	if err := n.open(ctx, false); err != nil {
		return err
	}
	if era != "" {
		return n.pinnedModern(ctx, era)
	}
	err := n.probe(ctx)
	if err == nil || !errors.Is(err, ErrDisconnected) || ctx.Err() != nil {
		return err
	}
	n.c.opts.Log.Info("the MCP server ended during the probe; it is opened again as a legacy server", "error", err)
	if err := n.open(ctx, true); err != nil {
		return err
	}
	return n.initialize(ctx, mcp.V2025_11_25)
}

// pinnedModern opens a connection that must be modern. Nothing else is tried, so a slow server gets the time of a request.
func (n *negotiation) pinnedModern(ctx context.Context, version string) error {
	result, err := n.roundTrip(ctx, mcp.MethodDiscover, n.discovery(version))
	var refused *wire.Error
	switch {
	case errors.As(err, &refused) && modernCode(refused.Code):
		return fmt.Errorf("the server refuses server/discover: %w", refused)
	case errors.As(err, &refused), errors.Is(err, ErrNotMCP):
		return fmt.Errorf("%w: the server does not speak %s: %w", ErrUnsupportedVersion, version, err)
	case err != nil:
		return err
	}
	o, err := decodeOpening(result)
	if err != nil || newestCommon(o.versions) != version {
		return fmt.Errorf("%w: the server does not speak %s, it offers %s", ErrUnsupportedVersion, version, list(o.versions))
	}
	return n.c.setEra(n.link, version, o)
}

// initialize opens a legacy connection with the given version, or with one that the server names in exchange.
func (n *negotiation) initialize(ctx context.Context, version string) error {
	n.link.initialized.Store(true)
	// Until the version is known a batch may be anything; the oldest revisions allow it.
	n.link.batches.Store(true)
	params, err := json.Marshal(mcp.InitializeParams{
		ProtocolVersion: version, Capabilities: n.c.opts.capabilities(), ClientInfo: n.c.opts.Info,
	})
	if err != nil {
		return fmt.Errorf("option Info: %w", err)
	}
	result, err := n.roundTrip(ctx, mcp.MethodInitialize, func(jsontext.Value) (jsontext.Value, error) { return params, nil })
	if err != nil {
		return n.initializeRefused(ctx, version, err)
	}
	o, err := decodeOpening(result)
	if err != nil {
		return fmt.Errorf("initialize: the server's result cannot be used: %w", err)
	}
	got := o.versions[0]
	if !legacy(got) || n.c.opts.Era != "" && got != version {
		return fmt.Errorf("%w: initialize asked for %s and the server answered with %s", ErrUnsupportedVersion, version, list(o.versions))
	}
	if err := n.link.notify(mcp.NotifyInitialized, nil); err != nil {
		return fmt.Errorf("%s: %w", mcp.NotifyInitialized, err)
	}
	return n.c.setEra(n.link, got, o)
}

// initializeRefused tries an older version once when the server's error offers one.
func (n *negotiation) initializeRefused(ctx context.Context, version string, err error) error {
	var refused *wire.Error
	if !errors.As(err, &refused) {
		return fmt.Errorf("initialize with %s: %w", version, err)
	}
	offered := supportedVersions(refused)
	next := newestCommon(offered)
	if n.c.opts.Era == "" && legacy(next) && next < version {
		return n.initialize(ctx, next)
	}
	if n.c.opts.Era != "" || len(offered) > 0 {
		return fmt.Errorf("initialize with %s: %w: %w", version, ErrUnsupportedVersion, err)
	}
	return fmt.Errorf("initialize with %s: %w", version, err)
}

// discovery makes the parameters of server/discover in a version.
func (n *negotiation) discovery(version string) func(jsontext.Value) (jsontext.Value, error) {
	return func(jsontext.Value) (jsontext.Value, error) {
		if err := n.c.setMeta(version); err != nil {
			return nil, err
		}
		return object{}.add("_meta", n.c.meta.json()).json(), nil
	}
}

func (n *negotiation) roundTrip(ctx context.Context, method string, build func(jsontext.Value) (jsontext.Value, error)) (jsontext.Value, error) {
	return n.link.roundTrip(ctx, method, build, n.c.timing(CallOptions{}), n.c.opts.Hold)
}

// list names versions in an error.
func list(versions []string) string {
	if len(versions) == 0 {
		return "none"
	}
	return printable(strings.Join(versions[:min(len(versions), 10)], ", "))
}
