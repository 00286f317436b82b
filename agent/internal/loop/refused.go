package loop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// maxRefused is how many tools a vendor may refuse before a request is given up.
const maxRefused = 8

// stream sends a request. When the vendor refuses a server's tool, whose schema is not ours to mend, the request is sent again
// without it, and the tool is left out of all that this vendor is sent later: one bad schema must not fail every turn.
func (a *Agent) stream(ctx context.Context, provider model.Provider, r model.Request) (model.Message, error) {
	for left := maxRefused; ; left-- {
		m, err := provider.Stream(ctx, r, func(e model.Event) { a.tell(Event{Kind: KindStream, Stream: &e}) })
		var failed *model.Error
		if left == 0 || !errors.As(err, &failed) || failed.Kind != model.ErrInvalid || failed.Tool < 1 || failed.Tool > len(r.Tools) {
			return m, err
		}
		refused := r.Tools[failed.Tool-1]
		if !refused.Deferred { // It is our own, so that leaving it out would hide a fault.
			return m, err
		}
		a.tell(Event{Kind: KindNotice, Text: fmt.Sprintf("the tool %s is left out, because the model's vendor refuses it: %s", refused.Name, failed.Message)})
		a.mu.Lock()
		a.refused = append(a.refused, refusedTool{r.Model.Provider, refused.Name})
		r.Tools = a.offered(r.Model.Provider)
		a.mu.Unlock()
	}
}

// refusedTool is a tool that a vendor does not take.
type refusedTool struct{ vendor, name string }

// offered are the tools that a vendor is told. The caller holds mu.
func (a *Agent) offered(vendor string) []model.Tool {
	if len(a.refused) == 0 {
		return a.specs
	}
	return slices.DeleteFunc(slices.Clone(a.specs), func(t model.Tool) bool {
		return slices.Contains(a.refused, refusedTool{vendor, t.Name})
	})
}
