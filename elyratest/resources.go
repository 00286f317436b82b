package elyratest

import (
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

// Resource is a resource, or a template of resources, as the agent sees it.
type Resource struct {
	// URI is the resource's; that of a template has variables in braces.
	URI string
	// Name, Title and Description are for the model and for people.
	Name, Title, Description string
	// MIMEType is what a read gives.
	MIMEType string
}

// ListResources returns the resources, sorted by URI.
func (g *Agent) ListResources() []Resource {
	g.app.t.Helper()
	var list struct{ Resources []mcp.Resource }
	g.ask(mcp.MethodListResources, nil, &list)
	var resources []Resource
	for _, r := range list.Resources {
		resources = append(resources, Resource{r.URI, r.Name, r.Title, r.Description, r.MIMEType})
	}
	return resources
}

// ListTemplates returns the resource templates, sorted by URI.
func (g *Agent) ListTemplates() []Resource {
	g.app.t.Helper()
	var list struct{ ResourceTemplates []mcp.ResourceTemplate }
	g.ask(mcp.MethodListTemplates, nil, &list)
	var templates []Resource
	for _, r := range list.ResourceTemplates {
		templates = append(templates, Resource{r.URITemplate, r.Name, r.Title, r.Description, r.MIMEType})
	}
	return templates
}

// Read reads a resource: Text is its JSON.
func (g *Agent) Read(uri string) Result {
	g.app.t.Helper()
	var read struct {
		Contents []struct{ URI, Text string }
	}
	r := g.try(mcp.MethodReadResource, map[string]any{"uri": uri}, &read)
	if r.IsError {
		return r
	}
	if len(read.Contents) != 1 || read.Contents[0].URI != uri {
		g.app.t.Fatalf("read %s: the contents are %+v", uri, read.Contents)
	}
	r.Text = read.Contents[0].Text
	return r
}

// Complete returns what the server offers for a variable of a resource template after value was typed.
func (g *Agent) Complete(template, variable, value string) []string {
	g.app.t.Helper()
	var found struct{ Completion struct{ Values []string } }
	g.ask(mcp.MethodComplete, map[string]any{
		"ref":      map[string]any{"type": mcp.RefResource, "uri": template},
		"argument": map[string]any{"name": variable, "value": value},
	}, &found)
	return found.Completion.Values
}

// ListPrompts returns the names of the prompts, sorted.
func (g *Agent) ListPrompts() (names []string) {
	g.app.t.Helper()
	var list struct{ Prompts []mcp.Prompt }
	g.ask(mcp.MethodListPrompts, nil, &list)
	for _, p := range list.Prompts {
		names = append(names, p.Name)
	}
	return names
}

// Prompt fills a prompt in: Text has its messages, one a line, each after its role.
func (g *Agent) Prompt(name string, args map[string]string) Result {
	g.app.t.Helper()
	var got struct {
		Messages []struct {
			Role    string
			Content struct{ Text string }
		}
	}
	r := g.try(mcp.MethodGetPrompt, map[string]any{"name": name, "arguments": args}, &got)
	for _, m := range got.Messages {
		r.Text += m.Role + ": " + m.Content.Text + "\n"
	}
	return r
}

// ask sends a request that must succeed.
func (g *Agent) ask(method string, params map[string]any, result any) {
	g.app.t.Helper()
	if r := g.try(method, params, result); r.IsError {
		g.app.t.Fatalf("%s: %s (code %d)", method, r.Text, r.Code)
	}
}

// try sends a request that the server may refuse. Names of members are matched without their case.
func (g *Agent) try(method string, params map[string]any, result any) Result {
	g.app.t.Helper()
	if params == nil {
		params = map[string]any{}
	}
	raw, err := g.client.Request(g.app.t.Context(), method, params)
	if refused, ok := errors.AsType[*mcp.Error](err); ok {
		r := Result{IsError: true, Code: refused.Code, Text: refused.Message}
		if data, err := json.Marshal(refused.Data); err == nil {
			var details struct{ Errors map[string][]string }
			_ = json.Unmarshal(data, &details) // an error without details has none
			r.Errors = details.Errors
		}
		return r
	}
	if err != nil {
		g.app.t.Fatalf("%s: %v", method, err)
	}
	if err := json.Unmarshal(raw, result); err != nil {
		g.app.t.Fatalf("%s: decode %s: %v", method, raw, err)
	}
	return Result{}
}

// Watching is an agent's subscription to resources.
type Watching struct {
	// Honoured are the URIs of which the server tells changes, Refused the others.
	Honoured, Refused []string

	agent   *Agent
	updates chan string
	close   func()
}

// Listen subscribes to changes of resources, in the way of the agent's era. The test's end closes the
// subscription.
func (g *Agent) Listen(uris ...string) *Watching {
	g.app.t.Helper()
	w := &Watching{agent: g, updates: make(chan string, 1024)}
	if mcp.Modern(g.client.Version()) {
		w.listen(uris)
	} else {
		w.subscribe(uris)
	}
	w.close = sync.OnceFunc(w.close)
	g.app.t.Cleanup(w.close)
	return w
}

func (w *Watching) listen(uris []string) {
	t := w.agent.app.t
	t.Helper()
	subscription, err := w.agent.client.Listen(t.Context(), mcp.SubscriptionFilter{ResourceSubscriptions: uris}, w.told)
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	honoured := map[string]bool{}
	w.Honoured = subscription.Filter().ResourceSubscriptions
	for _, uri := range w.Honoured {
		honoured[uri] = true
	}
	for _, uri := range uris {
		if !honoured[uri] {
			w.Refused = append(w.Refused, uri)
		}
	}
	w.close = subscription.Close
}

func (w *Watching) subscribe(uris []string) {
	g := w.agent
	g.app.t.Helper()
	for _, uri := range uris {
		g.mu.Lock()
		if g.watching == nil {
			g.watching = map[string][]*Watching{}
		}
		g.watching[uri] = append(g.watching[uri], w)
		g.mu.Unlock()
		var nothing struct{}
		if r := g.try(mcp.MethodSubscribe, map[string]any{"uri": uri}, &nothing); r.IsError {
			w.Refused = append(w.Refused, uri)
		} else {
			w.Honoured = append(w.Honoured, uri)
		}
	}
	w.close = func() {
		for _, uri := range uris {
			if !g.unwatch(uri, w) {
				continue
			}
			// At the end of the test the connection ends with all that it watches, and this fails.
			_, _ = g.client.Request(g.app.t.Context(), mcp.MethodUnsubscribe, map[string]any{"uri": uri})
		}
	}
}

// unwatch reports whether w was the last that watches a URI.
func (g *Agent) unwatch(uri string, w *Watching) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.watching[uri] = slices.DeleteFunc(g.watching[uri], func(other *Watching) bool { return other == w })
	return len(g.watching[uri]) == 0
}

// notified gives a legacy notification to those who watch.
func (g *Agent) notified(method string, params jsontext.Value) {
	var p mcp.ResourceUpdated
	if method != mcp.NotifyResourceUpdated || json.Unmarshal(params, &p) != nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, w := range g.watching[p.URI] {
		w.told(method, params)
	}
}

func (w *Watching) told(method string, params jsontext.Value) {
	var p mcp.ResourceUpdated
	if method != mcp.NotifyResourceUpdated || json.Unmarshal(params, &p) != nil {
		return
	}
	select {
	case w.updates <- p.URI:
	default:
	}
}

// Next waits for the next change and returns the URI of what has changed.
func (w *Watching) Next() string {
	w.agent.app.t.Helper()
	select {
	case uri := <-w.updates:
		return uri
	case <-time.After(updateTimeout):
		w.agent.app.t.Fatalf("no change of %q within %v", w.Honoured, updateTimeout)
	}
	return ""
}

// QuietFor fails the test when a change is told within d.
func (w *Watching) QuietFor(d time.Duration) {
	w.agent.app.t.Helper()
	select {
	case uri := <-w.updates:
		w.agent.app.t.Fatalf("a change of %s was told where none was due", uri)
	case <-time.After(d):
	}
}

// Close ends the subscription.
func (w *Watching) Close() { w.close() }
