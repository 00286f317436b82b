package elyra

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/elyra-go/elyra/internal/live"
	"github.com/elyra-go/elyra/internal/typegraph"
)

// LiveQuery is a subscription to the result of a live command.
type LiveQuery = live.Subscription

// LiveUpdate is a new result of a live command as JSON, or the error of its latest run.
type LiveUpdate = live.Update

// liveLimit is how many live queries a principal may have open: 64 for a window, 1,000 for an agent's
// connection or the app itself.
func liveLimit(principal string) int {
	if strings.HasPrefix(principal, windowPrincipal) {
		return 64
	}
	return 1000
}

// Live subscribes origin to the result of a live command. The first update is the result as it is
// now. Close the subscription when it is no longer needed.
func (in *Instance) Live(origin Origin, name string, args []byte) (*LiveQuery, error) {
	c, err := in.allowed(origin, name)
	if err != nil {
		return nil, err
	}
	if !c.options.Live {
		return nil, fmt.Errorf("%s is not a live command", name)
	}
	p, err := in.commands.prepare(c, args)
	if err != nil {
		return nil, err
	}
	return in.subscribe(origin, p, in.run)
}

// runner is a way of running a call: [Instance.run], with or without a deadline.
type runner func(ctx context.Context, p *prepared, r *Request, progress func(done, total float64, message string)) ([]byte, error)

// subscribe opens a live query of a prepared call, each run of which goes through run.
func (in *Instance) subscribe(origin Origin, p *prepared, run runner) (*LiveQuery, error) {
	var ran atomic.Bool
	key := live.Key{Command: p.command.name, Args: string(p.args), Principal: origin.principal()}
	return in.live.Subscribe(key, func(ctx context.Context) ([]byte, error) {
		again, err := p.again()
		if err != nil {
			return nil, err
		}
		r := &Request{Name: p.command.name, Args: p.args, Origin: origin, Live: true, Rerun: ran.Swap(true)}
		return run(ctx, again, r, nil)
	})
}

// again returns p with arguments decoded anew, since a command may change what it is given.
func (p *prepared) again() (*prepared, error) {
	q := *p
	q.in = p.command.newArguments()
	return &q, typegraph.Decode(p.args, q.in)
}

// Changed runs live queries again that named one of the keys with [Reads].
func (in *Instance) Changed(keys ...string) { in.live.Changed(keys...) }
