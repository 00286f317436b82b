package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// probe asks server/discover and waits for the first thing that tells the era.
func (n *negotiation) probe(ctx context.Context) error {
	p, err := n.link.begin(ctx, mcp.MethodDiscover, n.discovery(mcp.V2026_07_28))
	if err != nil {
		return err
	}
	defer n.link.drop(p)
	timer := time.NewTimer(n.c.opts.ProbeTimeout)
	defer timer.Stop()
	select {
	case m := <-p.reply:
		return n.judge(ctx, m)
	case <-n.link.dead:
		return n.link.reason()
	case <-ctx.Done():
		return ended(ctx)
	case <-timer.C:
		return n.tryBoth(ctx, p)
	}
}

// judge decides by the answer to the probe.
func (n *negotiation) judge(ctx context.Context, m wire.Message) error {
	offered, o, err := verdict(m)
	switch {
	case err != nil:
		return err
	case offered == nil: // Not a modern server.
		if err := n.initialize(ctx, mcp.V2025_11_25); err != nil {
			return fmt.Errorf("%w (the probe before it was answered: %s)", err, brief(m))
		}
		return nil
	}
	version := newestCommon(offered)
	switch {
	case version == "":
		return fmt.Errorf("%w: the server speaks %s, this client %s", ErrUnsupportedVersion, list(offered), list(versions()))
	case legacy(version): // The server itself offers a version that starts with initialize.
		return n.initialize(ctx, version)
	case m.Error != nil: // It refused the version that it offers, and is asked once more.
		return n.pinnedModern(ctx, version)
	}
	return n.c.setEra(n.link, version, o)
}

// verdict reads the answer to a probe: the versions that a modern server offers, nil when the server is not modern, or an
// error when it is modern and cannot be used, or when the question did not reach a server.
func verdict(m wire.Message) (offered []string, o opening, err error) {
	if m.Error == nil {
		// A legacy server may answer an unknown method with an empty result, which is no DiscoverResult.
		if o, err := decodeOpening(m.Result); err == nil && !o.legacy {
			return o.versions, o, nil
		}
		return nil, opening{}, nil
	}
	switch {
	case errors.Is(failureOf(m), ErrNotSent):
		return nil, opening{}, failureOf(m)
	case m.Error.Code == mcp.CodeUnsupportedVersion:
		return supportedVersions(m.Error), opening{}, nil
	case modernCode(m.Error.Code):
		return nil, opening{}, fmt.Errorf("the server refuses server/discover: %w", m.Error)
	}
	return nil, opening{}, nil
}

// modernCode reports whether only a modern server uses an error code, apart from the one for versions.
func modernCode(code int) bool {
	return code == mcp.CodeMissingCapability || code == mcp.CodeHeaderMismatch
}

// tryBoth follows a probe that was not answered in time: initialize is sent too. A server that accepts initialize is used in
// that era, whatever it says about the probe later, because initialize may have fixed its era. Only when initialize is
// refused does the answer to the probe decide.
func (n *negotiation) tryBoth(ctx context.Context, probe *pending) error {
	n.c.opts.Log.Debug("no answer to the MCP probe yet, trying initialize", "after", n.c.opts.ProbeTimeout)
	failed := n.initialize(ctx, mcp.V2025_11_25)
	if failed == nil || errors.Is(failed, ErrDisconnected) || ctx.Err() != nil {
		return failed
	}
	timer := time.NewTimer(n.c.opts.ProbeTimeout)
	defer timer.Stop()
	select {
	case m := <-probe.reply:
		offered, _, err := verdict(m)
		if err == nil && !mcp.Modern(newestCommon(offered)) {
			return failed
		}
		return n.judge(ctx, m)
	case <-n.link.dead:
		return n.link.reason()
	case <-ctx.Done():
		return ended(ctx)
	case <-timer.C:
		return failed
	}
}

// brief describes an answer in a few words.
func brief(m wire.Message) string {
	if m.Error != nil {
		return printable(m.Error.Error())
	}
	return "with a result that names no versions"
}
