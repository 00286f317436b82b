package config

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
)

// maxDepth is how deep values of a file may nest. Servers need five.
const maxDepth = 200

// document is a parsed file: JSON in which comments, trailing commas and a byte order mark are allowed.
type document struct {
	path  string
	data  []byte       // without the byte order mark
	value hujson.Value // zero if the file is empty
	root  *hujson.Object
	lines []int // where lines begin
}

// parse parses a file. An empty one is an empty object: editors and `touch` make them. With masked, only what can define
// servers is in the result.
func parse(path string, data []byte, masked bool) (*document, *Problem) {
	d := &document{path: path, data: bytes.TrimPrefix(data, []byte("\ufeff")), root: &hujson.Object{}}
	d.lines = lineStarts(d.data)
	if len(bytes.TrimSpace(d.data)) == 0 {
		return d, nil
	}
	broken := func(at int, format string, args ...any) (*document, *Problem) {
		p := d.problem(at, format, args...)
		p.Dropped = true
		return nil, &p
	}
	if at := invalidUTF8(d.data); at >= 0 {
		return broken(at, "the file is not UTF-8: save it as UTF-8")
	}
	if at := tooDeep(d.data); at >= 0 {
		return broken(at, "the file nests values deeper than %d levels", maxDepth)
	}
	source := d.data
	const worthIt = 64 << 10
	if masked && len(source) > worthIt {
		source = mask(source)
	}
	// The parser wants a comment on the last line to end with a line break.
	value, err := hujson.Parse(append(slices.Clip(source), '\n'))
	if err != nil {
		line, column, message := splitParseError(err)
		at := len(d.data)
		if line > 0 && line <= len(d.lines) {
			at = min(at, d.lines[line-1]+max(column, 1)-1)
		}
		return broken(at, "the file is no JSON: %s", message)
	}
	root, ok := value.Value.(*hujson.Object)
	if !ok {
		return broken(value.StartOffset, "expected an object, found %s", kindOf(value))
	}
	d.value, d.root = value, root
	return d, nil
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

// mask returns strict JSON with the values blanked that cannot define servers, in bytes of the same number, so that
// offsets stay. Claude Code keeps megabytes of history in such a file, which the tolerant parser takes long to read.
// What is no strict JSON is returned as it is.
func mask(data []byte) []byte {
	masked := slices.Clone(data)
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	if err := maskObject(dec, masked, 0); err != nil {
		return data
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return data
	}
	return masked
}

// maskObject blanks the members of the next object. Level 0 is the file, 1 its projects, 2 a project.
func maskObject(dec *jsontext.Decoder, masked []byte, level int) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		switch {
		case level == 1, level == 0 && name == claudeProjects:
			err = maskObject(dec, masked, level+1)
		case name == claudeMember || name == vscodeMember && level == 0:
			err = dec.SkipValue()
		default:
			var value jsontext.Value
			if value, err = dec.ReadValue(); err == nil {
				end := int(dec.InputOffset())
				blank := masked[end-len(value) : end]
				for i := range blank {
					blank[i] = ' '
				}
				blank[0] = '0'
			}
		}
		if err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
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

// position returns line and column of an offset, in characters from 1.
func (d *document) position(at int) (line, column int) {
	line = sort.SearchInts(d.lines, at+1)
	return line, 1 + utf8.RuneCount(d.data[d.lines[line-1]:at])
}

func (d *document) problem(at int, format string, args ...any) Problem {
	line, column := d.position(at)
	return Problem{File: d.path, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
}

// objectOf returns a value as an object, and an empty one for what is none.
func objectOf(v hujson.Value) *hujson.Object {
	if object, ok := v.Value.(*hujson.Object); ok {
		return object
	}
	return &hujson.Object{}
}

// member returns the last member of an object with a name, as JSON's readers do.
func member(object *hujson.Object, name string) (hujson.Value, bool) {
	for i := len(object.Members) - 1; i >= 0; i-- {
		if nameOf(object.Members[i]) == name {
			return object.Members[i].Value, true
		}
	}
	return hujson.Value{}, false
}

func nameOf(m hujson.ObjectMember) string { return literal(m.Name) }

// literal returns the text of a string value.
func literal(v hujson.Value) string {
	l, _ := v.Value.(hujson.Literal)
	if b := []byte(l); len(b) >= 2 && bytes.IndexByte(b, '\\') < 0 {
		return string(b[1 : len(b)-1])
	}
	return l.String()
}

// kindOf names the kind of a value as a person would.
func kindOf(v hujson.Value) string {
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

// child appends a member's name to a JSON path: a.b, or a["b c"].
func child(path, name string) string {
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
