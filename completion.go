package elyra

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
	"github.com/elyra-go/elyra/internal/ratelimit"
	"github.com/elyra-go/elyra/internal/typegraph"
	"github.com/elyra-go/elyra/internal/wire"
)

// How often all clients together may ask for completions: more than anybody types.
const (
	completionLimit    = 1200
	completionLimitPer = time.Minute
)

// completer offers the values that a variable of a template or an argument of a prompt can have. It
// knows types only, so it says nothing that the lists do not say.
type completer struct {
	resources *resourceCatalog // may be nil
	prompts   *promptCatalog   // may be nil
	limit     *ratelimit.Limiter
	now       func() time.Time
}

func newCompleter(resources *resourceCatalog, prompts *promptCatalog, now func() time.Time) *completer {
	return &completer{resources, prompts, ratelimit.New(completionLimit, completionLimitPer), now}
}

// Complete implements mcpserver.Completer.
func (c *completer) Complete(_ context.Context, q *mcpserver.CompletionQuery) ([]string, error) {
	if ok, _ := c.limit.Allow("", c.now()); !ok {
		return nil, &mcp.Error{Code: mcp.CodeBusy, Message: fmt.Sprintf("completions were asked for more than %d times in %v", completionLimit, completionLimitPer)}
	}
	values, err := c.values(q)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, v := range values {
		if len(v) >= len(q.Value) && strings.EqualFold(v[:len(q.Value)], q.Value) {
			found = append(found, v)
		}
	}
	return found, nil
}

// values are all that what is asked about can have.
func (c *completer) values(q *mcpserver.CompletionQuery) ([]string, error) {
	refuse := func(what, name string) ([]string, error) {
		return nil, &mcp.Error{Code: wire.CodeInvalidParams, Message: fmt.Sprintf("there is no %s %q", what, visible(name, 128))}
	}
	if q.Ref.Type == mcp.RefPrompt {
		if c.prompts == nil || c.prompts.byName[q.Ref.Name] == nil {
			return refuse("prompt", q.Ref.Name)
		}
		for _, a := range c.prompts.byName[q.Ref.Name].Args {
			if a.Name == q.Argument {
				return a.Values, nil
			}
		}
		return refuse("argument", q.Argument)
	}
	form := c.form(q.Ref.URI)
	if form == nil {
		return refuse("resource template", q.Ref.URI)
	}
	for _, list := range [][]typegraph.Scalar{form.path, form.query} {
		for _, s := range list {
			if s.Name == q.Argument {
				return s.Values, nil
			}
		}
	}
	return refuse("variable", q.Argument)
}

// form finds the form of a URI by its template.
func (c *completer) form(template string) *uriForm {
	if c.resources == nil {
		return nil
	}
	for _, r := range c.resources.byName {
		if r.form.template == template {
			return r.form
		}
	}
	return nil
}
