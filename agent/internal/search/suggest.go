package search

import (
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/elyra-go/elyra/internal/nearest"
)

// maxSuggestions is how many words Suggest returns at most.
const maxSuggestions = 5

// Suggest returns words of tools' and servers' names that the words of a query may have been meant to be, in the order of the
// query. It is for a query that found nothing: Find already forgives a slip or two.
func (x *Index) Suggest(query string) []string {
	vocabulary := map[string]bool{}
	for i := range x.docs {
		for _, text := range []string{x.docs[i].Name, x.docs[i].Server} {
			for _, p := range partsOf(cutText(text, nameBytes)) {
				if utf8.RuneCountInString(p) >= shortest {
					vocabulary[p] = true
				}
			}
		}
	}
	known := slices.Sorted(maps.Keys(vocabulary))
	var found []string
	for _, w := range partsOf(cutText(query, queryBytes)) {
		if utf8.RuneCountInString(w) < shortest || len(w) > maxWord || x.lex.stop[w] || vocabulary[w] {
			continue
		}
		if n := nearest.Name(w, known); n != "" && !slices.Contains(found, n) {
			found = append(found, n)
		}
		if len(found) == maxSuggestions {
			break
		}
	}
	return found
}
