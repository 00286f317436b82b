package result

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/wire"
)

// compactJSON is up to which size structured content stays on one line.
const compactJSON = 4 << 10

// structured returns structured content as text, "" when the texts of the result say the same already.
func structured(v jsontext.Value, texts []string) string {
	if len(v) == 0 || v.Kind() == 'n' {
		return ""
	}
	if !wire.Valid(v) {
		return Clean(string(v))
	}
	if said(v, texts, 0) {
		return ""
	}
	v = v.Clone()
	lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	// The only error is one of syntax, and there is none.
	if len(v) > compactJSON {
		_ = v.Indent(append(lenient, jsontext.WithIndent(" "))...) // So that it can be cut, and read in parts, by lines.
	} else {
		_ = v.Compact(lenient...)
	}
	return Clean(string(v))
}

// said reports whether the texts say what v says: one of them is the same JSON, or the string that v is. Servers wrap what
// they return into an object with one member, and send the elements of an array as a text each.
func said(v jsontext.Value, texts []string, depth int) bool {
	const wrapped = 4
	if len(texts) == 0 || depth > wrapped {
		return false
	}
	if s, ok := wire.Text(v); ok {
		s = strings.TrimSpace(s)
		if s == strings.TrimSpace(strings.Join(texts, "\n")) {
			return true
		}
		for _, text := range texts {
			if strings.TrimSpace(text) == s {
				return true
			}
		}
	}
	want := canonical(v)
	for _, text := range texts {
		if t := strings.TrimSpace(text); t != "" && bytes.Equal(canonical(jsontext.Value(t)), want) {
			return true
		}
	}
	switch v.Kind() {
	case '{':
		var only jsontext.Value
		count := 0
		wire.Members(v, func(_ []byte, value jsontext.Value) bool {
			only = value
			count++
			return count < 2
		})
		return count == 1 && said(only, texts, depth+1)
	case '[':
		var elements []jsontext.Value
		if json.Unmarshal(v, &elements, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil || len(elements) != len(texts) {
			return false
		}
		for i := range elements {
			if !said(elements[i], texts[i:i+1], depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// canonical returns JSON so that equal values have equal bytes, and what is no JSON as nothing.
func canonical(v jsontext.Value) jsontext.Value {
	v = v.Clone()
	if v.Canonicalize(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	return v
}
