package catalog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"sync"
	"time"
)

const (
	cacheFile = "mcp-cache.json"

	// defaultTTL is how long a list stays valid whose server says nothing about it.
	defaultTTL = 24 * time.Hour
	// bookkeeping is the least time between two writes that only renew the date of an unchanged list.
	bookkeeping = 10 * time.Minute
	// clockSkew is how far in the future a date may lie; beyond that it was another clock's.
	clockSkew = 5 * time.Minute

	maxCacheEntries = 200
	maxCacheBytes   = 32 << 20
)

// Files is what the cache needs of the agent's folder: reading a file, [fs.ErrNotExist] when there is none, and changing
// it under a lock between processes.
type Files interface {
	Read(name string) ([]byte, error)
	Update(ctx context.Context, name string, change func(old []byte) ([]byte, error)) error
}

// Cache keeps listings in mcp-cache.json, for this session and later ones. Its methods may be called concurrently. The
// file is read once, when the first listing is asked for.
type Cache struct {
	files Files
	now   func() time.Time
	log   *slog.Logger

	mu     sync.Mutex
	read   bool
	said   bool
	stored []entry
	live   map[string]Listing // put by this process
}

// NewCache returns the cache in files. It touches nothing yet. Log is told once when the file is damaged.
func NewCache(files Files, now func() time.Time, log *slog.Logger) *Cache {
	return &Cache{files: files, now: now, log: log, live: map[string]Listing{}}
}

// Get returns the valid listing of a key, as the list of the named server; several may have the same key. A listing that
// was put by this process with a TTL of 0 is valid until [Cache.Drop], one of an earlier process never.
func (c *Cache) Get(key, server string) (Listing, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l, ok := c.live[key]; ok {
		if l.TTL != nil && *l.TTL == 0 || c.fresh(l.Fetched, l.TTL) {
			return l.as(server), true
		}
		return Listing{}, false
	}
	c.load()
	e, ok := find(c.stored, key)
	if !ok || !c.fresh(e.fetched(), e.ttl()) {
		return Listing{}, false
	}
	l, err := e.listing(server)
	if err != nil {
		c.damaged(err)
		c.stored = slices.DeleteFunc(c.stored, func(e entry) bool { return e.Key == key })
		return Listing{}, false
	}
	return l, true
}

// Put keeps a listing under its key: what it was fetched with, who logged in, and the era. The file is written only when
// the listing's hash changed, when its date has to be renewed, or when the server wants it kept less long.
func (c *Cache) Put(ctx context.Context, key string, l Listing) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.live[key] = l
	if l.TTL != nil && *l.TTL == 0 {
		return c.drop(ctx, key)
	}
	c.load()
	if e, ok := find(c.stored, key); ok && !c.stale(e, l) {
		return nil
	}
	added, err := newEntry(key, l)
	if err != nil {
		return fmt.Errorf("keep the list of %s: %w", l.Server, err)
	}
	return c.update(ctx, func(entries []entry) []entry {
		if e, ok := find(entries, key); ok && !c.stale(e, l) {
			return entries // Another process was faster.
		}
		entries = slices.DeleteFunc(entries, func(e entry) bool { return e.Key == key })
		return bounded(append(entries, added))
	})
}

// Drop forgets a key, because the server said that its list changed.
func (c *Cache) Drop(ctx context.Context, key string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.live, key)
	return c.drop(ctx, key)
}

func (c *Cache) drop(ctx context.Context, key string) error {
	c.load()
	if _, ok := find(c.stored, key); !ok {
		return nil
	}
	return c.update(ctx, func(entries []entry) []entry {
		return slices.DeleteFunc(entries, func(e entry) bool { return e.Key == key })
	})
}

// update changes the file's entries as they are on disk now, which another process may have written.
func (c *Cache) update(ctx context.Context, change func([]entry) []entry) error {
	var after []entry
	err := c.files.Update(ctx, cacheFile, func(old []byte) ([]byte, error) {
		var before []entry
		if old != nil {
			var err error
			if before, err = parseFile(old); err != nil {
				c.damaged(err)
			}
		}
		after = change(slices.Clone(before))
		slices.SortFunc(after, func(a, b entry) int { return cmp.Compare(a.Key, b.Key) })
		return appendFile(after)
	})
	if err != nil {
		return fmt.Errorf("write the cache of tool lists: %w", err)
	}
	c.stored, c.read = after, true
	return nil
}

// load reads the file once. What cannot be read is as good as empty.
func (c *Cache) load() {
	if c.read {
		return
	}
	c.read = true
	data, err := c.files.Read(cacheFile)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		c.stored, err = parseFile(data)
	}
	if err != nil {
		c.damaged(err)
	}
}

func (c *Cache) damaged(err error) {
	if !c.said {
		c.said = true
		c.log.Warn("the cache of tool lists cannot be used; the servers are asked again", "file", cacheFile, "error", err)
	}
}

// fresh reports whether a list that was fetched then still is valid.
func (c *Cache) fresh(fetched time.Time, ttl *time.Duration) bool {
	age := c.now().Sub(fetched)
	return age >= -clockSkew && age < lifetime(ttl)
}

// stale reports whether the stored entry has to make way for the listing.
func (c *Cache) stale(e entry, l Listing) bool {
	if e.Hash != l.Hash {
		return true
	}
	until := e.fetched().Add(lifetime(e.ttl()))
	if l.Fetched.Add(lifetime(l.TTL)).Add(time.Minute).Before(until) {
		return true
	}
	age := l.Fetched.Sub(e.fetched())
	return age < -clockSkew || age >= bookkeeping && !c.fresh(e.fetched(), e.ttl())
}

func lifetime(ttl *time.Duration) time.Duration {
	if ttl == nil {
		return defaultTTL
	}
	return *ttl
}

// as returns the listing under another name of its server.
func (l Listing) as(server string) Listing {
	if l.Server == server {
		return l
	}
	l.Server, l.Tools, l.Quarantined = server, slices.Clone(l.Tools), slices.Clone(l.Quarantined)
	for i := range l.Tools {
		l.Tools[i].Server = server
	}
	for i := range l.Quarantined {
		l.Quarantined[i].Server = server
	}
	return l
}

func find(entries []entry, key string) (entry, bool) {
	i := slices.IndexFunc(entries, func(e entry) bool { return e.Key == key })
	if i < 0 {
		return entry{}, false
	}
	return entries[i], true
}

// bounded drops the oldest entries until the rest fits.
func bounded(entries []entry) []entry {
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(b.Fetched, a.Fetched) })
	size := 0
	for i, e := range entries {
		if size += len(e.body); i >= maxCacheEntries || size > maxCacheBytes {
			return entries[:i]
		}
	}
	return entries
}
