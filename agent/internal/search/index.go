package search

import (
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A Document is one tool as its server described it.
type Document struct {
	Server, Name, Title, Description string
	InputSchema                      jsontext.Value // may be empty; need not be valid
}

// Bounds on what is read of one document, in bytes unless said.
const (
	nameBytes        = 128
	sentenceBytes    = 240     // of the description, up to the first sentence's end
	descriptionBytes = 2 << 10 // the rest of it, the sentence included
	parameterNames   = 64      // how many
	parameterBytes   = 4 << 10 // texts of parameters
)

// A field is one of the places where a document's words stand.
type field struct {
	weight float32 // of a word in a field of the usual length
	usual  float32 // words
	slope  float32 // 0: length does not matter, 1: a field twice as long makes each of its words worth half
}

// posting is one term of a document and the weighted count of it.
type posting struct {
	term   int32
	weight float32
}

// Index holds documents ready to be ranked. It does not change and may be used by several goroutines at once.
type Index struct {
	docs  []Document
	lex   *lexicon
	words map[string]reading // runs of letters as they were written
	terms map[string]int32   // stems and pairs; concepts come before all of them
	df    []int32            // documents of each term
	posts []posting          // of all documents, one after the other
	first []int              // where a document's postings begin; one more than documents
}

// A reading is what a run of letters counts as: the terms, and how many words it is.
type reading struct {
	terms []int32
	words float32
}

// New reads the documents. It keeps the slice.
func New(docs []Document) *Index {
	lex := newLexicon()
	x := &Index{
		docs: docs, lex: lex,
		words: make(map[string]reading, 8192), terms: make(map[string]int32, 8192),
		df: make([]int32, lex.concepts, 8192), first: make([]int, 1, len(docs)+1),
		posts: make([]posting, 0, 64*len(docs)),
	}
	c := counter{x: x, total: make([]float32, lex.concepts, 8192)}
	for i := range docs {
		c.document(&docs[i])
		x.first = append(x.first, len(x.posts))
	}
	return x
}

// A counter adds up the terms of one document after the other.
type counter struct {
	x     *Index
	total []float32 // by term
	seen  []int32   // terms with a total
	field []int32   // terms of the field being read
	words float32   // words of the field being read
	names int
	bytes int
}

func (c *counter) document(d *Document) {
	c.text(cutText(d.Server, nameBytes))
	c.close(fieldServer)
	c.text(cutText(d.Name, nameBytes))
	c.close(fieldName)
	c.text(cutText(d.Title, nameBytes))
	c.close(fieldTitle)
	sentence, rest := split(d.Description)
	c.text(sentence)
	c.close(fieldSentence)
	c.text(rest)
	c.close(fieldRest)
	c.names, c.bytes = 0, 0
	var texts []string
	readSchema(string(d.InputSchema[:min(len(d.InputSchema), schemaBytes)]), func(name string) {
		if c.names++; c.names <= parameterNames {
			c.text(cutText(name, nameBytes))
		}
	}, func(text string) {
		text = cutText(text, parameterBytes-c.bytes)
		c.bytes += len(text)
		texts = append(texts, text)
	})
	c.close(fieldParameter)
	for _, t := range texts {
		c.text(t)
	}
	c.close(fieldParameterText)

	for _, t := range c.seen {
		c.x.posts = append(c.x.posts, posting{t, c.total[t]})
		c.x.df[t]++
		c.total[t] = 0
	}
	c.seen = c.seen[:0]
}

// text counts the words of a text for the field being read.
func (c *counter) text(s string) {
	for i := 0; ; {
		start, end, dense := nextRun(s, i)
		if start == len(s) {
			return
		}
		i = end
		run := s[start:end]
		if dense {
			c.dense(run)
			continue
		}
		r, ok := c.x.words[run]
		if !ok {
			r = c.x.read(run)
			c.x.words[strings.Clone(run)] = r
		}
		c.field = append(c.field, r.terms...)
		c.words += r.words
	}
}

// dense counts the concepts of a run without spaces and its pairs of characters.
func (c *counter) dense(run string) {
	c.x.lex.in(run, func(_, _ int, concepts []int32) { c.field = append(c.field, concepts...) })
	pairs(run, func(start, end int) {
		c.field = append(c.field, c.x.term(run[start:end]))
		c.words += 0.5
	})
}

// close ends a field: each of its terms gets the field's weight, less in a long field.
func (c *counter) close(f field) {
	w := f.weight / (1 - f.slope + f.slope*max(c.words/f.usual, 0.5))
	for len(c.total) < len(c.x.df) {
		c.total = append(c.total, 0)
	}
	for _, t := range c.field {
		if c.total[t] == 0 {
			c.seen = append(c.seen, t)
		}
		c.total[t] += w
	}
	c.field, c.words = c.field[:0], 0
}

// read finds what a run of letters counts as: the parts it is made of, neighbours joined (GitHub is also github), all
// joined, and the concepts of each.
func (x *Index) read(run string) reading {
	var r reading
	if len(run) > maxWord {
		return r
	}
	ps := parts(run)
	for i, p := range ps {
		p = plain(p)
		ps[i] = p
		if x.lex.stop[p] {
			continue
		}
		r.words++
		r.terms = x.word(r.terms, p)
	}
	if len(ps) > 1 {
		for i := 1; i < len(ps) && len(ps) > 2; i++ {
			r.terms = x.word(r.terms, ps[i-1]+ps[i])
		}
		r.terms = x.word(r.terms, strings.Join(ps, ""))
	}
	return r
}

// word appends the term of a plain word and its concepts.
func (x *Index) word(terms []int32, p string) []int32 {
	s := stem(p)
	return append(append(terms, x.term(s)), x.lex.of(p, s)...)
}

// term returns the number of a term, which is new if it has to be.
func (x *Index) term(s string) int32 {
	t, ok := x.terms[s]
	if !ok {
		t = int32(len(x.df))
		x.terms[strings.Clone(s)] = t
		x.df = append(x.df, 0)
	}
	return t
}

// pairs hands on the bounds of each two neighbouring characters of a run, or of the only one.
func pairs(run string, found func(start, end int)) {
	_, n := utf8.DecodeRuneInString(run)
	if n == len(run) {
		found(0, n)
	}
	for start, mid := 0, n; mid < len(run); {
		_, n := utf8.DecodeRuneInString(run[mid:])
		found(start, mid+n)
		start, mid = mid, mid+n
	}
}

// split cuts a description into its first sentence and the rest of what is read of it.
func split(description string) (sentence, rest string) {
	d := cutText(strings.TrimSpace(cutText(description, 2*descriptionBytes)), descriptionBytes)
	head := cutText(d, sentenceBytes)
	for i, r := range head {
		switch r {
		case '\n', '。', '！', '？':
		case '.', '!', '?':
			if i+1 < len(d) && d[i+1] != ' ' && d[i+1] != '\n' {
				continue // e.g. a file's name
			}
		default:
			continue
		}
		if i > 12 {
			return d[:i], d[i:]
		}
	}
	return head, d[len(head):]
}

// cutText returns at most n bytes of s, without half a character at the end.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:max(n, 0)]
}
