package mcpserver

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// Exchange is what a catalog knows of a request that it serves, and how it can talk to the
// client meanwhile: the part that calls of tools, reads and prompts have in common.
type Exchange struct {
	Peer
	// InputResponses and RequestState come back from an earlier [InputRequired]. Both are
	// what the client sent: authenticate the state before believing it.
	InputResponses map[string]jsontext.Value
	RequestState   string
	// TraceParent and TraceState are the client's W3C trace context, "" without a valid one.
	TraceParent, TraceState string
	// Progress reports how far the request is; total 0 means unknown. It never blocks and is
	// never nil. Reports are dropped when the client did not ask for them, when done does
	// not increase, when they come too fast, or when the client does not read.
	Progress func(done, total float64, message string)
	// Elicit asks the user of a legacy client and waits for the answer; the call does not
	// count as in flight meanwhile. It is never nil, and fails with [ErrCannotElicit] when
	// the client cannot be asked. Modern clients are asked with [InputRequired].
	Elicit func(ctx context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error)
	// Await runs a function that waits for a person whom the client cannot speak for; the
	// call does not count as in flight meanwhile. The function's context also ends with the
	// call. It is never nil, and fails without running the function when too many calls of
	// the connection wait already.
	Await func(ctx context.Context, person func(context.Context) error) error

	f *flight // nil in an exchange that nobody made but a test
}

// read takes what the request says.
func (x *Exchange) read(r *request) *wire.Error {
	x.Peer = r.peer
	x.TraceParent, x.TraceState = r.trace.read()
	if !r.peer.Modern() {
		return nil
	}
	var err *wire.Error
	if x.RequestState, err = r.params.text("requestState"); err != nil {
		return err
	}
	responses, err := r.params.object("inputResponses")
	if err != nil || responses == nil {
		return err
	}
	x.InputResponses = map[string]jsontext.Value{}
	wire.Members(responses, func(name []byte, value jsontext.Value) bool {
		x.InputResponses[string(name)] = value
		return true
	})
	return nil
}

// bind connects the exchange with the flight that serves it.
func (x *Exchange) bind(f *flight) {
	x.f, x.Progress, x.Elicit, x.Await = f, f.report, f.elicit, f.await
}

// asked is what a request of a family without isError results asks for, by its kind and name
// in the log, and the catalog's part, which returns the members of the result without braces.
type asked struct {
	kind, name string
	run        func(ctx context.Context) ([]byte, error)
}

// answerFor runs a and encodes its outcome.
func (c *conn) answerFor(f *flight, a asked) []byte {
	id, peer := f.r.id, f.r.peer
	members, err := guarded(func() ([]byte, error) { return a.run(f.ctx) })
	// As with calls, only errors that are of these types themselves count.
	switch e := err.(type) {
	case nil:
		line := append(c.s.openResult(id, peer, len(members)), members...)
		return append(line, closeResult...)
	case *wire.Error:
		return wire.AppendError(nil, id, e)
	case *UnknownResource:
		return wire.AppendError(nil, id, e.answer(peer))
	case *InputRequired:
		line, failed := c.s.encodeInputRequired(id, peer, e)
		if failed == nil {
			return line
		}
		err = failed
	}
	if f.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // it obeyed the end of its context; nobody waits for its answer
	}
	return wire.AppendError(nil, id, wire.Errorf(wire.CodeInternal, "%s", c.s.explain(f, a.kind, a.name, err)))
}

// guarded runs a catalog's function and turns a panic into an error.
func guarded[T any](run func() (T, error)) (result T, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = newPanicError(cause)
		}
	}()
	return run()
}

// uncached are the members of a result that may be outdated as soon as it is there.
const uncached = `,"ttlMs":0,"cacheScope":"` + mcp.CacheScopePrivate + `"`

// list answers with all entries of a list on one page. No cursor was ever handed out, so
// none is known.
func (c *conn) list(r *request, member string, entries func() any) *wire.Error {
	if r.params.get("cursor") != nil {
		return wire.Errorf(wire.CodeInvalidParams, "the cursor is unknown; list without one")
	}
	members, err := guarded(func() ([]byte, error) {
		return json.Marshal(entries(), json.Deterministic(true), json.FormatNilSliceAsNull(false), jsontext.AllowInvalidUTF8(true))
	})
	if err != nil {
		c.log.Error("cannot encode a list", "list", member, "reason", err)
		return wire.Errorf(wire.CodeInternal, "the %s cannot be listed", member)
	}
	members = append(fmt.Appendf(nil, `"%s":`, member), wire.OneLine(members)...)
	if r.peer.Modern() {
		members = c.s.appendCaching(append(members, ','))
	}
	return c.complete(r, members)
}
