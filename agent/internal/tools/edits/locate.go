package edits

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxPlaces is how many places of an ambiguous quote are looked for.
const maxPlaces = 100

// levels are the tolerances in the order in which they are tried: the first that finds anything decides, and finds it once.
func levels() []tolerance {
	return []tolerance{
		{},
		{trim: true, how: "white space at the ends of lines"},
		{fold: true, how: "typographic characters"},
		{trim: true, fold: true, how: "typographic characters and white space at the ends of lines"},
	}
}

// locate finds what an edit quotes.
func (d *document) locate(e Edit) ([]Span, error) {
	old, replacement := unix(e.Old), unix(e.New)
	switch {
	case old == "":
		return nil, errors.New("the old text is empty: quote what is to be replaced; to fill an empty file, use the write tool")
	case old == replacement:
		return nil, errors.New("the old and the new text are the same")
	}
	if e.All {
		return d.everywhere(old, replacement)
	}
	tries := []func(old, replacement string) (*Span, error){d.here, d.atEnd, d.indented, d.numbered}
	switch outdented, below := d.outdented(old, replacement); {
	case outdented && !below:
		return nil, errors.New("the old text is a line without its indentation, and so it is not clear how far in the other new lines belong: " +
			"quote the line with its indentation, and write the new ones with theirs")
	case outdented:
		tries = tries[2:]
	}
	for _, try := range tries {
		if s, err := try(old, replacement); err != nil {
			return nil, err
		} else if s != nil {
			return []Span{*s}, nil
		}
	}
	return nil, d.notFound(old, replacement)
}

// outdented reports a quote of one line without its indentation, which is to become several lines of which some are not
// indented like it. Taken as it is, only the first of them would be. Below says that the quoted line is to stand below a new
// one, so that all are meant to be moved in.
func (d *document) outdented(old, replacement string) (yes, below bool) {
	line := strings.TrimSuffix(old, "\n")
	lines := strings.Split(strings.TrimSuffix(replacement, "\n"), "\n")
	if indent, _ := cutIndent(line); indent != "" || strings.Contains(line, "\n") || len(lines) == 1 {
		return false, false
	}
	places := d.windows([]string{line}, false)
	if len(places) != 1 {
		return false, false
	}
	indent, _ := cutIndent(d.line(places[0] - 1))
	yes = indent != "" && slices.ContainsFunc(lines[1:], func(l string) bool { return strings.TrimSpace(l) != "" && !strings.HasPrefix(l, indent) })
	return yes, yes && slices.Contains(lines[1:], line)
}

// everywhere finds all places that are exactly old and do not overlap.
func (d *document) everywhere(old, replacement string) ([]Span, error) {
	v := d.view(tolerance{})
	var spans []Span
	for at := 0; ; {
		i := strings.Index(v.text[at:], old)
		if i < 0 {
			break
		}
		at += i + len(old)
		s, err := d.replacement(v, at-len(old), at, old, replacement, "")
		if err != nil {
			return nil, err
		}
		spans = append(spans, *s)
	}
	if spans == nil {
		return nil, d.notFound(old, replacement)
	}
	return spans, nil
}

// here finds the only place that is old, with as little tolerance as that takes; nil when there is none.
func (d *document) here(old, replacement string) (*Span, error) {
	return d.only(old, replacement, false)
}

// atEnd finds old at the end of a text that has no final line break, when old ends with one.
func (d *document) atEnd(old, replacement string) (*Span, error) {
	quote, ok := strings.CutSuffix(old, "\n")
	if !ok || strings.HasSuffix(d.text, "\n") || quote == "" {
		return nil, nil
	}
	return d.only(quote, strings.TrimSuffix(replacement, "\n"), true)
}

func (d *document) only(old, replacement string, last bool) (*Span, error) {
	for _, t := range levels() {
		v, quote := d.view(t), viewOf(old, t).text
		if strings.TrimSpace(quote) == "" && t.how != "" {
			break // Too little to be tolerant about.
		}
		found := v.find(quote, maxPlaces)
		// A quote that was cut at its end must not go on in the text.
		cut := t.trim && strings.TrimRight(old, " \t") != old
		kept := found[:0]
		for _, i := range found {
			rest := v.text[i+len(quote):]
			if cut && rest != "" && rest[0] != '\n' || last && rest != "" {
				continue
			}
			kept = append(kept, i)
		}
		switch len(kept) {
		case 0:
			continue
		case 1:
			if others := d.alternatives(quote, t); len(others) > 1 {
				return nil, ambiguous(others)
			}
			return d.replacement(v, kept[0], kept[0]+len(quote), old, replacement, t.how)
		}
		var lines []int
		for _, i := range kept {
			start, _ := v.span(i, i+len(quote))
			lines = append(lines, d.lineAt(start))
		}
		return nil, ambiguous(lines)
	}
	return nil, nil
}

// alternatives returns the lines that a quote which is not exact could mean as well, because they differ in white space.
func (d *document) alternatives(quote string, t tolerance) []int {
	if t.how == "" {
		return nil
	}
	return d.windows(strings.Split(strings.TrimSuffix(quote, "\n"), "\n"), true)
}

// replacement makes the span for the bytes from i to k of a view.
func (d *document) replacement(v view, i, k int, old, replacement, how string) (*Span, error) {
	start, end := v.span(i, k)
	have := d.text[start:end]
	if plain := viewOf(have, tolerance{fold: true}).text; plain == unix(have) && how != "" {
		// The document has a keyboard's characters there, so the typographic ones are the model's slip, in the new text too.
		old, replacement = viewOf(old, tolerance{fold: true}).text, viewOf(replacement, tolerance{fold: true}).text
	}
	text, err := rebuild(have, old, replacement, d.endingAt(start), d.verbatim)
	if err != nil {
		return nil, err
	}
	return &Span{Start: start, End: end, New: text, How: how}, nil
}

// verbatim returns a new line as it is, but for its indentation when other edits show that it is meant otherwise.
func (d *document) verbatim(line string) (string, bool) {
	if indent, rest := cutIndent(line); d.unit != nil && rest != "" {
		if other, ok := d.unit(indent); ok {
			return other + rest, true
		}
	}
	return line, true
}

// numbered finds a quote that was copied together with the numbers in front of its lines.
func (d *document) numbered(old, replacement string) (*Span, error) {
	quote, ok := withoutNumbers(old)
	if !ok || quote == "" {
		return nil, nil
	}
	if bare, ok := withoutNumbers(replacement); ok {
		replacement = bare
	} else if numbersIn(replacement) {
		return nil, errors.New("the texts contain line numbers: quote the lines without the number and the tab in front of them")
	}
	s, err := d.here(quote, replacement)
	if s != nil {
		s.How = strings.TrimSuffix("line numbers in the quote, "+s.How, ", ")
	}
	return s, err
}

// numberedLine is a line as the read tool shows it.
var numberedLine = regexp.MustCompile(`^ *([0-9]{1,9})\t(.*)$`)

// withoutNumbers takes the numbers off, when each line has one and they rise by one.
func withoutNumbers(text string) (string, bool) {
	body, final := strings.CutSuffix(text, "\n")
	lines := strings.Split(body, "\n")
	before := 0
	for i, line := range lines {
		m := numberedLine.FindStringSubmatch(line)
		if m == nil {
			return "", false
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || i > 0 && n != before+1 {
			return "", false
		}
		lines[i], before = m[2], n
	}
	text = strings.Join(lines, "\n")
	if final {
		text += "\n"
	}
	return text, true
}

// numbersIn reports whether any line has a number in front.
func numbersIn(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if numberedLine.MatchString(line) {
			return true
		}
	}
	return false
}
