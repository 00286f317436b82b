package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds on what is read of a query.
const (
	queryBytes   = 4 << 10
	querySlots   = 64
	queryRepairs = 16 // unknown words that are compared with the known ones
	shortest     = 3  // bytes of a word within a word
)

// A slot is one thing that the query asks for, with the terms that would satisfy it.
type slot []choice

type choice struct {
	term  int32
	worth float32
}

// A parser turns a query into slots.
type parser struct {
	x       *Index
	slots   []slot
	taken   map[int32]bool // terms and concepts that have a slot
	repairs int
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
		w, worth := plain(run), float32(1)
		if literal(query, start) {
			worth = literalWorth
		}
		if ps := parts(run); len(ps) > 1 && !p.known(w) {
			for _, part := range ps {
				p.word(plain(part), worth)
			}
		} else {
			p.word(w, worth)
		}
		if before != "" && !p.x.lex.stop[w] && p.known(before+w) { // data base
			p.add(p.choices(before+w, worth))
		}
		if before = w; p.x.lex.stop[w] {
			before = ""
		}
	}
	return p.slots
}

// literal tells whether the word at start belongs to a path or an address: a value for a tool rather than a word about it.
func literal(query string, start int) bool {
	from := strings.LastIndexAny(query[:start], " \n\t\"'`(") + 1
	token := query[from:start]
	return strings.HasPrefix(token, "/") || strings.HasPrefix(token, "~/") || strings.HasPrefix(token, "./") || strings.Contains(token, "://")
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
	if t, ok := p.x.terms[st]; ok && p.x.df[t] > 0 {
		s = append(s, choice{t, worth})
	}
	for _, c := range p.x.lex.of(w, st) {
		if p.x.df[c] > 0 {
			s = append(s, choice{c, worth * conceptWorth})
		}
	}
	return s
}

// word adds the slot of a plain word. One that no document has is read as the nearest that some document has, or taken apart.
func (p *parser) word(w string, worth float32) {
	if p.x.lex.stop[w] {
		return
	}
	if s := p.choices(w, worth); len(s) > 0 {
		p.add(s)
		return
	}
	if utf8.RuneCountInString(w) < 4 || p.repairs == queryRepairs {
		return
	}
	p.repairs++
	if t := p.x.resembling(stem(w)); t != "" {
		s := slot{{p.x.terms[t], worth * fuzzyWorth}}
		for _, c := range p.x.lex.of(t, t) {
			s = append(s, choice{c, worth * fuzzyWorth * conceptWorth})
		}
		p.add(s)
		return
	}
	for _, part := range p.apart(w) {
		p.add(p.choices(part, worth*fuzzyWorth))
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

// apart cuts a word that nobody used into two or three that somebody did, the first as long as possible; nil if it cannot.
func (p *parser) apart(w string) []string {
	for i := len(w) - shortest; i >= shortest; i-- {
		if !utf8.RuneStart(w[i]) || len(p.choices(w[:i], 1)) == 0 {
			continue
		}
		if len(p.choices(w[i:], 1)) > 0 {
			return []string{w[:i], w[i:]}
		}
		for j := len(w) - shortest; j >= i+shortest; j-- {
			if utf8.RuneStart(w[j]) && len(p.choices(w[i:j], 1)) > 0 && len(p.choices(w[j:], 1)) > 0 {
				return []string{w[:i], w[i:j], w[j:]}
			}
		}
	}
	return nil
}
