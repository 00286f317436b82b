package edits

import (
	"slices"
	"strings"
	"unicode"
)

// minContent is how much a quote with a wrong indentation must say, in characters that are no white space.
const minContent = 4

// reindent rewrites the white space at the beginning of a line; false when it cannot.
type reindent func(indent string) (string, bool)

// indented finds a quote whose lines are all there, but indented with spaces for tabs or the other way, or as a whole
// further in or out. It replaces whole lines.
func (d *document) indented(old, replacement string) (*Span, error) {
	body, final := strings.CutSuffix(old, "\n")
	lines := strings.Split(body, "\n")
	content := 0
	for _, r := range body {
		if !unicode.IsSpace(r) {
			content++
		}
	}
	if content < minContent || len(lines) > len(d.starts) {
		return nil, nil
	}
	places := d.windows(lines, true)
	switch {
	case len(places) == 0:
		return nil, nil
	case len(places) > 1:
		return nil, ambiguous(places)
	case len(d.windows(lines, false)) == 0:
		return nil, nil
	}
	line := places[0] - 1
	pairs := d.indents(line, lines)
	how, ways := "tabs and spaces in the indentation", fitting(units(), pairs)
	if len(ways) == 1 {
		d.unit = ways[0]
	}
	if ways == nil {
		how, ways = "the depth of the indentation", fitting(shifts(pairs), pairs)
	}
	if ways == nil {
		return nil, nil
	}
	end := d.next(line + len(lines) - 1)
	have := d.text[d.starts[line]:end]
	if !final || !strings.HasSuffix(have, "\n") {
		have = strings.TrimSuffix(strings.TrimSuffix(have, "\n"), "\r")
		replacement = trimIf(replacement, final)
		old = body
	}
	return d.reindented(d.starts[line], have, old, replacement, how, ways)
}

// trimIf takes the final line break off.
func trimIf(text string, yes bool) string {
	if yes {
		return strings.TrimSuffix(text, "\n")
	}
	return text
}

// reindented makes the span. Where the ways come to different texts, the one is right that indents as the document does.
func (d *document) reindented(start int, have, old, replacement, how string, ways []reindent) (*Span, error) {
	var texts []string
	for _, way := range ways {
		text, err := rebuild(have, old, replacement, d.endingAt(start), func(line string) (string, bool) {
			indent, rest := cutIndent(line)
			if rest == "" {
				return "", true
			}
			indent, ok := way(indent)
			return indent + rest, ok
		})
		if err == nil && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	if len(texts) > 1 {
		texts = slices.DeleteFunc(texts, func(text string) bool { return !d.indentsLike(text) })
	}
	if len(texts) != 1 {
		return nil, errIndentation
	}
	return &Span{Start: start, End: start + len(have), New: texts[0], How: how}, nil
}

// indentsLike reports whether text is indented with tabs only or spaces only, as all of the document is.
func (d *document) indentsLike(text string) bool {
	tabs, spaces := indentation(d.text)
	newTabs, newSpaces := indentation(text)
	return tabs != spaces && (!newTabs || tabs) && (!newSpaces || spaces)
}

// indentation reports what the lines of text are indented with.
func indentation(text string) (tabs, spaces bool) {
	for line := range strings.SplitSeq(text, "\n") {
		indent, _ := cutIndent(line)
		tabs = tabs || strings.Contains(indent, "\t")
		spaces = spaces || strings.Contains(indent, " ")
	}
	return tabs, spaces
}

// windows returns the numbers of the lines, from 1, from which on lines stand, whatever white space is around them. With
// fold, typographic characters are those of a keyboard.
func (d *document) windows(lines []string, fold bool) []int {
	wanted, have := make([]string, len(lines)), d.bareLines(fold)
	for i, line := range lines {
		wanted[i] = bareLine(line, fold)
	}
	var found []int
	for n := 0; n+len(wanted) <= len(have) && len(found) < maxPlaces; n++ {
		if slices.Equal(have[n:n+len(wanted)], wanted) {
			found = append(found, n+1)
		}
	}
	return found
}

// pair is the indentation of a line in the quote and in the document.
type pair struct{ quoted, there string }

func (d *document) indents(n int, lines []string) []pair {
	var pairs []pair
	for i, line := range lines {
		if quoted, rest := cutIndent(line); rest != "" {
			there, _ := cutIndent(d.line(n + i))
			pairs = append(pairs, pair{quoted, there})
		}
	}
	return pairs
}

func cutIndent(line string) (indent, rest string) {
	rest = strings.TrimLeft(line, " \t")
	return line[:len(line)-len(rest)], rest
}

// fitting returns the ways that are right for all lines.
func fitting(ways []reindent, pairs []pair) []reindent {
	var right []reindent
next:
	for _, way := range ways {
		for _, p := range pairs {
			if indent, ok := way(p.quoted); !ok || indent != p.there {
				continue next
			}
		}
		right = append(right, way)
	}
	return right
}

// units are the ways from spaces to tabs and back.
func units() []reindent {
	var ways []reindent
	for _, n := range []int{2, 3, 4, 8} {
		ways = append(ways,
			func(indent string) (string, bool) {
				spaces := len(indent)
				return strings.Repeat("\t", spaces/n) + strings.Repeat(" ", spaces%n), !strings.Contains(indent, "\t")
			},
			func(indent string) (string, bool) {
				rest := strings.TrimLeft(indent, "\t")
				return strings.Repeat(" ", n*(len(indent)-len(rest))) + rest, !strings.Contains(rest, "\t")
			})
	}
	return ways
}

// shifts are the ways that move all lines in or out together.
func shifts(pairs []pair) []reindent {
	least := pairs[0]
	for _, p := range pairs {
		if len(p.quoted) < len(least.quoted) {
			least = p
		}
	}
	same := func(indent string) (string, bool) { return indent, true }
	var ways []reindent
	for _, unit := range append([]reindent{same}, units()...) {
		ways = append(ways, func(indent string) (string, bool) {
			rest, ok := strings.CutPrefix(indent, least.quoted)
			if !ok {
				return "", false
			}
			rest, ok = unit(rest)
			return least.there + rest, ok
		})
	}
	return ways
}
