package search

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/elyra-go/elyra/internal/nearest"
)

// Bounds on what is read of a query.
const (
	queryBytes = 4 << 10
	querySlots = 64
)

// A slot is one thing that the query asks for, with the terms that would satisfy it.
type slot []choice

type choice struct {
	term  int32
	worth float32
}

// A parser turns a query into slots.
type parser struct {
	x     *Index
	slots []slot
	taken map[int32]bool // terms and concepts that have a slot
	near  map[uint32][]string
}

func (x *Index) parse(query string) []slot {
	p := &parser{x: x, taken: map[int32]bool{}}
	query = cutText(query, queryBytes)
	before := ""
	for i := 0; len(p.slots) < querySlots; {
		start, end, dense := nextRun(query, i)
		if start == len(query) {
			break
		}
		i = end
		run := query[start:end]
		if dense {
			p.dense(run)
			before = ""
			continue
		}
		if len(run) > maxWord {
			continue
		}
		w := plain(run)
		if ps := parts(run); len(ps) > 1 && !p.known(w) {
			for _, part := range ps {
				p.word(plain(part))
			}
		} else {
			p.word(w)
		}
		if before != "" && start > 0 && p.known(before+w) { // data base
			p.add(p.choices(before+w, 1))
		}
		before = w
	}
	return p.slots
}

// known tells whether a plain word occurs in some document.
func (p *parser) known(w string) bool {
	t, ok := p.x.terms[stem(w)]
	return ok && p.x.df[t] > 0
}

// choices are a plain word itself and its concepts.
func (p *parser) choices(w string, worth float32) slot {
	var s slot
	st := stem(w)
	if t, ok := p.x.terms[st]; ok {
		s = append(s, choice{t, worth})
	}
	for _, c := range p.x.lex.of(w, st) {
		if p.x.df[c] > 0 {
			s = append(s, choice{c, worth * conceptWorth})
		}
	}
	return s
}

// word adds the slot of a plain word. One that no document has is taken apart, or for the nearest that is there.
func (p *parser) word(w string) {
	if p.x.lex.stop[w] {
		return
	}
	if s := p.choices(w, 1); len(s) > 0 {
		p.add(s)
		return
	}
	if utf8.RuneCountInString(w) < 4 {
		return
	}
	if n := p.nearest(w); n != "" {
		p.add(p.choices(n, fuzzyWorth))
		return
	}
	if a, b := p.apart(w); a != "" {
		p.word(a)
		p.word(b)
	}
}

// add keeps a slot, without the terms that earlier slots ask for.
func (p *parser) add(s slot) {
	s = slices.DeleteFunc(s, func(c choice) bool { return p.taken[c.term] })
	for _, c := range s {
		p.taken[c.term] = true
	}
	if len(s) > 0 && len(p.slots) < querySlots {
		p.slots = append(p.slots, s)
	}
}

// dense adds the slots of a run without spaces: one for each word of the lexicon, one for each pair outside of them.
func (p *parser) dense(run string) {
	type word struct {
		start, end int
		slot       slot
	}
	var words []word
	p.x.lex.in(run, func(start, end int, concepts []int32) {
		w := word{start: start, end: end}
		for _, c := range concepts {
			if p.x.df[c] > 0 {
				w.slot = append(w.slot, choice{c, conceptWorth})
			}
		}
		words = append(words, w)
	})
	var single []slot
	pairs(run, func(start, end int) {
		t, ok := p.x.terms[run[start:end]]
		if !ok {
			return
		}
		for i := range words {
			if words[i].start <= start && end <= words[i].end {
				words[i].slot = append(words[i].slot, choice{t, 1})
				return
			}
		}
		single = append(single, slot{{t, crossWorth}})
	})
	for _, w := range words {
		p.add(w.slot)
	}
	for _, s := range single {
		p.add(s)
	}
}

// apart cuts a word that nobody used into two that somebody did, the longest first one.
func (p *parser) apart(w string) (a, b string) {
	for i := len(w) - 3; i >= 3; i-- {
		if utf8.RuneStart(w[i]) && len(p.choices(w[:i], 1)) > 0 && (len(p.choices(w[i:], 1)) > 0) {
			return w[:i], w[i:]
		}
	}
	for i := len(w) - 3; i >= 6; i-- {
		if utf8.RuneStart(w[i]) && len(p.choices(w[i:], 1)) > 0 {
			if a, _ := p.apart(w[:i]); a != "" {
				return w[:i], w[i:]
			}
		}
	}
	return "", ""
}

// nearest finds the word that a mistyped one most likely is.
func (p *parser) nearest(w string) string {
	allowed := 1
	if len(w) >= 8 {
		allowed = 2
	}
	return nearest.Name(w, p.x.resembling(w, allowed))
}

// resembling returns the terms that could be made of a word by so many changes, the commonest first.
func (x *Index) resembling(w string, changes int) []string {
	mask := letters(w)
	var near []string
	for t := range x.terms {
		if d := len(t) - len(w); d < -changes || d > changes || bits.OnesCount32(mask^letters(t)) > 2*changes {
			continue
		}
		near = append(near, t)
	}
	slices.SortFunc(near, func(a, b string) int {
		return cmp.Or(cmp.Compare(x.df[x.terms[b]], x.df[x.terms[a]]), strings.Compare(a, b))
	})
	return near
}

// letters is the set of a word's letters, folded to 32.
func letters(w string) uint32 {
	var m uint32
	for i := range len(w) {
		m |= 1 << (w[i] & 31)
	}
	return m
}
