package model

import "slices"

// Spec is what is known of a model.
type Spec struct {
	Provider  string `json:"provider"`
	ID        string `json:"id"` // the vendor's
	Name      string `json:"name,omitzero"`
	Context   int64  `json:"context"` // tokens of request and answer
	MaxOutput int64  `json:"maxOutput"`
	Reasoning bool   `json:"reasoning,omitzero"`
	Images    bool   `json:"images,omitzero"`
	// Efforts are the vendor's words for how much the model thinks, of "none", "minimal", "low", "medium", "high", "xhigh"
	// and "max"; none when it cannot be told.
	Efforts []string `json:"efforts,omitzero"`
	Price   Price    `json:"price,omitzero"`
	// ToolSearch says that the vendor searches deferred tools for it.
	ToolSearch bool `json:"toolSearch,omitzero"`
}

// Effort returns the vendor's word that is nearest to a level, "" when the model cannot be told.
func (s Spec) Effort(l Level) string {
	scale := []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}
	want := max(slices.Index([]Level{LevelOff, LevelMinimal, LevelLow, LevelMedium, LevelHigh, LevelXHigh}, l), 0)
	best, bestDistance := "", len(scale)
	for at, word := range scale {
		if !slices.Contains(s.Efforts, word) {
			continue
		}
		distance := max(at-want, want-at)
		// Who asks for the most means the most that there is.
		if distance < bestDistance || l == LevelXHigh && best != "xhigh" && distance == bestDistance {
			best, bestDistance = word, distance
		}
	}
	return best
}

// TakesLateTools reports whether deferred tools may be added in the middle of a conversation and its prefix stays in the
// vendor's cache. OpenAI tells the model the names of deferred tools at its beginning, Anthropic does not.
func (s Spec) TakesLateTools() bool { return s.ToolSearch && s.Provider == "anthropic" }

// String returns provider/id.
func (s Spec) String() string { return s.Provider + "/" + s.ID }

// Price is in US dollars for a million tokens.
type Price struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite"`
}

// Cost returns the price of a usage in US dollars.
func (p Price) Cost(u Usage) float64 {
	return (p.Input*float64(u.Input) + p.Output*float64(u.Output) +
		p.CacheRead*float64(u.CacheRead) + p.CacheWrite*float64(u.CacheWrite)) / 1e6
}
