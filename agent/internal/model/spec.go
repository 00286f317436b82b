package model

// Spec is what is known of a model.
type Spec struct {
	Provider  string `json:"provider"`
	ID        string `json:"id"` // the vendor's
	Name      string `json:"name,omitzero"`
	Context   int64  `json:"context"` // tokens of request and answer
	MaxOutput int64  `json:"maxOutput"`
	Reasoning bool   `json:"reasoning,omitzero"`
	Images    bool   `json:"images,omitzero"`
	Price     Price  `json:"price,omitzero"`
}

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
