package typegraph

import (
	"slices"
	"strings"
)

// rules are the validate tag of a field, as far as a schema can say them.
type rules struct {
	required  bool // the value must be given and not be zero
	mayBeZero bool // a zero value passes whatever the other rules say
	list      []rule
	elem      *rules // after dive: for the elements
}

// rule is one word of a validate tag, such as min=1.
type rule struct{ name, param string }

// parseRules reads a validate tag. Rules joined by "|" are left out: one of them
// is enough, which the keywords of a schema cannot say side by side. Unknown rules
// are kept and later ignored; package validate reports them.
func parseRules(tag string) rules {
	var r rules
	if tag == "" || tag == "-" {
		return r
	}
	current, inKeys := &r, false
	for word := range strings.SplitSeq(tag, ",") {
		name, param, _ := strings.Cut(word, "=")
		switch {
		case name == "keys":
			inKeys = true
		case name == "endkeys":
			inKeys = false
		case inKeys || strings.Contains(word, "|"):
		case name == "dive":
			current.elem = &rules{}
			current = current.elem
		case name == "required":
			current.required = true
		case name == "omitempty" || name == "omitnil" || name == "omitzero":
			current.mayBeZero = true
		default:
			if strings.Contains(param, "0x") { // commas and bars inside a parameter are written as hexadecimal
				param = strings.NewReplacer("0x2C", ",", "0x7C", "|").Replace(param)
			}
			current.list = append(current.list, rule{name, param})
		}
	}
	return r
}

// param returns the parameter of the first rule with one of the names.
func (r *rules) param(names ...string) (string, bool) {
	for _, rule := range r.list {
		if slices.Contains(names, rule.name) {
			return rule.param, true
		}
	}
	return "", false
}

// splitWords splits the parameter of oneof: words, or 'several words' in quotes.
func splitWords(s string) []string {
	var words []string
	for {
		s = strings.TrimLeft(s, " \t")
		if s == "" {
			return words
		}
		if s[0] == '\'' {
			if word, rest, ok := strings.Cut(s[1:], "'"); ok {
				words, s = append(words, word), rest
				continue
			}
		}
		word, rest, _ := strings.Cut(s, " ")
		words, s = append(words, word), rest
	}
}
