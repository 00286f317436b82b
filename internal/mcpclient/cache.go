package mcpclient

import (
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

const (
	// maxCached and maxCachedBytes bound what a Cache holds.
	maxCached      = 1000
	maxCachedBytes = 64 << 20
	// maxTTL is the longest that a result is kept, whatever its server says.
	maxTTL = 24 * time.Hour

	methodReadResource     = "resources/read"
	notifyPromptsChanged   = "notifications/prompts/list_changed"
	notifyResourcesChanged = "notifications/resources/list_changed"
	notifyResourceUpdated  = "notifications/resources/updated"
)

// Cache keeps results of lists and of resources/read for as long as their modern server allows (ttlMs), so that a request
// that was answered before needs no message. What a server calls private is given to clients with the same
// Options.CacheContext alone. What a server says to have changed is forgotten. All clients of a Cache must be connected to
// the same server; its methods may be called concurrently.
type Cache struct {
	mu      sync.Mutex
	entries map[cacheKey]cached
	bytes   int
	// drops counts, by method, how often results were forgotten, so that an answer to a question from before is not kept.
	drops map[string]int64
}

// NewCache returns an empty cache.
func NewCache() *Cache { return &Cache{entries: map[cacheKey]cached{}, drops: map[string]int64{}} }

// Forget drops everything.
func (c *Cache) Forget() {
	for _, method := range cacheable() {
		c.drop(method, func(cacheKey) bool { return true })
	}
}

type cacheKey struct {
	private         bool
	context         string // "" when not private
	method, members string // the members of params in order, without _meta of ours
}

type cached struct {
	result jsontext.Value
	uri    string // of resources/read
	until  time.Time
}

// cacheable returns the methods whose results may be kept. The result of server/discover opens a connection and is not.
func cacheable() []string {
	return []string{mcp.MethodListTools, "prompts/list", "resources/list", "resources/templates/list", methodReadResource}
}

// question is one request as a cache sees it. The zero value belongs to a request whose result is not kept.
type question struct {
	cache   *Cache
	key     cacheKey // as if it were private
	uri     string
	cursor  bool
	dropped int64
}

// question prepares for a request. Answers to a server's questions make it one of its own that is never kept.
func (c *Client) question(method string, members object) question {
	if c.opts.Cache == nil || !c.modern {
		return question{}
	}
	known := false
	for _, m := range cacheable() {
		known = known || m == method
	}
	q := question{cache: c.opts.Cache, key: cacheKey{private: true, context: c.opts.CacheContext, method: method}}
	for _, m := range members {
		switch m.name {
		case "inputResponses", "requestState":
			known = false
		case "uri":
			q.uri, _ = wire.Text(m.value)
		case "cursor":
			q.cursor = m.value.Kind() != 'n'
		}
	}
	if !known {
		return question{}
	}
	q.key.members = string(members.json())
	q.cache.mu.Lock()
	defer q.cache.mu.Unlock()
	q.dropped = q.cache.drops[method]
	return q
}

// public returns the key under which everybody's result is kept.
func (k cacheKey) public() cacheKey { return cacheKey{method: k.method, members: k.members} }

// kept returns a fresh result.
func (q question) kept() (jsontext.Value, bool) {
	if q.cache == nil {
		return nil, false
	}
	q.cache.mu.Lock()
	defer q.cache.mu.Unlock()
	for _, key := range []cacheKey{q.key, q.key.public()} {
		if e, ok := q.cache.entries[key]; ok && time.Now().Before(e.until) {
			return e.result.Clone(), true
		}
	}
	return nil, false
}

// answered keeps a complete result when it may be kept.
func (q question) answered(result jsontext.Value) {
	if q.cache == nil {
		return
	}
	var hints struct {
		TTL   jsontext.Value `json:"ttlMs"`
		Scope jsontext.Value `json:"cacheScope"`
	}
	var ttl int64
	if unmarshal(result, &hints) != nil || hints.TTL == nil || unmarshal(hints.TTL, &ttl) != nil || ttl <= 0 {
		return
	}
	key := q.key
	if scope, _ := wire.Text(hints.Scope); scope == "public" {
		key = key.public()
	}
	lifetime := maxTTL
	if ttl < maxTTL.Milliseconds() {
		lifetime = time.Duration(ttl) * time.Millisecond
	}
	c := q.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.drops[q.key.method] != q.dropped || len(result) > maxCachedBytes {
		return
	}
	c.remove(key)
	if len(c.entries) >= maxCached || c.bytes+len(result) > maxCachedBytes {
		c.makeRoom(len(result))
	}
	c.entries[key] = cached{result: result.Clone(), uri: q.uri, until: time.Now().Add(lifetime)}
	c.bytes += len(result)
}

// refused forgets all pages of a list when a cursor is not valid any more.
func (q question) refused(err error) {
	if q.cache != nil && q.cursor && badCursor(err) {
		q.cache.drop(q.key.method, func(cacheKey) bool { return true })
	}
}

// badCursor reports whether an error answers a cursor that the server does not know.
func badCursor(err error) bool {
	e, ok := errors.AsType[*wire.Error](err)
	return ok && e.Code == wire.CodeInvalidParams
}

// heard forgets what a notification says to have changed.
func (c *Cache) heard(m wire.Message) {
	if c == nil {
		return
	}
	all := func(cacheKey) bool { return true }
	switch m.Method {
	case mcp.NotifyToolsChanged:
		c.drop(mcp.MethodListTools, all)
	case notifyPromptsChanged:
		c.drop("prompts/list", all)
	case notifyResourcesChanged:
		c.drop("resources/list", all)
		c.drop("resources/templates/list", all)
	case notifyResourceUpdated:
		var p struct {
			URI string `json:"uri"`
		}
		if unmarshal(m.Params, &p) != nil {
			return
		}
		c.drop(methodReadResource, func(key cacheKey) bool {
			uri := c.entries[key].uri
			return p.URI == uri || strings.HasPrefix(p.URI, strings.TrimSuffix(uri, "/")+"/") // a part of it changed
		})
	}
}

// drop forgets the results of a method that are meant, and those under way. The lock is held while meant is asked.
func (c *Cache) drop(method string, meant func(cacheKey) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drops[method]++
	for key := range c.entries {
		if key.method == method && meant(key) {
			c.remove(key)
		}
	}
}

// remove forgets one result. The lock is held.
func (c *Cache) remove(key cacheKey) {
	c.bytes -= len(c.entries[key].result)
	delete(c.entries, key)
}

// makeRoom forgets stale results, then those that would become stale first. The lock is held.
func (c *Cache) makeRoom(need int) {
	now := time.Now()
	for key, e := range c.entries {
		if !now.Before(e.until) {
			c.remove(key)
		}
	}
	for len(c.entries) >= maxCached || len(c.entries) > 0 && c.bytes+need > maxCachedBytes {
		var first cacheKey
		var until time.Time
		for key, e := range c.entries {
			if until.IsZero() || e.until.Before(until) {
				first, until = key, e.until
			}
		}
		c.remove(first)
	}
}
