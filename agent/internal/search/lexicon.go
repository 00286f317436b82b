package search

import (
	_ "embed"
	"strings"
	"unicode/utf8"
)

//go:embed lexicon.txt
var lexiconText string

//go:embed stopwords.txt
var stopText string

// A lexicon knows which words mean the same thing for tools, in English and across languages. The words of one line of
// lexicon.txt are a concept; a word may belong to several.
type lexicon struct {
	concepts int
	words    map[string][]int32 // plain and stemmed words
	prefixes map[string][]ending
	dense    map[string][]int32 // Chinese, Japanese, Korean
	longest  int                // runes of the longest in dense
	stop     map[string]bool
}

// An ending is an entry that stands for every word that begins with it.
type ending struct {
	prefix  string
	concept int32
}

// prefixKey is how many bytes find a prefix entry; shorter ones cannot be written.
const prefixKey = 3

func newLexicon() *lexicon {
	l := &lexicon{
		words: make(map[string][]int32, 4096), prefixes: make(map[string][]ending, 1024),
		dense: make(map[string][]int32, 2048), stop: make(map[string]bool, 512),
	}
	for line := range strings.Lines(lexiconText) {
		if line[0] == '#' || line[0] == '\n' {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			l.add(word, int32(l.concepts))
		}
		l.concepts++
	}
	for line := range strings.Lines(stopText) {
		if line[0] == '#' {
			continue
		}
		for word := range strings.FieldsSeq(line) {
			l.stop[plain(word)] = true
		}
	}
	return l
}

func (l *lexicon) add(word string, concept int32) {
	if r, _ := utf8.DecodeRuneInString(word); isDense(r) {
		l.dense[word] = append(l.dense[word], concept)
		l.longest = max(l.longest, utf8.RuneCountInString(word))
		return
	}
	word = plain(word)
	if prefix, ok := strings.CutSuffix(word, "*"); ok {
		l.prefixes[prefix[:prefixKey]] = append(l.prefixes[prefix[:prefixKey]], ending{prefix, concept})
		return
	}
	s := stem(word)
	l.words[s] = append(l.words[s], concept)
}

// of returns the concepts of a word that is plain, with its stem.
func (l *lexicon) of(word, stem string) []int32 {
	if c := l.words[stem]; c != nil {
		return c
	}
	if len(word) < prefixKey {
		return nil
	}
	longest := 0
	var found []int32
	for _, e := range l.prefixes[word[:prefixKey]] {
		if len(e.prefix) < longest || !strings.HasPrefix(word, e.prefix) {
			continue
		}
		if len(e.prefix) > longest {
			longest, found = len(e.prefix), nil
		}
		found = append(found, e.concept)
	}
	return found
}

// in finds the lexicon's words in a run without spaces, the longest first at each place, and hands on their bounds.
func (l *lexicon) in(run string, found func(start, end int, concepts []int32)) {
	for i := 0; i < len(run); {
		end, concepts := 0, []int32(nil)
		for j, runes := i, 0; j < len(run) && runes < l.longest; runes++ {
			_, n := utf8.DecodeRuneInString(run[j:])
			j += n
			if c := l.dense[run[i:j]]; c != nil {
				end, concepts = j, c
			}
		}
		if end == 0 {
			_, n := utf8.DecodeRuneInString(run[i:])
			i += n
			continue
		}
		found(i, end, concepts)
		i = end
	}
}
