package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"

	"github.com/elyra-go/elyra/internal/nearest"
)

// API is a language that vendors speak.
type API string

// The languages.
const (
	APIAnthropic API = "anthropic" // Messages
	APIOpenAI    API = "openai"    // Responses
	APIChat      API = "chat"      // Chat Completions, as OpenAI's are and many others'
)

// Vendor is somebody who runs models.
type Vendor struct {
	ID          string            `json:"id"`
	Name        string            `json:"name"`
	API         API               `json:"api"`     // "": none that is spoken here
	BaseURL     string            `json:"baseUrl"` // "" when it has to be configured
	KeyVariable string            `json:"keyVariable,omitzero"`
	Headers     map[string]string `json:"headers,omitzero"`
	Large       string            `json:"large,omitzero"` // the model to take when none is named
	Small       string            `json:"small,omitzero"`
}

// Overrides are what a user says of vendors, by their id; an unknown id is a new vendor.
type Overrides map[string]VendorOverride

// VendorOverride replaces what is known of a vendor. Zero fields replace nothing.
type VendorOverride struct {
	Name        string                   `json:"name,omitzero"`
	API         API                      `json:"api,omitzero"` // of a new vendor: APIChat
	BaseURL     string                   `json:"baseUrl,omitzero"`
	KeyVariable string                   `json:"keyVariable,omitzero"`
	Headers     map[string]string        `json:"headers,omitzero"`
	Models      map[string]ModelOverride `json:"models,omitzero"` // by id; an unknown id is a new model
}

// ModelOverride replaces what is known of a model. Zero and nil fields replace nothing.
type ModelOverride struct {
	Name      string   `json:"name,omitzero"`
	Context   int64    `json:"context,omitzero"`
	MaxOutput int64    `json:"maxOutput,omitzero"`
	Reasoning *bool    `json:"reasoning,omitzero"`
	Images    *bool    `json:"images,omitzero"`
	Efforts   []string `json:"efforts,omitzero"`
	Price     *Price   `json:"price,omitzero"`
}

// Catalog knows vendors and their models: what this program was built with, and what the user says. It is read when it is
// first asked, not when it is made, and may be used concurrently.
type Catalog struct {
	overrides Overrides
	load      func() *listing
}

type listing struct {
	vendors []Vendor
	specs   []Spec // in the order of vendors
}

// NewCatalog returns the catalogue with a user's overrides.
func NewCatalog(o Overrides) *Catalog {
	c := &Catalog{overrides: o}
	c.load = sync.OnceValue(c.read)
	return c
}

// List returns all models, by vendor. The slice is the caller's.
func (c *Catalog) List() []Spec { return slices.Clone(c.load().specs) }

// Vendors returns all vendors. The slice is the caller's.
func (c *Catalog) Vendors() []Vendor { return slices.Clone(c.load().vendors) }

// Vendor returns a vendor by id.
func (c *Catalog) Vendor(id string) (Vendor, error) {
	var ids []string
	for _, v := range c.load().vendors {
		if v.ID == id {
			return v, nil
		}
		ids = append(ids, v.ID)
	}
	return Vendor{}, fmt.Errorf("find vendor %.80q: there is none of this name%s", id, nearest.Hint(id, ids))
}

// ambiguous is how many candidates an error names.
const ambiguous = 5

// Find returns the model that a user means by "provider/id", by an id that is one vendor's, or by a part of either that only
// one model has. A model that is not listed is found when its vendor is: "ollama/whatever" needs no entry.
func (c *Catalog) Find(name string) (Spec, error) {
	l := c.load()
	if name = strings.TrimSpace(name); name == "" {
		return Spec{}, fmt.Errorf(`find model: no name; say "provider/id"`)
	}
	var same, part []Spec
	for _, s := range l.specs {
		switch full := s.String(); {
		case strings.EqualFold(full, name):
			return s, nil
		case strings.EqualFold(s.ID, name):
			same = append(same, s)
		case strings.Contains(strings.ToLower(full), strings.ToLower(name)):
			part = append(part, s)
		}
	}
	for _, found := range [][]Spec{same, firstHand(same), part, firstHand(part)} {
		if len(found) == 1 {
			return found[0], nil
		}
	}
	if found := slices.Concat(firstHand(same), firstHand(part), same, part); len(found) > 0 {
		return Spec{}, fmt.Errorf("find model %.80q: %d match; say which: %s", name, len(same)+len(part), some(found))
	}
	if vendor, id, ok := strings.Cut(name, "/"); ok && id != "" && !strings.ContainsAny(id, " \t") {
		for _, v := range l.vendors {
			if v.ID == vendor && (c.overrides[vendor].BaseURL != "" || v.isOpen()) {
				return Spec{Provider: vendor, ID: id, Name: id}, nil
			}
		}
	}
	return Spec{}, fmt.Errorf("find model %.80q: there is none of this name%s", name, l.hint(name))
}

// isOpen says of vendors whose models nobody can list: they are what the user has there.
func (v Vendor) isOpen() bool { return v.ID == "ollama" || v.ID == "openrouter" }

// firstHand keeps the models of those vendors that are asked for by their own names.
func firstHand(specs []Spec) []Spec {
	return slices.DeleteFunc(slices.Clone(specs), func(s Spec) bool {
		return s.Provider != "anthropic" && s.Provider != "openai"
	})
}

func some(specs []Spec) string {
	var names []string
	for _, s := range specs {
		if name := s.String(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > ambiguous {
		names = append(names[:ambiguous:ambiguous], "…")
	}
	return strings.Join(names, ", ")
}

func (l *listing) hint(name string) string {
	var names []string
	for _, s := range l.specs {
		names = append(names, s.String(), s.ID)
	}
	return nearest.Hint(name, names)
}

func (c *Catalog) read() *listing {
	l := &listing{}
	for _, p := range embedded.GetAll() {
		l.add(vendorOf(p), p.Models, c.overrides[string(p.ID)])
	}
	l.add(Vendor{ID: "ollama", Name: "Ollama", API: APIChat, BaseURL: "http://127.0.0.1:11434/v1"}, nil, c.overrides["ollama"])
	for _, id := range slices.Sorted(maps.Keys(c.overrides)) {
		if !slices.ContainsFunc(l.vendors, func(v Vendor) bool { return v.ID == id }) {
			l.add(Vendor{ID: id, Name: id, API: APIChat}, nil, c.overrides[id])
		}
	}
	return l
}

func vendorOf(p catwalk.Provider) Vendor {
	v := Vendor{
		ID: string(p.ID), Name: p.Name, Headers: p.DefaultHeaders,
		Large: p.DefaultLargeModelID, Small: p.DefaultSmallModelID,
	}
	if key, ok := strings.CutPrefix(p.APIKey, "$"); ok {
		v.KeyVariable = key
	}
	if strings.HasPrefix(p.APIEndpoint, "https://") {
		v.BaseURL = p.APIEndpoint
	}
	switch p.Type {
	case catwalk.TypeAnthropic:
		v.API = APIAnthropic
	case catwalk.TypeOpenAI:
		v.API = APIChat
	case catwalk.TypeOpenAICompat, catwalk.TypeOpenRouter, catwalk.TypeVercel:
		v.API = APIChat
	}
	switch v.ID {
	case "anthropic":
		v.BaseURL = "https://api.anthropic.com"
	case "openai":
		v.API, v.BaseURL = APIOpenAI, "https://api.openai.com/v1"
	case "gemini":
		v.API, v.BaseURL = APIChat, "https://generativelanguage.googleapis.com/v1beta/openai"
	}
	return v
}

// add takes a vendor and its models into the list, as the user changes them.
func (l *listing) add(v Vendor, models []catwalk.Model, o VendorOverride) {
	v.Name = cmp.Or(o.Name, v.Name)
	v.API = cmp.Or(o.API, v.API)
	v.BaseURL = cmp.Or(o.BaseURL, v.BaseURL)
	v.KeyVariable = cmp.Or(o.KeyVariable, v.KeyVariable)
	if len(o.Headers) > 0 {
		headers := maps.Clone(v.Headers)
		if headers == nil {
			headers = map[string]string{}
		}
		maps.Copy(headers, o.Headers)
		v.Headers = headers
	}
	l.vendors = append(l.vendors, v)
	known := make(map[string]bool, len(models))
	for _, m := range models {
		known[m.ID] = true
		l.specs = append(l.specs, o.Models[m.ID].over(specOf(v.ID, m)))
	}
	for _, id := range slices.Sorted(maps.Keys(o.Models)) {
		if !known[id] {
			l.specs = append(l.specs, o.Models[id].over(Spec{Provider: v.ID, ID: id, Name: id}))
		}
	}
}

func specOf(vendor string, m catwalk.Model) Spec {
	s := Spec{
		Provider: vendor, ID: m.ID, Name: m.Name, Context: m.ContextWindow, MaxOutput: m.DefaultMaxTokens,
		Reasoning: m.CanReason, Images: m.SupportsImages, Efforts: m.ReasoningLevels,
		// What the data calls "in cached" is what goes into the cache, "out cached" what comes out of it.
		Price: Price{Input: m.CostPer1MIn, Output: m.CostPer1MOut, CacheRead: m.CostPer1MOutCached, CacheWrite: m.CostPer1MInCached},
	}
	// Without a price of its own, a cached token costs what any other does: rather too much than nothing.
	s.Price.CacheRead = cmp.Or(s.Price.CacheRead, s.Price.Input)
	s.Price.CacheWrite = cmp.Or(s.Price.CacheWrite, s.Price.Input)
	return s
}

func (o ModelOverride) over(s Spec) Spec {
	s.Name = cmp.Or(o.Name, s.Name)
	s.Context = cmp.Or(o.Context, s.Context)
	s.MaxOutput = cmp.Or(o.MaxOutput, s.MaxOutput)
	if o.Reasoning != nil {
		s.Reasoning = *o.Reasoning
	}
	if o.Images != nil {
		s.Images = *o.Images
	}
	if o.Efforts != nil {
		s.Efforts = o.Efforts
	}
	if o.Price != nil {
		s.Price = *o.Price
	}
	return s
}
