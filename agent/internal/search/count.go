package search

import (
	"strings"
	"unicode/utf8"
)

// Bounds on what is read of one document, in bytes unless said.
const (
	nameBytes        = 128
	sentenceBytes    = 240     // of the description, up to the first sentence's end
	descriptionBytes = 2 << 10 // the rest of it, the sentence included
	parameterNames   = 64      // how many
	parameterBytes   = 2 << 10 // texts of parameters
)

// A reading is what a run of letters counts as: the terms, and how many words it is.
type reading struct {
	terms []int32
	words float32
}

// A tally is what a term of one document has so far.
type tally struct {
	weight float32
	times  int32 // in the field being read
}

// A counter adds up the terms of one document after the other.
type counter struct {
	x      *Index
	fields [fields]field
	read   map[string]reading // runs of letters as they were written
	pool   []int32            // the terms of all readings
	tally  []tally            // by term
	seen   []int32            // terms with a weight in the tally
	field  []int32            // terms of the field being read
	words  float32            // words of the field being read
}

func newCounter(x *Index) *counter {
	return &counter{x: x, fields: fieldWeights(), read: make(map[string]reading, 16<<10), pool: make([]int32, 0, 32<<10)}
}

func (c *counter) document(d *Document) {
	c.text(cutText(d.Server, nameBytes))
	c.close(inServer)
	c.text(cutText(d.Name, nameBytes))
	c.close(inName)
	c.text(cutText(d.Title, nameBytes))
	c.close(inTitle)
	sentence, rest := split(d.Description)
	c.text(sentence)
	c.close(inSentence)
	c.text(rest)
	c.close(inRest)
	c.parameters(string(d.InputSchema[:min(len(d.InputSchema), schemaBytes)]))

	for _, t := range c.seen {
		c.x.posts = append(c.x.posts, posting{t, c.tally[t].weight})
		c.x.df[t]++
		c.tally[t] = tally{}
	}
	c.seen = c.seen[:0]
}

// parameters counts the words of a schema.
func (c *counter) parameters(schema string) {
	names, bytes := 0, 0
	var texts []string
	readSchema(schema, func(name string) {
		if names++; names <= parameterNames {
			c.text(cutText(name, nameBytes))
		}
	}, func(text string) {
		if text = cutText(text, parameterBytes-bytes); text != "" {
			bytes += len(text)
			texts = append(texts, text)
		}
	})
	c.close(inParameters)
	for _, t := range texts {
		c.text(t)
	}
	c.close(inParameterTexts)
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
		r := c.reading(run)
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
func (c *counter) close(in int) {
	f := c.fields[in]
	w := f.weight / (1 - f.slope + f.slope*max(c.words/f.usual, 0.5))
	if n := len(c.x.df) - len(c.tally); n > 0 {
		c.tally = append(c.tally, make([]tally, n)...)
	}
	for _, t := range c.field {
		n := &c.tally[t]
		if n.weight == 0 {
			c.seen = append(c.seen, t)
		}
		if n.times++; n.times <= repeats {
			n.weight += w
		}
	}
	for _, t := range c.field {
		c.tally[t].times = 0
	}
	c.field, c.words = c.field[:0], 0
}

// reading returns what a run of letters counts as. Most runs have been seen before.
func (c *counter) reading(run string) reading {
	r, ok := c.read[run]
	if !ok {
		r = c.readAnew(run)
		c.read[strings.Clone(run)] = r
	}
	return r
}

// readAnew finds the parts that a run is made of, neighbours joined (GitHub is also github), all joined, and the concepts of
// each.
func (c *counter) readAnew(run string) reading {
	var r reading
	if len(run) > maxWord {
		return r
	}
	start := len(c.pool)
	if p := plain(run); isOne(run) {
		if !c.x.lex.stop[p] {
			r.words = 1
			c.word(p)
		}
	} else {
		ps := parts(run)
		for i := range ps {
			ps[i] = plain(ps[i])
			if !c.x.lex.stop[ps[i]] {
				r.words++
				c.word(ps[i])
			}
			if i > 0 && len(ps) > 2 {
				c.word(ps[i-1] + ps[i])
			}
		}
		if len(ps) > 1 {
			c.word(strings.Join(ps, ""))
		}
	}
	r.terms = c.pool[start:len(c.pool):len(c.pool)]
	return r
}

// isOne tells whether a run surely has one part: lower-case letters, the first perhaps not.
func isOne(run string) bool {
	for i := range len(run) {
		if c := run[i]; (c < 'a' || c > 'z') && (i > 0 || c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// nameWords reads the words of a tool's name one by one.
func (c *counter) nameWords(name string) []reading {
	var words []reading
	for _, p := range partsOf(name) {
		if r := c.reading(p); len(r.terms) > 0 {
			words = append(words, r)
		}
	}
	return words
}

// word puts the term of a plain word and its concepts into the pool.
func (c *counter) word(p string) {
	s := stem(p)
	c.pool = append(append(c.pool, c.x.term(s)), c.x.lex.of(p, s)...)
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
