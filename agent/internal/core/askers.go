package core

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/elyra-go/elyra/internal/mcp"
)

// whoKey is the key of the child that a call is made for, in the call's context.
type whoKey struct{}

// askers are the children whose calls are under way, by server. A server of before 2026 does not say for which call it asks.
type askers struct {
	mu   sync.Mutex
	open map[string]map[string]int // by server and child
}

// enter notes a call of a child. What it returns takes that back.
func (a *askers) enter(server, who string) (leave func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open == nil {
		a.open = map[string]map[string]int{}
	}
	if a.open[server] == nil {
		a.open[server] = map[string]int{}
	}
	a.open[server][who]++
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.open[server][who]--; a.open[server][who] == 0 {
			delete(a.open[server], who)
		}
	}
}

// of says for whom a server asks, "" for the agent itself. It makes no calls while its children do.
func (a *askers) of(ctx context.Context, server string) string {
	if who, ok := ctx.Value(whoKey{}).(string); ok {
		return who
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return strings.Join(slices.Sorted(maps.Keys(a.open[server])), ", or ")
}

// elicitor puts servers' questions to the user and says which child's call they are about.
func (c *Core) elicitor() func(ctx context.Context, server string, p mcp.ElicitParams) (mcp.ElicitResult, error) {
	if c.o.Elicit == nil {
		return nil
	}
	return func(ctx context.Context, server string, p mcp.ElicitParams) (mcp.ElicitResult, error) {
		if who := c.askers.of(ctx, server); who != "" {
			p.Message = fmt.Sprintf("(for %s)\n%s", who, p.Message)
		}
		return c.o.Elicit(ctx, server, p)
	}
}
