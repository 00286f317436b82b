package sqlite

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
)

// liveRun is the function below which live commands run.
const liveRun = "github.com/elyra-go/elyra/internal/live.(*Registry).safely"

// untracked remembers where the log was told of queries without a ctx.
type untracked struct {
	mu   sync.Mutex
	seen map[string]bool
}

// warnUntracked says once for each place in the code that a query was made inside a live
// command without the command's ctx. It does nothing but in development.
func (s *store) warnUntracked() {
	if !s.development {
		return
	}
	place, live := caller()
	if !live {
		return
	}
	s.untracked.mu.Lock()
	defer s.untracked.mu.Unlock()
	if s.untracked.seen == nil {
		s.untracked.seen = map[string]bool{}
	}
	if s.untracked.seen[place] {
		return
	}
	s.untracked.seen[place] = true
	s.log.Warn("a live command made a query without its ctx, so it does not follow what the query reads: pass on the ctx, or use elyra.DB(ctx)",
		"at", place)
}

// caller gives the place in the app's own code that a query comes from, and whether it is
// below a live run.
func caller() (place string, live bool) {
	pcs := make([]uintptr, 128)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	for {
		f, more := frames.Next()
		if f.Function == liveRun {
			return place, true
		}
		library := strings.HasPrefix(f.Function, "database/sql.") || strings.HasPrefix(f.Function, "github.com/elyra-go/elyra/database/") &&
			!strings.Contains(f.Function, "_test.") || strings.Contains(f.File, "/pkg/mod/")
		if place == "" && !library {
			place = fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if !more {
			return "", false
		}
	}
}
