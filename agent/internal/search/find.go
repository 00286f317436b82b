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
	words := wordsOf(cutText(query, queryBytes))
	taken := map[string]int{}
	out := hits[:0]
	for _, h := range hits {
		server := x.docs[h.Document].Server
		if taken[server] >= o.PerServer && server != o.Server && !x.named(server, words) {
			continue
		}
		taken[server]++
		if out = append(out, h); len(out) >= o.Limit {
			break
		}
	}
	return out
}

// named tells whether a query speaks of a server: its name's words stand there in a row. A name of which every word is one
// that the lexicon has does not count, else a server called "search" would be named by most queries.
func (x *Index) named(server string, query []string) bool {
	name := wordsOf(cutText(server, nameBytes))
	if !slices.ContainsFunc(name, func(w string) bool { return len(x.lex.of(w, stem(w))) == 0 && !x.lex.stop[w] }) {
		return false
	}
	for i := 0; i+len(name) <= len(query); i++ {
		if slices.Equal(query[i:i+len(name)], name) {
			return true
		}
	}
	return false
}

func (x *Index) compare(a, b Hit) int {
	c, d := &x.docs[a.Document], &x.docs[b.Document]
	return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(c.Server, d.Server), strings.Compare(c.Name, d.Name),
		cmp.Compare(a.Document, b.Document))
}

// wanted is what a term is good for in a query.
type wanted struct {
	slot  int32 // from 1; 0: nothing
	worth float32
}

// score adds up what each document has of the slots.
func (x *Index) score(slots []slot) []Hit {
	by := make([]wanted, len(x.df))
	most := make([]float32, len(slots)) // that a slot can add
	var all float32
	for i, s := range slots {
		for _, c := range s {
			w := c.worth * x.rarity(c.term)
			by[c.term] = wanted{int32(i + 1), w}
			most[i] = max(most[i], w)
		}
		all += most[i]
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
				found += most[i]
			}
		}
		if sum > 0 {
			sum *= 1 - coverage + coverage*found/all
			sum *= 1 + nameBonus*x.explained(d, by)
			hits = append(hits, Hit{d, float64(sum)})
		}
	}
	return hits
}

// explained is the part of a name, by how much its words say, that the query asks for.
func (x *Index) explained(doc int, by []wanted) float32 {
	var found, all float32
	for _, word := range x.names[doc] {
		w := x.rarity(word.terms[0])
		all += w
		if slices.ContainsFunc(word.terms, func(t int32) bool { return by[t].slot != 0 }) {
			found += w
		}
	}
	return found / max(all, 1)
}

// rarity is how much it says about a document that it has a term.
func (x *Index) rarity(term int32) float32 {
	n, df := float64(len(x.docs)), float64(x.df[term])
	return float32(math.Log(1 + (n-df+0.5)/(df+0.5)))
}
