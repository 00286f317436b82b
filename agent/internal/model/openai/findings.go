package openai

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/adapter"
)

// findings are what earlier answers of a conversation have found by the vendor's search of tools. A tool that was found lives
// in a namespace that the found item brings along: a call of it has to name that namespace, and without the item has to
// be of a tool that is not deferred.
type findings struct {
	namespaced map[*model.Call]bool // calls that go back with their namespace
	bare       map[string]bool      // tools of calls that go back without one: they must not be deferred
}

// isSearch reports whether an item is about the vendor's search of tools.
func isSearch(kind string) bool { return kind == "tool_search_call" || kind == "tool_search_output" }

// find reads the findings of what goes back to the vendor.
func find(r model.Request) findings {
	f := findings{namespaced: map[*model.Call]bool{}, bare: map[string]bool{}}
	if !r.Model.ToolSearch {
		return f
	}
	loaded := map[string]bool{}
	for _, m := range r.Messages {
		for _, b := range adapter.Sendable(r, m, func(t *model.Thinking) bool { return own(r, m, t) && isItem(t.Redacted) }) {
			switch {
			case b.Thinking != nil:
				for _, name := range foundTools(b.Thinking.Redacted) {
					loaded[name] = true
				}
			case b.Call != nil && b.Call.Namespace != "" && loaded[b.Call.Name]:
				f.namespaced[b.Call] = true
			case b.Call != nil:
				f.bare[b.Call.Name] = true
			}
		}
	}
	return f
}

// foundTools are the names of the tools in an item of the vendor's search, also of those in namespaces.
func foundTools(raw []byte) []string {
	var item struct {
		Type  string `json:"type"`
		Tools []struct {
			Name  string `json:"name"`
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
		} `json:"tools"`
	}
	if json.Unmarshal(raw, &item, jsontext.AllowDuplicateNames(true)) != nil || item.Type != "tool_search_output" {
		return nil
	}
	var names []string
	for _, t := range item.Tools {
		names = append(names, t.Name)
		for _, inner := range t.Tools {
			names = append(names, inner.Name)
		}
	}
	return names
}
