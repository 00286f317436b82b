package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Options say how much Find returns.
type Options struct {
	Limit     int    // hits at most; 0: 8
	PerServer int    // hits of one server at most, unless the query or Server names it; 0: 4
	Server    string // only tools of this server; "": of all
}

// A Hit is a document that was found. A higher score is better; scores of different queries do not compare.
type Hit struct {
	Document int // index into the documents given to New
	Score    float64
}

// Find ranks the documents for a query. Those with equal scores come by server and name. Nothing is found for a query that
// shares no word and no concept with any document.
func (x *Index) Find(query string, o Options) []Hit {
	o.Limit = cmp.Or(o.Limit, 8)
	o.PerServer = cmp.Or(o.PerServer, 4)
	hits := x.score(x.parse(query))
	if o.Server != "" {
		hits = slices.DeleteFunc(hits, func(h Hit) bool { return x.docs[h.Document].Server != o.Server })
	}
	slices.SortFunc(hits, x.compare)
	named := " " + strings.Join(wordsOf(query), " ") + " "
	taken := map[string]int{}
	out := hits[:0]
	for _, h := range hits {
		server := x.docs[h.Document].Server
		if taken[server] >= o.PerServer && server != o.Server && !strings.Contains(named, " "+strings.Join(wordsOf(server), " ")+" ") {
			continue
		}
		taken[server]++
		if out = append(out, h); len(out) >= o.Limit {
			break
		}
	}
	return out
}

func (x *Index) compare(a, b Hit) int {
	c, d := &x.docs[a.Document], &x.docs[b.Document]
	return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(c.Server, d.Server), strings.Compare(c.Name, d.Name),
		cmp.Compare(a.Document, b.Document))
}

// score adds up what each document has of the slots.
func (x *Index) score(slots []slot) []Hit {
	type asked struct {
		slot  int32
		worth float32
	}
	by := make([]asked, len(x.df)) // slot+1 of each term
	weight := make([]float32, len(slots))
	var all float32
	for i, s := range slots {
		for _, c := range s {
			w := c.worth * x.rarity(c.term)
			by[c.term] = asked{int32(i + 1), w}
			weight[i] = max(weight[i], w)
		}
		all += weight[i]
	}
	if all == 0 {
		return nil
	}
	var hits []Hit
	best := make([]float32, len(slots))
	for d := range x.docs {
		clear(best)
		for _, p := range x.posts[x.first[d]:x.first[d+1]] {
			if a := by[p.term]; a.slot != 0 {
				best[a.slot-1] = max(best[a.slot-1], a.worth*p.weight/(p.weight+saturation))
			}
		}
		var sum, found float32
		for i, b := range best {
			if b > 0 {
				sum += b
				found += weight[i]
			}
		}
		if sum > 0 {
			hits = append(hits, Hit{d, float64(sum * (1 - coverage + coverage*found/all))})
		}
	}
	return hits
}

// rarity is how much it says about a document that it has a term.
func (x *Index) rarity(term int32) float32 {
	n, df := float64(len(x.docs)), float64(x.df[term])
	return float32(math.Log(1 + (n-df+0.5)/(df+0.5)))
}

// wordsOf returns the plain words of a text.
func wordsOf(text string) []string {
	var words []string
	for i := 0; ; {
		start, end, _ := nextRun(text, i)
		if start == len(text) {
			return words
		}
		words = append(words, plain(text[start:end]))
		i = end
	}
}
