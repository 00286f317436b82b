package typegraph

import (
	"regexp"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// apply adds to s what the rules of a validate tag say about an argument of type
// t. Rules that a schema cannot say are left to package validate.
func (r *rules) apply(s *schema, t *Type, stringed bool) {
	switch {
	case stringed:
		return // its limits are about the number, its schema is about the string
	case t.kind == kindString:
		r.length(s, "minLength", "maxLength")
		if r.required && s.get("minLength") == nil {
			s.set("minLength", 1)
		}
		r.strings(s)
		r.choices(s, t)
	case t.kind == kindText:
		r.strings(s)
	case t.kind == kindInt || t.kind == kindUint || t.kind == kindFloat:
		r.limits(s)
		r.choices(s, t)
	case t.kind == kindList:
		r.length(s, "minItems", "maxItems")
		if param, ok := r.param("unique"); ok && param == "" {
			s.set("uniqueItems", true)
		}
	case t.kind == kindMap:
		r.length(s, "minProperties", "maxProperties")
	}
}

// length turns limits of a length into the two keywords.
func (r *rules) length(s *schema, low, high string) {
	for _, rule := range r.list {
		n, err := strconv.Atoi(rule.param)
		if err != nil || n < 0 {
			continue
		}
		switch rule.name {
		case "min", "gte":
			s.set(low, n)
		case "gt":
			s.set(low, n+1)
		case "max", "lte":
			s.set(high, n)
		case "lt":
			s.set(high, max(n-1, 0))
		case "len":
			s.set(low, n)
			s.set(high, n)
		}
	}
}

// limits turns limits of a number into keywords, next to those of its Go type.
func (r *rules) limits(s *schema) {
	for _, rule := range r.list {
		raw := jsontext.Value(rule.param)
		if raw.Kind() != jsontext.KindNumber || !raw.IsValid() {
			continue
		}
		// The limits of the Go type stay when they are the narrower ones.
		switch rule.name {
		case "min", "gte":
			if !narrower(s.get("minimum"), raw, 1) {
				s.set("minimum", raw)
			}
		case "gt":
			s.set("exclusiveMinimum", raw)
		case "max", "lte":
			if !narrower(s.get("maximum"), raw, -1) {
				s.set("maximum", raw)
			}
		case "lt":
			s.set("exclusiveMaximum", raw)
		case "eq", "len":
			s.set("const", raw)
		}
	}
}

// narrower reports whether the limit that is set is stricter than raw; sign is 1 for
// a lower limit and -1 for an upper one.
func narrower(set any, raw jsontext.Value, sign float64) bool {
	old, ok := set.(jsontext.Value)
	if !ok {
		return false
	}
	a, _ := strconv.ParseFloat(string(old), 64)
	b, _ := strconv.ParseFloat(string(raw), 64)
	return a*sign > b*sign
}

// choices turns oneof and eq into the values that are allowed.
func (r *rules) choices(s *schema, t *Type) {
	if param, ok := r.param("eq"); ok && t.kind == kindString {
		s.set("const", param)
	}
	param, ok := r.param("oneof")
	if !ok {
		return
	}
	var values []jsontext.Value
	for _, word := range splitWords(param) {
		value := jsontext.Value(word)
		if t.kind == kindString {
			value, _ = json.Marshal(word, jsontext.AllowInvalidUTF8(true)) // a string always has JSON
		} else if !value.IsValid() {
			return
		}
		values = append(values, value)
	}
	if r.mayBeZero && len(values) > 0 {
		values = append(values, zeroOf(t))
	}
	if len(values) > 0 {
		s.set("enum", values)
	}
}

// strings turns rules about the form of a string into format or pattern.
func (r *rules) strings(s *schema) {
	for _, rule := range r.list {
		if format := formatOf(rule); format != "" {
			s.set("format", format)
		}
		if pattern := patternOf(rule); pattern != "" && s.get("pattern") == nil {
			s.set("pattern", pattern)
		}
	}
}

func formatOf(r rule) string {
	switch r.name {
	case "email":
		return "email"
	case "url", "http_url", "https_url", "uri":
		return "uri"
	case "uuid", "uuid3", "uuid4", "uuid5", "uuid7", "uuid_rfc4122", "uuid3_rfc4122", "uuid4_rfc4122", "uuid5_rfc4122":
		return "uuid"
	case "ipv4", "ip4_addr":
		return "ipv4"
	case "ipv6", "ip6_addr":
		return "ipv6"
	case "hostname", "hostname_rfc1123", "fqdn":
		return "hostname"
	case "datetime":
		switch r.param {
		case "2006-01-02":
			return "date"
		case "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05.999999999Z07:00":
			return "date-time"
		}
	}
	return ""
}

// patternOf is a regular expression that both Go and JavaScript understand.
func patternOf(r rule) string {
	switch r.name {
	case "alpha":
		return "^[a-zA-Z]+$"
	case "alphanum":
		return "^[a-zA-Z0-9]+$"
	case "number":
		return "^[0-9]+$"
	case "numeric":
		return `^[-+]?[0-9]+(\.[0-9]+)?$`
	case "hexadecimal":
		return "^(0[xX])?[0-9a-fA-F]+$"
	case "e164":
		return `^\+[1-9]?[0-9]{7,14}$`
	case "startswith":
		return "^" + regexp.QuoteMeta(r.param)
	case "endswith":
		return regexp.QuoteMeta(r.param) + "$"
	case "contains":
		return regexp.QuoteMeta(r.param)
	}
	return ""
}
