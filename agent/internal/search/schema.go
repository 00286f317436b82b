package search

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Bounds on what is read of one input schema.
const (
	schemaBytes = 64 << 10
	schemaDepth = 32
)

// A schemaReader walks a JSON Schema without building it and hands on what is there to search: the names of properties,
// and the texts: descriptions, titles, and the values of enumerations. It stops at whatever is not JSON; what was found
// before counts.
type schemaReader struct {
	src  string
	pos  int
	name func(string)
	text func(string)
}

// readSchema walks at most schemaBytes of src.
func readSchema(src string, name, text func(string)) {
	r := schemaReader{src: src[:min(len(src), schemaBytes)], name: name, text: text}
	r.value("", 0)
}

// value reads one value that stands under key and reports whether there may be more after it.
func (r *schemaReader) value(key string, depth int) bool {
	r.space()
	if r.pos >= len(r.src) || depth > schemaDepth {
		return false
	}
	switch c := r.src[r.pos]; c {
	case '{':
		return r.object(key, depth)
	case '[':
		return r.array(key, depth)
	case '"':
		s, ok := r.quoted()
		if ok && (key == "description" || key == "title" || key == "enum" || key == "const") {
			r.text(unquote(s))
		}
		return ok
	default:
		start := r.pos
		for r.pos < len(r.src) && strings.IndexByte(",]} \n\r\t\":[{", r.src[r.pos]) < 0 {
			r.pos++
		}
		return r.pos > start
	}
}

func (r *schemaReader) object(key string, depth int) bool {
	names := key == "properties" || key == "patternProperties"
	r.pos++
	for {
		r.space()
		if r.take('}') {
			return true
		}
		s, ok := r.quoted()
		if !ok {
			return false
		}
		r.space()
		if !r.take(':') {
			return false
		}
		if k := s[1 : len(s)-1]; names {
			r.name(unquote(s))
			ok = r.value("", depth+1)
		} else {
			ok = r.value(k, depth+1)
		}
		if !ok {
			return false
		}
		r.space()
		r.take(',')
	}
}

func (r *schemaReader) array(key string, depth int) bool {
	r.pos++
	for {
		r.space()
		if r.take(']') {
			return true
		}
		if !r.value(key, depth+1) {
			return false
		}
		r.space()
		r.take(',')
	}
}

// quoted reads a string with its quotation marks.
func (r *schemaReader) quoted() (string, bool) {
	if r.pos >= len(r.src) || r.src[r.pos] != '"' {
		return "", false
	}
	start := r.pos
	for i := start + 1; ; {
		n := strings.IndexByte(r.src[i:], '"')
		if n < 0 {
			return "", false
		}
		i += n + 1
		slashes := 0
		for r.src[i-2-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			r.pos = i
			return r.src[start:i], true
		}
	}
}

func (r *schemaReader) space() {
	for r.pos < len(r.src) && (r.src[r.pos] == ' ' || r.src[r.pos] == '\n' || r.src[r.pos] == '\r' || r.src[r.pos] == '\t') {
		r.pos++
	}
}

func (r *schemaReader) take(c byte) bool {
	if r.pos < len(r.src) && r.src[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

// unquote returns what a quoted string says; what is no valid string is taken as it stands.
func unquote(quoted string) string {
	inner := quoted[1 : len(quoted)-1]
	if strings.IndexByte(inner, '\\') < 0 {
		return inner
	}
	b, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil {
		return inner
	}
	return string(b)
}
