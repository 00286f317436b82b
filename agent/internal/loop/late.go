package loop

import (
	"slices"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// addLate takes in tools that came since the session began. Only those that are deferred do, and only for a vendor that keeps
// such tools out of what it caches. The rest of the prefix stays the same bytes, which the vendor's search of tools is part of:
// where nothing is deferred yet, nothing can come later.
func (a *Agent) addLate() {
	a.mu.Lock()
	takes := a.o.Model.TakesLateTools() && slices.ContainsFunc(a.specs, func(t model.Tool) bool { return t.Deferred })
	a.mu.Unlock()
	if a.o.Late == nil || !takes {
		return
	}
	for _, t := range a.o.Late() {
		spec := t.Spec()
		if a.tools[spec.Name] != nil || !spec.Deferred {
			continue
		}
		a.tools[spec.Name] = t
		a.mu.Lock()
		a.specs = append(a.specs[:len(a.specs):len(a.specs)], spec)
		a.mu.Unlock()
	}
}
