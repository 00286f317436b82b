package core

import (
	"context"
	"strings"
	"sync"

	"github.com/elyra-go/elyra/agent/internal/permission"
	"github.com/elyra-go/elyra/agent/internal/tools"
)

// hosts are those that the user has allowed by name. Only these may be on this machine or in a private network, whatever
// broader rules allow.
type hosts struct {
	mu    sync.Mutex
	named map[string]bool
}

func (h *hosts) add(host string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.named == nil {
		h.named = map[string]bool{}
	}
	h.named[strings.ToLower(host)] = true
}

func (h *hosts) has(host string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.named[host]
}

// openHosts takes over the hosts that the user's rules name. A pattern names none: no host has a * in it.
func (c *Core) openHosts() {
	rules := c.Workspace.Settings.Permissions.Allow
	for _, rule := range c.o.Allow {
		rules = append(rules[:len(rules):len(rules)], rule.String())
	}
	for _, rule := range rules {
		if host, ok := strings.CutPrefix(strings.TrimSpace(rule), "fetch:"); ok {
			c.hosts.add(host)
		}
	}
}

// asker asks the user, and remembers the near hosts that they said yes to. For a name that only turns out to be near, a yes
// is none: the question did not say so.
func (c *Core) asker() permission.Asker {
	if c.o.Ask == nil {
		return nil
	}
	return func(ctx context.Context, q permission.Question) (permission.Answer, error) {
		a, err := c.o.Ask(ctx, q)
		if err == nil && q.Kind == permission.Network && tools.Near(q.Host) != "" {
			switch a.Choice {
			case permission.Once, permission.Session, permission.Forever:
				c.hosts.add(q.Host)
			}
		}
		return a, err
	}
}
