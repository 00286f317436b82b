package jsonc

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxDepth is how deep values of a file may nest. Servers need five.
const maxDepth = 200

// Document is a parsed file: JSON in which comments, trailing commas and a byte order mark are allowed.
type Document struct {
	Path  string
	Data  []byte       // without the byte order mark
	Value hujson.Value // zero if the file is empty
	Root  *hujson.Object
	lines []int // where lines begin
}

// Problem is something that is wrong at a place of a file.
type Problem struct {
	File         string
	Line, Column int // from 1, in characters; 0 when the file as a whole is meant
	Message      string
}

// String returns the problem as compilers write one: file:line:column: message.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Excerpt is the part of a file that somebody asks for, as a text of its own.
type Excerpt struct {
	Text []byte
	At   func(offset int) int // where in the file an offset into Text is
}

// Parse parses a file. An empty one is an empty object: editors and `touch` make them. Excerpt may be nil; else it takes out of
// a large file what is asked for, or reports that it cannot, and only that is parsed. What is wrong outside of it may stay
// unseen.
func Parse(path string, data []byte, excerpt func([]byte) (Excerpt, bool)) (*Document, *Problem) {
	d := &Document{Path: path, Data: bytes.TrimPrefix(data, []byte("\ufeff")), Root: &hujson.Object{}}
	d.lines = lineStarts(d.Data)
	if excerpt != nil {
		if part, ok := excerpt(d.Data); ok {
			if d.parse(part.Text) == nil {
				move(&d.Value, part.At)
				return d, nil
			}
		}
	}
	if len(bytes.TrimSpace(d.Data)) == 0 {
		return d, nil
	}
	if problem := d.parse(d.Data); problem != nil {
		return nil, problem
	}
	return d, nil
}

// parse sets the value from a text.
func (d *Document) parse(text []byte) *Problem {
	broken := func(at int, format string, args ...any) *Problem {
		p := d.Problem(at, format, args...)
		return &p
	}
	if at := invalidUTF8(text); at >= 0 {
		return broken(at, "the file is not UTF-8: save it as UTF-8")
	}
	if at := tooDeep(text); at >= 0 {
		return broken(at, "the file nests values deeper than %d levels", maxDepth)
	}
	// The parser wants a comment on the last line to end with a line break.
	value, err := hujson.Parse(append(slices.Clip(text), '\n'))
	if err != nil {
		line, column, message := splitParseError(err)
		at := len(d.Data)
		if line > 0 && line <= len(d.lines) {
			at = min(at, d.lines[line-1]+max(column, 1)-1)
		}
		return broken(at, "the file is no JSON: %s", message)
	}
	root, ok := value.Value.(*hujson.Object)
	if !ok {
		return broken(value.StartOffset, "expected an object, found %s", KindOf(value))
	}
	d.Value, d.Root = value, root
	return nil
}

// move changes the offsets of a value.
func move(v *hujson.Value, at func(int) int) {
	v.StartOffset, v.EndOffset = at(v.StartOffset), at(v.EndOffset)
	switch inner := v.Value.(type) {
	case *hujson.Object:
		for i := range inner.Members {
			move(&inner.Members[i].Name, at)
			move(&inner.Members[i].Value, at)
		}
	case *hujson.Array:
		for i := range inner.Elements {
			move(&inner.Elements[i], at)
		}
	}
}

// splitParseError takes the place out of hujson's error text; the package does not export it.
func splitParseError(err error) (line, column int, message string) {
	message = err.Error()
	if n, _ := fmt.Sscanf(message, "hujson: line %d, column %d:", &line, &column); n == 2 {
		_, message, _ = strings.Cut(message, ": ")
		_, message, _ = strings.Cut(message, ": ")
	}
	return line, column, message
}

// tooDeep returns the offset at which values nest too deeply, or -1. The parser recurses, so it must not see them.
func tooDeep(data []byte) int {
	depth := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			if depth++; depth > maxDepth {
				return i
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '/':
			i += commentLength(data[i:])
		}
	}
	return -1
}

// commentLength returns the length of the comment that data begins with, less one, 0 for none.
func commentLength(data []byte) int {
	end := -1
	switch {
	case bytes.HasPrefix(data, []byte("//")):
		end = bytes.IndexByte(data, '\n')
	case bytes.HasPrefix(data, []byte("/*")):
		if end = bytes.Index(data[2:], []byte("*/")); end >= 0 {
			end += 3
		}
	default:
		return 0
	}
	if end < 0 {
		return len(data)
	}
	return end
}

func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

func lineStarts(data []byte) []int {
	starts := []int{0}
	for i := 0; ; {
		n := bytes.IndexByte(data[i:], '\n')
		if n < 0 {
			return starts
		}
		i += n + 1
		starts = append(starts, i)
	}
}

// Position returns line and column of an offset, in characters from 1.
func (d *Document) Position(at int) (line, column int) {
	line = sort.SearchInts(d.lines, at+1)
	return line, 1 + utf8.RuneCount(d.Data[d.lines[line-1]:at])
}

// Problem tells of what is wrong at an offset.
func (d *Document) Problem(at int, format string, args ...any) Problem {
	line, column := d.Position(at)
	return Problem{File: d.Path, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
}

// ObjectOf returns a value as an object, and an empty one for what is none.
func ObjectOf(v hujson.Value) *hujson.Object {
	if object, ok := v.Value.(*hujson.Object); ok {
		return object
	}
	return &hujson.Object{}
}

// Member returns the last member of an object with a name, as JSON's readers do.
func Member(object *hujson.Object, name string) (hujson.Value, bool) {
	for i := len(object.Members) - 1; i >= 0; i-- {
		if NameOf(object.Members[i]) == name {
			return object.Members[i].Value, true
		}
	}
	return hujson.Value{}, false
}

// NameOf returns the name of a member.
func NameOf(m hujson.ObjectMember) string { return Literal(m.Name) }

// Literal returns the text of a string value.
func Literal(v hujson.Value) string {
	l, _ := v.Value.(hujson.Literal)
	if b := []byte(l); len(b) >= 2 && bytes.IndexByte(b, '\\') < 0 {
		return string(b[1 : len(b)-1])
	}
	return l.String()
}

// KindOf names the kind of a value as a person would.
func KindOf(v hujson.Value) string {
	switch v.Value.Kind() {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[':
		return "an array"
	}
	return "an object"
}

// Child appends a member's name to a JSON path: a.b, or a["b c"].
func Child(path, name string) string {
	plain := name != "" && strings.IndexFunc(name, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
	switch {
	case !plain:
		return fmt.Sprintf("%s[%q]", path, name)
	case path == "":
		return name
	}
	return path + "." + name
}
