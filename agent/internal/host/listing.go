package host

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// betweenFetches is the shortest time between two fetches that a server's own notifications cause: one that announces a
// change after each fetch must not be fetched for ever.
const betweenFetches = time.Second

// listing is what a server offers, as far as it is known.
type listing struct {
	mu     sync.Mutex
	known  *catalog.Listing
	err    error         // of the last fetch
	flight chan struct{} // a fetch under way
}

// remembered takes what the cache has. It is good until the server is connected.
func (l *listing) remembered(s *server) {
	if s.h.opts.Cache == nil {
		return
	}
	if known, ok := s.h.opts.Cache.Get(s.key(), s.Name); ok {
		l.known = &known
		s.version = known.Era
	}
}

// list returns what the server offers: what is known, or else what it says now.
func (s *server) list(ctx context.Context) (catalog.Listing, error) {
	s.listing.mu.Lock()
	if s.listing.known != nil {
		defer s.listing.mu.Unlock()
		return *s.listing.known, nil
	}
	s.listing.mu.Unlock()
	return s.fetch(ctx)
}

// fetch asks the server what it offers.
func (s *server) fetch(ctx context.Context) (catalog.Listing, error) {
	client, err := s.connect(ctx)
	if err != nil {
		return catalog.Listing{}, err
	}
	return s.fetchOver(ctx, client)
}

// fetchOver asks over one connection. Callers at the same time share one fetch.
func (s *server) fetchOver(ctx context.Context, client *mcpclient.Client) (catalog.Listing, error) {
	l := &s.listing
	l.mu.Lock()
	flight := l.flight
	if flight == nil {
		flight = make(chan struct{})
		l.flight = flight
		s.h.wg.Go(func() { s.fetchFrom(client, flight) })
	}
	l.mu.Unlock()
	select {
	case <-flight:
	case <-ctx.Done():
		return catalog.Listing{}, fmt.Errorf("list the tools of server %q: %w", s.Name, context.Cause(ctx))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return catalog.Listing{}, l.err
	}
	return *l.known, nil
}

// fetchAnew is fetchOver, but never joins a fetch that is under way: that one may have begun before the change which is to be
// seen, or before anybody listened to changes.
func (s *server) fetchAnew(ctx context.Context, client *mcpclient.Client) (catalog.Listing, error) {
	s.listing.mu.Lock()
	flight := s.listing.flight
	s.listing.mu.Unlock()
	if flight != nil {
		select {
		case <-flight:
		case <-ctx.Done():
		}
	}
	return s.fetchOver(ctx, client)
}

// fetchFrom is the goroutine of one fetch. One that fails leaves what was known.
func (s *server) fetchFrom(client *mcpclient.Client, flight chan struct{}) {
	got, err := catalog.Fetch(s.h.ctx, pages(client, mcp.MethodListTools), s.fetchOptions(client))
	if err != nil {
		err = fmt.Errorf("list the tools of server %q: %w", s.Name, err)
	} else if s.h.opts.Cache != nil {
		if err := s.h.opts.Cache.Put(s.h.ctx, s.key(), got); err != nil {
			s.h.opts.Log.Warn("could not keep the list of a server's tools", "server", s.Name, "error", err)
		}
	}
	s.listing.mu.Lock()
	defer s.listing.mu.Unlock()
	if s.listing.err = err; err == nil {
		s.listing.known = &got
	}
	s.listing.flight = nil
	close(flight)
}

// fetchOptions say what else than tools is listed: what the server declares that it has.
func (s *server) fetchOptions(client *mcpclient.Client) catalog.FetchOptions {
	o := catalog.FetchOptions{
		Server: s.Name, Era: client.Version(), Instructions: client.Instructions(), Now: time.Now,
	}
	c := client.Capabilities()
	if c.Resources != nil {
		o.Resources, o.Templates = pages(client, mcp.MethodListResources), pages(client, mcp.MethodListTemplates)
	}
	if c.Prompts != nil {
		o.Prompts = pages(client, mcp.MethodListPrompts)
	}
	return o
}

// pages asks for the pages of a list.
func pages(client *mcpclient.Client, method string) catalog.Pager {
	return func(ctx context.Context, cursor *string) (jsontext.Value, error) {
		if cursor == nil {
			return client.Request(ctx, method, nil)
		}
		return client.Request(ctx, method, map[string]string{"cursor": *cursor})
	}
}

// follow keeps the listing true while a connection lives: it fetches at once, because a new connection may be to a new
// version of the server, and again after each change that is announced. A subscription that breaks is opened again, and
// what was missed in between is fetched.
func (s *server) follow(client *mcpclient.Client) {
	sub := s.subscribe(client)
	for {
		if _, err := s.fetchAnew(s.h.ctx, client); err != nil {
			s.h.opts.Log.Debug("could not list the tools of a server", "server", s.Name, "error", err)
		}
		if !wait(client.Done(), betweenFetches) {
			return
		}
		select {
		case <-s.changed:
		case <-broken(sub):
			sub = s.subscribe(client)
		case <-client.Done():
			return
		}
	}
}

// subscribe opens a subscription to the server's changes. Nil: a legacy server, which tells unasked, or one that tells
// nothing.
func (s *server) subscribe(client *mcpclient.Client) *mcpclient.Subscription {
	c := client.Capabilities()
	filter := mcp.SubscriptionFilter{
		ToolsListChanged:     c.Tools != nil && c.Tools.ListChanged,
		PromptsListChanged:   c.Prompts != nil && c.Prompts.ListChanged,
		ResourcesListChanged: c.Resources != nil && c.Resources.ListChanged,
	}
	nothing := !filter.ToolsListChanged && !filter.PromptsListChanged && !filter.ResourcesListChanged
	if !mcp.Modern(client.Version()) || nothing {
		return nil
	}
	sub, err := client.Listen(s.h.ctx, filter, s.notified)
	if err != nil {
		s.h.opts.Log.Debug("could not subscribe to the changes of a server", "server", s.Name, "error", err)
		return nil
	}
	if deaf := unheard(filter, sub.Filter()); len(deaf) > 0 {
		s.h.opts.Log.Warn("a server does not tell of changes that it declared", "server", s.Name, "of", deaf)
	}
	return sub
}

// unheard are the kinds of changes that were asked for and not acknowledged.
func unheard(asked, got mcp.SubscriptionFilter) []string {
	var kinds []string
	for _, k := range []struct {
		name       string
		asked, got bool
	}{
		{"tools", asked.ToolsListChanged, got.ToolsListChanged},
		{"prompts", asked.PromptsListChanged, got.PromptsListChanged},
		{"resources", asked.ResourcesListChanged, got.ResourcesListChanged},
	} {
		if k.asked && !k.got {
			kinds = append(kinds, k.name)
		}
	}
	return kinds
}

// broken is closed when a subscription has ended; that of none never is.
func broken(sub *mcpclient.Subscription) <-chan struct{} {
	if sub == nil {
		return nil
	}
	return sub.Done()
}

// notified takes a server's notifications.
func (s *server) notified(method string, _ jsontext.Value) {
	switch method {
	case mcp.NotifyToolsChanged, mcp.NotifyPromptsChanged, mcp.NotifyResourcesChanged:
		select {
		case s.changed <- struct{}{}:
		default: // It is noted already.
		}
	}
}

// wait waits for d and reports whether done was still open then.
func wait(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-done:
		return false
	}
}
