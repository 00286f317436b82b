package catalog

import (
	"slices"
	"strconv"
)

// kind says what values a keyword of JSON Schema may have.
type kind int

const (
	anything kind = iota // also of words that are none of the specification's
	stripped
	aSchema
	aSchemaArray
	aSchemaMap
	aType
	aBound // a number, in older drafts a flag
	aNumber
	aStep
	aCount
	aText
	aFlag
	anArray
	texts
	textsMap
)

// kindOf knows the keywords of the drafts in use. Identifiers and definitions are stripped because what they are for was
// inlined.
func kindOf(keyword string) kind {
	switch keyword {
	case "$schema", "$id", "$comment", "$defs", "definitions", "$ref", "$anchor", "$dynamicAnchor", "$recursiveAnchor",
		"$dynamicRef", "$recursiveRef", "$vocabulary", "additionalItems", "dependencies":
		return stripped
	case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedItems",
		"unevaluatedProperties", "contentSchema":
		return aSchema
	case "oneOf", "anyOf", "allOf", "prefixItems":
		return aSchemaArray
	case "properties", "patternProperties", "dependentSchemas":
		return aSchemaMap
	case "type":
		return aType
	case "exclusiveMinimum", "exclusiveMaximum":
		return aBound
	case "minimum", "maximum":
		return aNumber
	case "multipleOf":
		return aStep
	case "minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains", "minProperties", "maxProperties":
		return aCount
	case "title", "description", "pattern", "format", "contentEncoding", "contentMediaType":
		return aText
	case "uniqueItems", "deprecated", "readOnly", "writeOnly":
		return aFlag
	case "enum", "examples":
		return anArray
	case "required":
		return texts
	case "dependentRequired":
		return textsMap
	}
	return anything
}

// fits reports whether a keyword may have the value. Those that hold schemas are not asked.
func (k kind) fits(v *node) bool {
	switch k {
	case aNumber:
		return v.kind == '0'
	case aStep:
		n, err := strconv.ParseFloat(v.text, 64)
		return v.kind == '0' && err == nil && n > 0
	case aCount:
		n, err := strconv.ParseFloat(v.text, 64)
		return v.kind == '0' && err == nil && n >= 0 && n < 1<<53 && n == float64(int64(n))
	case aText:
		return v.kind == '"'
	case aFlag:
		return v.kind == 't' || v.kind == 'f'
	case anArray:
		return v.kind == '[' && len(v.values) > 0
	case texts:
		return distinctTexts(v)
	case textsMap:
		return v.kind == '{' && !slices.ContainsFunc(v.values, func(e *node) bool { return !distinctTexts(e) })
	}
	return true
}

// distinctTexts reports whether v is an array of strings that differ.
func distinctTexts(v *node) bool {
	seen := map[string]bool{}
	for _, e := range v.values {
		if e.kind != '"' || seen[e.text] {
			return false
		}
		seen[e.text] = true
	}
	return v.kind == '['
}

// typeOf returns the types that JSON Schema knows among those that a schema names, nil when there is none.
func typeOf(v *node) *node {
	if v == nil {
		return nil
	}
	if v.kind == '"' && isType(v.text) {
		return v
	}
	if v.kind != '[' {
		return nil
	}
	known := newArray()
	for _, e := range v.values {
		if e.kind == '"' && isType(e.text) {
			known.values = append(known.values, e)
		}
	}
	if len(known.values) == 0 {
		return nil
	}
	return union(known, nil)
}

func isType(s string) bool {
	switch s {
	case "object", "array", "string", "number", "integer", "boolean", "null":
		return true
	}
	return false
}
