package result

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// resolve finds what a reference within the schema leads to.
func resolve(root any, ref string) (any, bool) {
	pointer, local := strings.CutPrefix(ref, "#")
	pointer, err := url.PathUnescape(pointer)
	if !local || err != nil || pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	at := root
	if pointer == "" {
		return at, true
	}
	for _, token := range strings.Split(pointer[1:], "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch v := at.(type) {
		case map[string]any:
			next, ok := v[token]
			if !ok {
				return nil, false
			}
			at = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			at = v[i]
		default:
			return nil, false
		}
	}
	return at, true
}

// bounds checks a count against the keywords min… and max….
func bounds(s map[string]any, keyword string, count int, path, of string) string {
	if least, ok := s["min"+keyword].(float64); ok && float64(count) < least {
		return fmt.Sprintf("%s has %d %s, less than %v", path, count, of, least)
	}
	if most, ok := s["max"+keyword].(float64); ok && float64(count) > most {
		return fmt.Sprintf("%s has %d %s, more than %v", path, count, of, most)
	}
	return ""
}

func number(s map[string]any, v float64, path string) string {
	limit := func(keyword string) float64 {
		if n, ok := s[keyword].(float64); ok {
			return n
		}
		return math.NaN() // With which nothing compares.
	}
	switch {
	case v < limit("minimum"), v <= limit("exclusiveMinimum"):
		return fmt.Sprintf("%s is %v, which is too small", path, v)
	case v > limit("maximum"), v >= limit("exclusiveMaximum"):
		return fmt.Sprintf("%s is %v, which is too large", path, v)
	}
	return ""
}

// isType reports whether a value is of a type that a schema names. One that JSON Schema does not know fits everything.
func isType(value, name any) bool {
	kind := typeName(value)
	switch name {
	case "integer":
		n, ok := value.(float64)
		return ok && n == math.Trunc(n)
	case "object", "array", "string", "number", "boolean", "null":
		return kind == name
	}
	return true
}

func typeName(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }

func sortedNames(v map[string]any) []string { return slices.Sorted(maps.Keys(v)) }
