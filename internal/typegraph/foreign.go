package typegraph

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// dialect is the one dialect of JSON Schema that is written here.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// Limits of a schema that a type gives itself. It is a part of a larger one, which clients read with
// limits of their own: this module's allows 64 levels in a message.
const (
	maxForeignDepth = 16
	maxForeignParts = 1000
)

// How the value of a keyword holds further schemas.
var (
	holdsSchema  = []string{"additionalProperties", "unevaluatedProperties", "propertyNames", "items", "unevaluatedItems", "contains", "not", "if", "then", "else", "contentSchema"}
	holdsSchemas = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	namesSchemas = []string{"properties", "patternProperties", "dependentSchemas"}
)

// noPlace are keywords that make no sense within a larger schema, or that would make a client fetch
// or send something.
var noPlace = map[string]string{
	"$ref": "a part of a larger schema must stand alone", "$dynamicRef": "a part of a larger schema must stand alone", "$recursiveRef": "a part of a larger schema must stand alone",
	"$defs": "it becomes a part of a larger schema", "definitions": "it becomes a part of a larger schema",
	"$id": "it becomes a part of a larger schema", "id": "it is a word of an old dialect",
	"$anchor": "it becomes a part of a larger schema", "$dynamicAnchor": "it becomes a part of a larger schema", "$vocabulary": "there is one vocabulary",
	"dependencies": "it is a word of an old dialect: use dependentSchemas or dependentRequired", "additionalItems": "it is a word of an old dialect: use items after prefixItems",
	"x-mcp-header": "arguments must not be copied into headers",
}

// foreign checks a schema that a type gives itself: that it is one in the dialect 2020-12, stands
// alone, and is of a size that any client can take.
type foreign struct {
	depth, parts int
}

// check checks one schema; at says where it is within the whole, for the error.
func (f *foreign) check(schema jsontext.Value, at string) error {
	if f.depth++; f.depth > maxForeignDepth {
		return fmt.Errorf("%sit is nested deeper than %d schemas", at, maxForeignDepth)
	}
	defer func() { f.depth-- }()
	if f.parts++; f.parts > maxForeignParts {
		return fmt.Errorf("it consists of more than %d schemas", maxForeignParts)
	}
	switch schema.Kind() {
	case jsontext.KindTrue, jsontext.KindFalse:
		return nil
	case jsontext.KindBeginObject:
	default:
		return fmt.Errorf("%sa schema must be an object or a boolean, not %s", at, schema)
	}
	var keywords map[string]jsontext.Value
	if err := json.Unmarshal(schema, &keywords); err != nil {
		return fmt.Errorf("%s%w", at, err)
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(keywords)) {
		errs = append(errs, f.keyword(name, keywords[name], at))
	}
	return errors.Join(errs...)
}

func (f *foreign) keyword(name string, value jsontext.Value, at string) error {
	if reason, ok := noPlace[name]; ok {
		return fmt.Errorf("%sit must not contain %s: %s", at, name, reason)
	}
	inside := at + name + ": "
	switch {
	case name == "$schema":
		var uri string
		if json.Unmarshal(value, &uri) != nil || strings.TrimSuffix(uri, "#") != dialect {
			return fmt.Errorf("%sthe dialect %s is not supported: write in %s", at, value, dialect)
		}
		return nil
	case slices.Contains(holdsSchema, name):
		return f.check(value, inside)
	case slices.Contains(holdsSchemas, name):
		var list []jsontext.Value
		if json.Unmarshal(value, &list) != nil || len(list) == 0 {
			return fmt.Errorf("%swant a list of schemas", inside)
		}
		var errs []error
		for _, schema := range list {
			errs = append(errs, f.check(schema, inside))
		}
		return errors.Join(errs...)
	case slices.Contains(namesSchemas, name):
		var members map[string]jsontext.Value
		if json.Unmarshal(value, &members) != nil || members == nil {
			return fmt.Errorf("%swant an object of schemas", inside)
		}
		var errs []error
		for _, member := range slices.Sorted(maps.Keys(members)) {
			errs = append(errs, f.check(members[member], inside+member+": "))
		}
		return errors.Join(errs...)
	}
	if !holds(name, value) {
		return fmt.Errorf("%s%s is no value for it", inside, value)
	}
	return nil
}

// holds reports whether a keyword may have a value. Words that are not known may have any.
func holds(keyword string, value jsontext.Value) bool {
	switch keyword {
	case "type":
		kinds := []string{"null", "boolean", "object", "array", "number", "string", "integer"}
		var one string
		if json.Unmarshal(value, &one) == nil {
			return slices.Contains(kinds, one)
		}
		var several []string
		return json.Unmarshal(value, &several) == nil && len(several) > 0 &&
			!slices.ContainsFunc(several, func(kind string) bool { return !slices.Contains(kinds, kind) })
	case "required":
		var names []string
		return json.Unmarshal(value, &names) == nil && names != nil
	case "enum", "examples":
		return value.Kind() == jsontext.KindBeginArray
	case "pattern", "format", "title", "description", "contentEncoding", "contentMediaType", "$comment":
		return value.Kind() == jsontext.KindString
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return value.Kind() == jsontext.KindNumber
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		var n uint64
		return json.Unmarshal(value, &n) == nil && value.Kind() == jsontext.KindNumber
	case "uniqueItems", "readOnly", "writeOnly", "deprecated":
		return value.Kind() == jsontext.KindTrue || value.Kind() == jsontext.KindFalse
	case "dependentRequired":
		return value.Kind() == jsontext.KindBeginObject
	}
	return true
}
