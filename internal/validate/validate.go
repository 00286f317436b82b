// Package validate runs the validate tags of Go structs
// (github.com/go-playground/validator/v10) and says what failed in words: the
// names of paths are those of the JSON, the messages are for people and models.
//
// It differs from the library in what arguments need:
//   - Lists and maps of structs are always looked into; `dive` is only needed to give
//     rules to the elements themselves.
//   - What may be left out of an argument is not refused for being left out: rules
//     of a nil pointer, and of a zero field with `omitempty` or `omitzero` in its json
//     tag, run only when the tag says required (or another rule about presence).
//   - Wrong tags are errors of CheckTags, at the start of a program, not panics of the
//     first call.
//
// The package must not import package elyra, internal/typegraph or the protocol
// packages.
package validate

import (
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/go-playground/validator/v10"
)

// Validator checks values against the validate tags of their types. It is safe for
// concurrent use.
type Validator struct {
	mu       sync.RWMutex // held for writing while the rules of types are prepared
	rules    *validator.Validate
	prepared map[reflect.Type]bool
}

// New returns a Validator with the rules of the library.
func New() *Validator {
	rules := validator.New(validator.WithRequiredStructEnabled(), validator.WithTagNameFuncBlankOmit())
	rules.RegisterTagNameFunc(jsonName)
	return &Validator{rules: rules, prepared: map[reflect.Type]bool{}}
}

// Struct checks a struct, or a pointer to one, with everything inside it. The
// result is nil when all is well, else it maps JSON paths such as
// "input.lines[1].qty" to messages such as "must be at least 1". A value that is no
// struct has no rules. The tags must have passed CheckTags: wrong ones panic.
func (v *Validator) Struct(value any) map[string][]string {
	t := reflect.TypeOf(value)
	if structOf(t) == nil {
		return nil
	}
	v.mu.RLock()
	ready := v.prepared[structOf(t)]
	v.mu.RUnlock()
	if !ready {
		v.prepare(t)
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	var failed validator.ValidationErrors
	if err := v.rules.Struct(value); !errors.As(err, &failed) {
		return nil // no error, or a nil pointer: nothing to check
	}
	problems := map[string][]string{}
	for _, f := range failed {
		path := strings.TrimPrefix(f.Namespace(), structOf(t).Name()+".")
		problems[path] = append(problems[path], message(f, structOf(t)))
	}
	return problems
}

// structOf is the struct that t is or points to, nil for other types.
func structOf(t reflect.Type) reflect.Type {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

// jsonName is the name of a field in JSON, "" for an embedded struct, whose fields
// stand beside those of the struct around it.
func jsonName(f reflect.StructField) string {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case name != "" && name != "-":
		return name
	case f.Anonymous && structOf(f.Type) != nil, hasWord(options, "embed"):
		return ""
	default:
		return f.Name
	}
}

// hasWord reports whether a list with commas has the word.
func hasWord(list, word string) bool {
	for w := range strings.SplitSeq(list, ",") {
		if w == word {
			return true
		}
	}
	return false
}
