package result

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns text without anything that a terminal obeys or that a reader cannot see. Terminal sequences disappear, the
// text that a hyperlink is on stays; other control characters are shown as pictures, marks that turn the direction of text
// by their number, runs of invisible characters by their count. Bytes that are not UTF-8 become U+FFFD, all line ends \n.
// Text of any script, emoji, tabs and line breaks stay as they are, and so does clean text.
func Clean(text string) string {
	if plain(text) {
		return text
	}
	c := cleaner{in: text}
	c.out.Grow(len(text))
	for c.i < len(c.in) {
		c.next()
	}
	c.flush()
	return c.out.String()
}

// plain reports whether text is printable ASCII with tabs and line breaks.
func plain(text string) bool {
	for i := range len(text) {
		if b := text[i]; (b < ' ' && b != '\n' && b != '\t') || b >= 0x7f {
			return false
		}
	}
	return true
}

// cleaner rewrites a text from left to right.
type cleaner struct {
	in     string
	i      int
	out    strings.Builder
	last   rune // the last rune written, 0 at the beginning
	before rune // the one before it that is not a joiner or selector
	hidden int  // invisible runes left out since then
}

// next rewrites what begins at c.i.
func (c *cleaner) next() {
	r, n := utf8.DecodeRuneInString(c.in[c.i:])
	switch {
	case r == '\r':
		if c.i += n; c.i >= len(c.in) || c.in[c.i] != '\n' && c.in[c.i] != '\r' {
			c.write('\n')
		}
	case r == '\u0085':
		c.i += n
		c.write('\n')
	case r == 0x1b || 0x80 <= r && r <= 0x9f:
		if end := sequenceEnd(c.in[c.i:]); end > 0 {
			c.i += end
			return
		}
		c.i += n
		c.visible(r)
	case r < ' ' && r != '\n' && r != '\t' || r == 0x7f:
		c.i += n
		c.visible(r)
	case turnsDirection(r):
		c.i += n
		c.text(fmt.Sprintf("<U+%04X>", r))
	case unseen(r):
		c.i += c.invisible(r, n)
	default:
		c.i += n
		c.write(r)
	}
}

func (c *cleaner) write(r rune) {
	c.flush()
	c.out.WriteRune(r)
	c.last, c.before = r, r
}

func (c *cleaner) text(s string) {
	c.flush()
	c.out.WriteString(s)
	c.last, c.before = '>', '>'
}

// visible writes a control character as a picture, those beyond ASCII as their number.
func (c *cleaner) visible(r rune) {
	switch {
	case r < ' ':
		c.write(0x2400 + r)
	case r == 0x7f:
		c.write(0x2421)
	default:
		c.text(fmt.Sprintf("<U+%04X>", r))
	}
}

// flush tells of invisible runes. A few are formatting that got lost without harm; many could carry a message.
func (c *cleaner) flush() {
	const harmless = 2
	n := c.hidden
	c.hidden = 0
	if n > harmless {
		fmt.Fprintf(&c.out, "<%d hidden characters>", n)
		c.last, c.before = '>', '>'
	}
}

// invisible decides about a rune that cannot be seen, of n bytes. It stays where writing needs it.
func (c *cleaner) invisible(r rune, n int) int {
	rest := c.in[c.i+n:]
	following, _ := utf8.DecodeRuneInString(rest)
	if r == flagStart {
		if size := flagTags(rest); size > 0 {
			c.flush()
			c.out.WriteString(c.in[c.i : c.i+n+size])
			c.last, c.before = flagStart, flagStart
			return n + size
		}
		c.write(r)
		return n
	}
	if c.hidden > 0 || c.last == 0 || !c.needed(r, following) {
		c.hidden++
		return n
	}
	c.out.WriteRune(r)
	c.last = r
	return n
}

// needed reports whether an invisible rune between c.last and the following rune is part of how something is written.
func (c *cleaner) needed(r, following rune) bool {
	switch {
	case r == zwj || r == zwnj:
		return joins(c.last) && !unseen(following)
	case r == zwsp:
		return withoutSpaces(c.last) && withoutSpaces(following)
	case c.last != c.before: // After another joiner or selector.
		return false
	case r == 0xfe0e || r == 0xfe0f:
		return !unicode.IsSpace(c.last) && (!unicode.IsLetter(c.last) || c.last == '\u2139' || unicode.Is(unicode.Han, c.last))
	case 0xfe00 <= r && r <= 0xfe0d:
		return unicode.IsSymbol(c.last) || unicode.In(c.last, unicode.Han, unicode.Myanmar, unicode.Phags_Pa)
	case 0xe0100 <= r && r <= 0xe01ef:
		return unicode.Is(unicode.Han, c.last)
	case 0x180b <= r && r <= 0x180f:
		return unicode.Is(unicode.Mongolian, c.last)
	case r == graphemeJoiner:
		return unicode.IsLetter(c.last) || unicode.IsMark(c.last)
	case r == 0x115f || r == 0x1160:
		return unicode.Is(unicode.Hangul, c.last) || unicode.Is(unicode.Hangul, following) && !unseen(following)
	}
	return false
}
