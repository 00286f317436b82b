package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// Client is a connection to one server whose era is known. Its methods may be called concurrently.
type Client struct {
	opts    Options
	link    *link
	version string
	modern  bool
	opening opening
	meta    object // the members that every modern request has in its _meta

	ctx    context.Context // ends with the connection; what the server asks for runs under it
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup

	skipped atomic.Int64 // lines that were no message
	refused atomic.Int64 // requests of the server that were not answered
	asking  questions
	subs    subscriptions
	queue   queue
}

// Version returns the protocol version in use, such as "2026-07-28".
func (c *Client) Version() string { return c.version }

// Server returns what the server calls itself. Nothing may be decided by it.
func (c *Client) Server() mcp.Implementation { return c.opening.server }

// Capabilities returns what the server declares that it offers.
func (c *Client) Capabilities() mcp.ServerCapabilities { return c.opening.capabilities }

// Instructions returns the server's guidance for a model, "" when there is none. It is untrusted text.
func (c *Client) Instructions() string { return c.opening.instructions }

// SkippedLines returns how many lines of the server were no message.
func (c *Client) SkippedLines() int64 { return c.skipped.Load() }

// Done is closed when the connection has ended, by Close or because the server is gone. Close is still needed.
func (c *Client) Done() <-chan struct{} { return c.link.dead }

// Err returns why the connection has ended, nil while it has not. It wraps ErrDisconnected.
func (c *Client) Err() error { return c.link.reason() }

// Close ends the connection: requests in flight are cancelled and fail with ErrDisconnected, and a process is ended within
// a few seconds. It returns once every goroutine of the client has, and must not be called from one of its callbacks.
func (c *Client) Close() error {
	c.cancel(errClosed)
	err := c.link.close(errClosed)
	c.wg.Wait()
	if err != nil {
		return fmt.Errorf("close MCP client: %w", err)
	}
	return nil
}

var errClosed = fmt.Errorf("%w: the client was closed", ErrDisconnected)

// Request sends a request of any method and returns its result. Params must encode to a JSON object; nil sends none of its
// own. A server that answers prompts/get or resources/read with questions gets the answers of Options.Elicit. An error
// answer is a *wire.Error.
func (c *Client) Request(ctx context.Context, method string, params any) (jsontext.Value, error) {
	members, err := objectOf(params)
	if err != nil {
		return nil, fmt.Errorf("%s: encode params: %w", method, err)
	}
	result, err := c.exchange(ctx, method, members, c.timing(CallOptions{}))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	return result, nil
}

// CallTool runs a tool. Args must encode to a JSON object; nil sends no arguments. A server that asks for input gets the
// answers of Options.Elicit. A tool that failed is a result with IsError; an error that wraps *wire.Error says that the
// server refused the call.
func (c *Client) CallTool(ctx context.Context, name string, args any, o CallOptions) (*mcp.CallToolResult, error) {
	fail := func(err error) (*mcp.CallToolResult, error) { return nil, fmt.Errorf("call tool %q: %w", name, err) }
	members := object{}.add("name", wire.AppendString(nil, name))
	if args != nil {
		raw, err := json.Marshal(args, json.Deterministic(true))
		if err != nil {
			return fail(fmt.Errorf("encode arguments: %w", err))
		}
		if jsontext.Value(raw).Kind() != '{' {
			return fail(fmt.Errorf("encode arguments: %T is no JSON object", args))
		}
		members = members.add("arguments", raw)
	}
	raw, err := c.exchange(ctx, mcp.MethodCallTool, members, c.timing(o))
	if err != nil {
		return fail(err)
	}
	result, err := decodeCallResult(raw)
	if err != nil {
		return fail(fmt.Errorf("the server's result cannot be used: %w", err))
	}
	return result, nil
}

// timing returns the limits of one request.
func (c *Client) timing(o CallOptions) timing {
	t := timing{idle: c.opts.CallTimeout, max: c.opts.MaxCallTime, progress: o.Progress}
	if o.Timeout > 0 {
		t.idle = o.Timeout
	}
	t.max = max(t.max, t.idle)
	return t
}

// exchange sends a request and, in the modern era, sends it again with answers as long as the server asks for input.
func (c *Client) exchange(ctx context.Context, method string, members object, t timing) (jsontext.Value, error) {
	asked := c.question(method, members)
	if result, ok := asked.kept(); ok {
		return result, nil
	}
	request := members
	for round := 0; ; round++ {
		result, err := c.link.roundTrip(ctx, method, c.builder(request, true), t, c.opts.Hold)
		if errors.Is(err, ErrLost) && onlyReads(method) {
			result, err = c.link.roundTrip(ctx, method, c.builder(request, true), t, c.opts.Hold)
		}
		if err != nil {
			asked.refused(err)
		}
		if err != nil || !c.modern {
			return result, err
		}
		kind, err := resultType(result)
		switch {
		case err != nil:
			return nil, err
		case kind == mcp.ResultComplete:
			if round == 0 {
				asked.answered(result)
			}
			return result, nil
		case kind != mcp.ResultInputRequired:
			return nil, fmt.Errorf("the server sent a result of the unknown type %q", kind)
		case !mayAsk(method):
			return nil, errors.New("the server asks for input, which the protocol does not allow for this method")
		case round == maxRounds:
			return nil, fmt.Errorf("the server asked for input more than %d times", maxRounds)
		}
		answers, err := c.answers(ctx, result)
		if err != nil {
			return nil, err
		}
		request = append(members[:len(members):len(members)], answers...)
	}
}

// onlyReads reports whether a request can be repeated whatever became of it the first time.
func onlyReads(method string) bool {
	return strings.HasSuffix(method, "/list") || method == "resources/read" || method == "prompts/get" || method == mcp.MethodPing
}

// builder returns what makes the parameters of a request: its members and the _meta that the era and progress need.
func (c *Client) builder(members object, progress bool) func(id jsontext.Value) (jsontext.Value, error) {
	return func(id jsontext.Value) (jsontext.Value, error) {
		meta := object{}
		members, theirs := members.without("_meta")
		if theirs != nil {
			var err error
			if meta, err = objectOf(theirs); err != nil {
				return nil, fmt.Errorf("encode _meta: %w", err)
			}
		}
		if c.modern {
			meta = meta.merge(c.meta)
		}
		if progress {
			meta = meta.add(mcp.MetaProgressToken, id)
		}
		if len(meta) > 0 {
			members = members.add("_meta", meta.json())
		}
		if len(members) == 0 {
			return nil, nil
		}
		return members.json(), nil
	}
}

// setEra fixes the version and prepares what each request of a modern one carries.
func (c *Client) setEra(l *link, version string, o opening) error {
	c.link, c.version, c.modern, c.opening = l, version, mcp.Modern(version), o
	l.initialized.Store(!c.modern)
	l.batches.Store(!mcp.AtLeast(version, mcp.V2025_06_18))
	return c.setMeta(version)
}

// setMeta prepares the metadata of requests in a modern version.
func (c *Client) setMeta(version string) error {
	info, err := json.Marshal(c.opts.Info)
	if err != nil {
		return fmt.Errorf("option Info: %w", err)
	}
	capabilities, err := json.Marshal(c.opts.capabilities())
	if err != nil {
		return err
	}
	c.meta = object{}.
		add(mcp.MetaProtocolVersion, wire.AppendString(nil, version)).
		add(mcp.MetaClientInfo, info).
		add(mcp.MetaClientCapabilities, capabilities)
	return nil
}
