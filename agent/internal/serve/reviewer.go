package serve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// reviewer is the model that reviews.
type reviewer struct {
	model string
	other bool   // it is of another vendor than the current model
	note  string // for the host, "" for nothing
}

// chooseReviewer finds the model for a review: the one that was named, else the large one of a vendor other than that of the
// current model, else the current one.
func chooseReviewer(ctx context.Context, o core.Options, named string) (r reviewer, err error) {
	o.NoTools = true
	agent, err := core.Open(ctx, o)
	if named != "" {
		var current string
		if err == nil {
			spec, _ := agent.Model()
			current = spec.Provider
			if err = agent.Close(); err != nil {
				return r, err
			}
		}
		return namedReviewer(ctx, o, named, current)
	}
	if err != nil {
		return r, fmt.Errorf("the review did not begin: %w", err)
	}
	defer func() { err = errors.Join(err, agent.Close()) }()
	current, _ := agent.Model()
	if other := otherVendor(agent, current.Provider); other != "" {
		return reviewer{model: other, other: true}, nil
	}
	return reviewer{model: current.String(), note: fmt.Sprintf("%s is the vendor of Elyra's current model too, because there is no key of another one: set %s, or run: elyra auth set %s",
		current.Provider, missingKey(agent, current.Provider), missingVendor(current.Provider))}, nil
}

// namedReviewer is the model that the host wants, whatever the current one is; that there is none is no fault then.
func namedReviewer(ctx context.Context, o core.Options, named, current string) (r reviewer, err error) {
	o.Model = named
	agent, err := core.Open(ctx, o)
	if err != nil {
		return r, fmt.Errorf("the review did not begin: %w", err)
	}
	spec, _ := agent.Model()
	return reviewer{model: spec.String(), other: current != "" && spec.Provider != current}, agent.Close()
}

// otherVendor is the large model of the first other vendor that there is a key for, "" when there is none. One that passes
// requests on is none when it would pass them to the vendor that is not meant.
func otherVendor(agent *core.Core, current string) string {
	vendors := agent.Catalog.Vendors()
	slices.SortStableFunc(vendors, func(a, b model.Vendor) int { return rank(a.ID) - rank(b.ID) })
	for _, v := range vendors {
		if v.ID == current || v.API == "" || v.Large == "" || strings.HasPrefix(v.Large, current+"/") {
			continue
		}
		if key, _, err := agent.Workspace.Keys.Find(v.ID, v.KeyVariable); err == nil && key.Reveal() != "" {
			return v.ID + "/" + v.Large
		}
	}
	return ""
}

// rank is the place of a vendor in the order in which they are tried: first those whose models review best, then the others
// as the catalogue has them.
func rank(vendor string) int {
	first := []string{"anthropic", "openai", "gemini", "openrouter"}
	if at := slices.Index(first, vendor); at >= 0 {
		return at
	}
	return len(first)
}

// missingVendor is a vendor to get a key of.
func missingVendor(current string) string {
	if current == "anthropic" {
		return "openai"
	}
	return "anthropic"
}

func missingKey(agent *core.Core, current string) string {
	v, err := agent.Catalog.Vendor(missingVendor(current))
	if err != nil {
		return "its key"
	}
	return v.KeyVariable
}
