package model

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"
)

// listing is the catalogue as it was read.
type listing struct {
	vendors []Vendor
	specs   []Spec // in the order of vendors
}

// read puts together what the program was built with and what the user says.
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
	if variable, ok := strings.CutPrefix(p.APIEndpoint, "$"); ok {
		v.BaseURLVariable = variable
	} else {
		v.BaseURL = p.APIEndpoint
	}
	switch p.Type {
	case catwalk.TypeAnthropic:
		v.API = APIAnthropic
	case catwalk.TypeOpenAI, catwalk.TypeOpenAICompat, catwalk.TypeOpenRouter, catwalk.TypeVercel:
		v.API = APIChat
	}
	switch v.ID {
	case "anthropic":
		v.BaseURL, v.BaseURLVariable = "https://api.anthropic.com", "ANTHROPIC_BASE_URL"
	case "openai":
		v.API, v.BaseURL, v.BaseURLVariable = APIOpenAI, "https://api.openai.com/v1", "OPENAI_BASE_URL"
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
		Price:      Price{Input: m.CostPer1MIn, Output: m.CostPer1MOut, CacheRead: m.CostPer1MOutCached, CacheWrite: m.CostPer1MInCached},
		ToolSearch: searchesTools(vendor, m.ID),
	}
	// Without a price of its own, a cached token costs what any other does: rather too much than nothing.
	s.Price.CacheRead = cmp.Or(s.Price.CacheRead, s.Price.Input)
	s.Price.CacheWrite = cmp.Or(s.Price.CacheWrite, s.Price.Input)
	return s
}

// searchesTools knows for which models their vendors search deferred tools, which the data does not tell: Claude from the
// fourth generation on, and GPT from 5.4 on but for the smallest. For one that is not known to be among them all tools are
// sent as they are, which every model understands.
func searchesTools(vendor, id string) bool {
	switch vendor {
	case "anthropic":
		return strings.HasPrefix(id, "claude-") && !strings.HasPrefix(id, "claude-2") && !strings.HasPrefix(id, "claude-3")
	case "openai":
		version, variant, _ := strings.Cut(strings.TrimPrefix(id, "gpt-"), "-")
		major, minor, _ := strings.Cut(version, ".")
		m, errMajor := strconv.Atoi(major)
		n, errMinor := strconv.Atoi(cmp.Or(minor, "0"))
		recent := errMajor == nil && errMinor == nil && strings.HasPrefix(id, "gpt-") && (m > 5 || m == 5 && n >= 4)
		return recent && variant != "nano" && variant != "pro"
	}
	return false
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
