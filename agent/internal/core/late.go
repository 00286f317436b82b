package core

import (
	"sync"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/mcptools"
)

// late are the tools of servers with directTools that came since the session began. The zero value has none.
type late struct {
	mu     sync.Mutex
	direct *mcptools.Direct // nil: no server is used
	named  map[string]loop.Tool
}

// get finds one by its name, nil when there is none.
func (l *late) get(name string) loop.Tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.named[name]
}

// take returns those that came since it was last called.
func (l *late) take() []loop.Tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.direct == nil {
		return nil
	}
	fresh := l.direct.Late()
	for _, t := range fresh {
		if l.named == nil {
			l.named = map[string]loop.Tool{}
		}
		l.named[t.Spec().Name] = t
	}
	return fresh
}
