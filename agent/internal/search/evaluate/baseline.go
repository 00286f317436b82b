package main

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/search"
	"github.com/go-json-experiment/json"
)

// A bm25 is the plain ranking that ours is held against: k1 1.2, b 0.75, the name counted twice, the parameters' names and
// texts, and plurals and a few endings taken off.
type bm25 struct {
	docs   []search.Document
	counts []map[string]float64
	length []float64
	df     map[string]float64
	mean   float64
}

func newBM25(docs []search.Document) *bm25 {
	b := &bm25{docs: docs, df: map[string]float64{}}
	for _, d := range docs {
		words := tokens(d.Name + " " + d.Name + " " + d.Description + " " + schemaText(d))
		counts := map[string]float64{}
		for _, w := range words {
			counts[w]++
		}
		for w := range counts {
			b.df[w]++
		}
		b.counts = append(b.counts, counts)
		b.length = append(b.length, float64(len(words)))
		b.mean += float64(len(words)) / float64(len(docs))
	}
	return b
}

func (b *bm25) find(query string, limit int) []int {
	scores := make([]float64, len(b.docs))
	for _, w := range tokens(query) {
		n, df := float64(len(b.docs)), b.df[w]
		idf := math.Log(1 + (n-df+0.5)/(df+0.5))
		for i, c := range b.counts {
			if tf := c[w]; tf > 0 {
				scores[i] += idf * tf * 2.2 / (tf + 1.2*(0.25+0.75*b.length[i]/b.mean))
			}
		}
	}
	var found []int
	for i, s := range scores {
		if s > 0 {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(i, j int) int { return cmp.Compare(scores[j], scores[i]) })
	return found[:min(len(found), limit)]
}

func tokens(text string) []string {
	camel := regexp.MustCompile(`([a-z0-9])([A-Z])`)
	text = strings.ToLower(camel.ReplaceAllString(text, "$1 $2"))
	var out []string
	for _, w := range regexp.MustCompile(`[\p{Latin}\p{Cyrillic}]+|[0-9]+|[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]`).FindAllString(text, -1) {
		for _, ending := range []string{"ies", "ing", "ed", "es", "s"} {
			if root, ok := strings.CutSuffix(w, ending); ok && len(root) >= 3 {
				w = root
				break
			}
		}
		out = append(out, w)
	}
	return out
}

// schemaText is the names and descriptions of a tool's parameters.
func schemaText(d search.Document) string {
	var schema struct {
		Properties map[string]struct {
			Description any `json:"description"`
		} `json:"properties"`
	}
	if json.Unmarshal(d.InputSchema, &schema) != nil {
		return ""
	}
	var b strings.Builder
	for name, p := range schema.Properties {
		text, _ := p.Description.(string)
		b.WriteString(" " + name + " " + text)
	}
	return b.String()
}
