package model

import (
	"fmt"
	"slices"
	"strings"
	"sync"

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
	ID          string `json:"id"`
	Name        string `json:"name"`
	API         API    `json:"api"`     // "": none that is spoken here
	BaseURL     string `json:"baseUrl"` // "" when it has to be configured
	KeyVariable string `json:"keyVariable,omitzero"`
	// BaseURLVariable is the environment variable by which the vendor's own programs are sent to another BaseURL.
	BaseURLVariable string            `json:"baseUrlVariable,omitzero"`
	Headers         map[string]string `json:"headers,omitzero"`
	Large           string            `json:"large,omitzero"` // the model to take when none is named
	Small           string            `json:"small,omitzero"`
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
	return Spec{}, fmt.Errorf("find model %.80q: there is none of this name%s; what is newer than this program has to be in the settings",
		name, l.hint(name))
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
