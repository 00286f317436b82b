package core

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/swarm"
)

// changes are the files that tools have changed.
type changes struct {
	mu    sync.Mutex
	paths map[string]bool
}

// note is told what a file was before a tool changed it. The session keeps that, so that it can be taken back.
func (c *Core) note(path string, content []byte, existed bool) {
	c.changed.mu.Lock()
	defer c.changed.mu.Unlock()
	if c.changed.paths == nil {
		c.changed.paths = map[string]bool{}
	}
	c.changed.paths[path] = true
	if c.Session == nil {
		return
	}
	if err := c.Session.Changed(path, content, existed); err != nil {
		c.o.Notice(fmt.Sprintf("the change of %s cannot be taken back later: %v", path, err))
	}
}

// Changed are the files that tools have changed since the agent was opened, by name.
func (c *Core) Changed() []string {
	c.changed.mu.Lock()
	defer c.changed.mu.Unlock()
	return slices.Sorted(maps.Keys(c.changed.paths))
}

// Undo takes back what the last prompt after which files were changed did to them, and returns their paths.
func (c *Core) Undo() ([]string, error) {
	if c.Session == nil {
		return nil, errors.New("nothing of this session is kept, so changes cannot be taken back")
	}
	undone, err := c.Session.Undo()
	var paths []string
	for _, change := range undone {
		paths = append(paths, change.Path)
	}
	return paths, err
}

// Describe says in one line for people what a call of one of the agent's own tools would do, "" for other calls.
func (c *Core) Describe(call *model.Call) string {
	if t, ok := c.table.named[call.Name].(*swarm.Tool); ok {
		return t.Describe(call.Arguments)
	}
	if t := c.table.builtin[call.Name]; t != nil {
		return t.Describe(call.Arguments)
	}
	return ""
}
