package core

import (
	"maps"
	"slices"
	"sync"
)

// changes are the files that tools have changed since the last prompt, with what they were before.
type changes struct {
	mu     sync.Mutex
	before map[string]before
}

type before struct {
	content []byte
	existed bool
}

// note keeps what a file was before its first change.
func (c *Core) note(path string, content []byte, existed bool) {
	c.changed.mu.Lock()
	defer c.changed.mu.Unlock()
	if c.changed.before == nil {
		c.changed.before = map[string]before{}
	}
	if _, known := c.changed.before[path]; !known {
		c.changed.before[path] = before{slices.Clone(content), existed}
	}
}

// Changed are the files that tools have changed since the agent was opened or Forget was called, by name.
func (c *Core) Changed() []string {
	c.changed.mu.Lock()
	defer c.changed.mu.Unlock()
	return slices.Sorted(maps.Keys(c.changed.before))
}
