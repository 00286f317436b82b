package elyra

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/elyra-go/elyra/internal/live"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
	"github.com/elyra-go/elyra/internal/nearest"
	"github.com/elyra-go/elyra/internal/ratelimit"
	"github.com/elyra-go/elyra/internal/wire"
)

// jsonType is the media type of every resource.
const jsonType = "application/json"

// Opening subscriptions is limited by itself: a re-run counts for nothing, but a client that opens
// and closes the same subscription over and over would have the command run all the time.
const (
	openLimit    = 1000
	openLimitPer = time.Minute
)

// resourceCatalog projects the granted live commands to MCP resources and resource templates.
type resourceCatalog struct {
	tools     *toolCatalog
	byName    map[string]*resource
	names     []string
	list      []mcp.Resource
	templates []mcp.ResourceTemplate
	opening   *ratelimit.Limiter
}

// resource is a tool that can also be read under a URI.
type resource struct {
	*tool
	form *uriForm
}

// newResourceCatalog returns nil when there is nothing to read.
func newResourceCatalog(tools *toolCatalog) *resourceCatalog {
	c := &resourceCatalog{tools: tools, byName: map[string]*resource{}, opening: ratelimit.New(openLimit, openLimitPer)}
	for _, name := range tools.names {
		t := tools.byName[name]
		form := t.resourceForm(t.confirm != nil)
		if form == nil {
			continue
		}
		c.byName[name] = &resource{t, form}
		c.names = append(c.names, name)
		if form.plain {
			c.list = append(c.list, t.asResource(form))
		}
		if form.template != "" {
			c.templates = append(c.templates, t.asTemplate(form))
		}
	}
	if len(c.names) == 0 {
		return nil
	}
	return c
}

// resourceForm returns nil for a command that is no resource.
func (c *command) resourceForm(confirmed bool) *uriForm {
	if !c.options.Live || confirmed {
		return nil
	}
	return c.uriForm()
}

func (c *command) asResource(f *uriForm) mcp.Resource {
	return mcp.Resource{URI: f.base, Name: c.name, Title: c.title(), Description: c.options.Doc, MIMEType: jsonType}
}

func (c *command) asTemplate(f *uriForm) mcp.ResourceTemplate {
	return mcp.ResourceTemplate{URITemplate: f.template, Name: c.name, Title: c.title(), Description: c.options.Doc, MIMEType: jsonType}
}

// Resources implements mcpserver.ResourceCatalog.
func (c *resourceCatalog) Resources() []mcp.Resource { return c.list }

// ResourceTemplates implements mcpserver.ResourceCatalog.
func (c *resourceCatalog) ResourceTemplates() []mcp.ResourceTemplate { return c.templates }

// find returns the resource that a URI belongs to. What its variables say is not looked at yet.
func (c *resourceCatalog) find(uri string) (*resource, appURI, error) {
	u, err := parseURI(uri)
	if errors.Is(err, errOtherScheme) {
		return nil, u, &mcpserver.UnknownResource{URI: uri}
	}
	if err != nil {
		return nil, u, &mcp.Error{Code: wire.CodeInvalidParams, Message: "the URI cannot be read: " + err.Error()}
	}
	r := c.byName[u.name]
	if r == nil {
		return nil, u, &mcpserver.UnknownResource{URI: uri, Hint: nearest.Hint(u.name, c.names)}
	}
	if !r.form.fits(u) {
		return nil, u, &mcpserver.UnknownResource{URI: uri, Hint: ": it looks like " + r.form.known()}
	}
	return r, u, nil
}

// prepare checks and decodes the arguments in a URI. Its error is a ValidationError by variable.
func (c *resourceCatalog) prepare(r *resource, u appURI) (*prepared, error) {
	args, problems := r.form.arguments(u)
	p, err := c.tools.instance.commands.prepare(r.command, args)
	found, ok := errors.AsType[ValidationError](err)
	if err != nil && !ok {
		return nil, err
	}
	if len(found)+len(problems) > 0 {
		return nil, r.form.byVariable(found, problems)
	}
	return p, nil
}

// ReadResource implements mcpserver.ResourceCatalog. The order is that of a call of the tool, whose
// rate limit it shares.
func (c *resourceCatalog) ReadResource(ctx context.Context, read *mcpserver.Read) ([]mcp.ResourceContents, error) {
	r, u, err := c.find(read.URI)
	if err != nil {
		return nil, err
	}
	done, err := c.tools.instance.enter()
	if err != nil {
		return nil, resourceError(err)
	}
	defer done()
	a := c.tools.begin(kindResource, r.tool, read.Peer)
	result, err := c.admitAndRead(ctx, a, r, u, read)
	a.finish(ctx, err)
	if err != nil {
		return nil, resourceError(err)
	}
	return []mcp.ResourceContents{{URI: read.URI, MIMEType: jsonType, Text: string(result)}}, nil
}

func (c *resourceCatalog) admitAndRead(ctx context.Context, a *activity, r *resource, u appURI, read *mcpserver.Read) ([]byte, error) {
	in := c.tools.instance
	if err := in.admitsAgents(r.command); err != nil {
		return nil, err
	}
	if err := r.throttle(in.env.Now()); err != nil {
		return nil, &mcp.Error{Code: mcp.CodeBusy, Message: err.Error()}
	}
	p, err := c.prepare(r, u)
	if err != nil {
		return nil, err
	}
	a.start()
	request := &Request{Name: r.name, Args: p.args, Origin: a.origin, TraceParent: read.TraceParent, TraceState: read.TraceState}
	return in.runForAgent(ctx, p, request, read.Progress)
}

// resourceError is an error in the form that reads and subscriptions have: an error of the protocol.
// Wrong arguments are listed by variable in data.errors.
func resourceError(err error) error {
	if _, ok := err.(*mcp.Error); ok {
		return err
	}
	if bag, ok := errors.AsType[ValidationError](err); ok {
		return &mcp.Error{Code: wire.CodeInvalidParams, Message: err.Error(), Data: map[string]any{"errors": map[string][]string(bag)}}
	}
	code := wire.CodeInternal
	if errors.Is(err, errPaused) || errors.Is(err, errStopped) || errors.Is(err, live.ErrClosed) {
		code = mcp.CodeUnavailable
	}
	return &mcp.Error{Code: code, Message: err.Error()}
}

// SubscribeResource implements mcpserver.ResourceCatalog. The client is told exactly when the live
// registry would push another result to a window.
func (c *resourceCatalog) SubscribeResource(s *mcpserver.Subscription) (mcpserver.Watch, error) {
	r, u, err := c.find(s.URI)
	if err != nil {
		return mcpserver.Watch{}, err
	}
	in := c.tools.instance
	done, err := in.enter()
	if err != nil {
		return mcpserver.Watch{}, resourceError(err)
	}
	defer done()
	query, err := c.watch(r, u, agentOf(s.Peer))
	if err != nil {
		return mcpserver.Watch{}, resourceError(err)
	}
	settled := make(chan struct{})
	in.background.Go(func() {
		// The first update is the state from which changes are told.
		<-query.Updates()
		close(settled)
		for range query.Updates() {
			s.Updated()
		}
	})
	return mcpserver.Watch{Settled: settled, Stop: query.Close}, nil
}

// watch opens the live query.
func (c *resourceCatalog) watch(r *resource, u appURI, origin Agent) (*LiveQuery, error) {
	in := c.tools.instance
	if err := in.admitsAgents(r.command); err != nil {
		return nil, err
	}
	if ok, wait := c.opening.Allow(r.name, in.env.Now()); !ok {
		return nil, &mcp.Error{Code: mcp.CodeBusy, Message: fmt.Sprintf("%s was subscribed to more than %d times in %v: wait %v", r.name, openLimit, openLimitPer, wait.Round(time.Second))}
	}
	p, err := c.prepare(r, u)
	if err != nil {
		return nil, err
	}
	query, err := in.subscribe(origin, p, in.runForAgent)
	if limit, ok := errors.AsType[*live.LimitError](err); ok {
		return nil, &mcp.Error{Code: mcp.CodeBusy, Message: fmt.Sprintf("%d resources are watched, which is the limit", limit.Limit)}
	}
	if err == nil {
		c.tools.log.Info("resource subscription", "tool", r.name, "client", origin.Client)
	}
	return query, err
}
