package config

import (
	"bytes"
	"sort"

	"github.com/elyra-go/elyra/agent/internal/jsonc"
)

// serversOf takes out of a file what can define servers. Claude Code keeps megabytes of history in such a file, which are
// stepped over here in one pass, without being understood. It reports false for what is not as that program writes it, such
// as a file with comments or one that ends too early.
func serversOf(data []byte) (jsonc.Excerpt, bool) {
	c := cutter{in: data, pieces: []piece{{}}}
	c.space()
	if c.peek() != '{' || !c.object(0) {
		return jsonc.Excerpt{}, false
	}
	if c.space(); c.at != len(data) {
		return jsonc.Excerpt{}, false
	}
	return jsonc.Excerpt{Text: append(c.out, data[c.from:]...), At: c.offset}, true
}

// cutter steps through JSON and copies it with some values replaced by 0.
type cutter struct {
	in     []byte
	at     int
	from   int // what was not copied yet begins here
	out    []byte
	pieces []piece
}

// piece says that what stands from out on in the copy stands from in on in the file.
type piece struct{ out, in int }

// offset is where something of the copy stands in the file.
func (c *cutter) offset(at int) int {
	i := sort.Search(len(c.pieces), func(i int) bool { return c.pieces[i].out > at }) - 1
	return c.pieces[i].in + at - c.pieces[i].out
}

// object goes through the members of the object that comes next. Level 0 is the file, 1 its projects, 2 a project.
func (c *cutter) object(level int) bool {
	c.at++
	c.space()
	if c.peek() == '}' {
		c.at++
		return true
	}
	for {
		name, ok := c.text()
		if !ok || bytes.IndexByte(name, '\\') >= 0 {
			return false
		}
		c.space()
		if c.peek() != ':' {
			return false
		}
		c.at++
		c.space()
		begin := c.at
		switch {
		case c.peek() == '{' && (level == 1 || level == 0 && string(name) == claudeProjects):
			ok = c.object(level + 1)
		case level == 1, string(name) == claudeMember, level == 0 && (string(name) == vscodeMember || string(name) == claudeProjects):
			ok = c.value()
		default:
			if ok = c.value(); ok {
				c.out = append(append(c.out, c.in[c.from:begin]...), '0')
				c.from = c.at
				c.pieces = append(c.pieces, piece{len(c.out), c.at})
			}
		}
		if !ok {
			return false
		}
		c.space()
		switch c.peek() {
		case '}':
			c.at++
			return true
		case ',':
			c.at++
			c.space()
		default:
			return false
		}
	}
}

// value steps over the value that comes next.
func (c *cutter) value() bool {
	switch c.peek() {
	case '"':
		_, ok := c.text()
		return ok
	case '{', '[':
		return c.nested()
	}
	begin := c.at
	for c.at < len(c.in) && bytes.IndexByte([]byte("+-.0123456789eEtrufalsn"), c.in[c.at]) >= 0 {
		c.at++
	}
	return c.at > begin
}

// nested steps over an object or an array.
func (c *cutter) nested() bool {
	for depth := 0; c.at < len(c.in); c.at++ {
		switch c.in[c.at] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				c.at++
				return true
			}
		case '"':
			if _, ok := c.text(); !ok {
				return false
			}
			c.at--
		case '/': // a comment
			return false
		}
	}
	return false
}

// text steps over a string and returns what stands between its quotes.
func (c *cutter) text() ([]byte, bool) {
	if c.peek() != '"' {
		return nil, false
	}
	begin := c.at + 1
	for at := begin; ; {
		n := bytes.IndexByte(c.in[at:], '"')
		if n < 0 {
			return nil, false
		}
		at += n
		escapes := 0
		for at-1-escapes >= begin && c.in[at-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			c.at = at + 1
			return c.in[begin:at], true
		}
		at++
	}
}

func (c *cutter) space() {
	for c.at < len(c.in) && bytes.IndexByte([]byte(" \t\r\n"), c.in[c.at]) >= 0 {
		c.at++
	}
}

// peek returns the next byte, 0 at the end.
func (c *cutter) peek() byte {
	if c.at < len(c.in) {
		return c.in[c.at]
	}
	return 0
}
