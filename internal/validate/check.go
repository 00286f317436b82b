package validate

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// CheckTags looks at the validate tags of t and of every type inside it and
// reports, one a line and with type and field, rules that do not exist, parameters
// that cannot be read, rules that do not suit the type of their field, and names
// of fields that the struct does not have.
func (v *Validator) CheckTags(t reflect.Type) error {
	if t == nil {
		return nil
	}
	v.prepare(t)
	v.mu.RLock()
	defer v.mu.RUnlock()
	var errs []error
	eachStruct(t, map[reflect.Type]bool{}, func(s reflect.Type) {
		for i := range s.NumField() {
			f := s.Field(i)
			if !f.IsExported() && !f.Anonymous {
				continue
			}
			if err := v.checkField(s, f); err != nil {
				errs = append(errs, fmt.Errorf("%s.%s: %w", structName(s), f.Name, err))
			}
		}
	})
	return errors.Join(errs...)
}

// structName is how a person knows the struct.
func structName(s reflect.Type) string {
	if s.Name() == "" {
		return "struct"
	}
	return s.Name()
}

// checkField checks the tag of one field by trying its rules on samples.
func (v *Validator) checkField(s reflect.Type, f reflect.StructField) error {
	tag := effective(f)
	if tag == "" || tag == "-" {
		return nil
	}
	// A nil value runs no rule, so this only reads the tag.
	if err := v.try(nil, tag); err != nil {
		return fmt.Errorf("validate:%q: %w", f.Tag.Get("validate"), err)
	}
	t, inKeys := f.Type, reflect.Type(nil)
	for word := range strings.SplitSeq(tag, ",") {
		container := t
		for container.Kind() == reflect.Pointer {
			container = container.Elem()
		}
		switch word {
		case "dive":
			switch container.Kind() {
			case reflect.Slice, reflect.Array, reflect.Map:
			default:
				return fmt.Errorf("dive is for lists and maps, and %s is neither", t)
			}
			if container.Kind() == reflect.Map {
				inKeys = container.Key() // used when the word keys follows
			}
			t = container.Elem()
			continue
		case "keys":
			if inKeys == nil {
				return errors.New("keys is only for maps, directly after dive")
			}
			t, inKeys = inKeys, t
			continue
		case "endkeys":
			t = inKeys
			continue
		}
		if err := v.checkRule(s, t, word); err != nil {
			return err
		}
	}
	return nil
}

// checkRule checks one word of a tag for a value of type t.
func (v *Validator) checkRule(s, t reflect.Type, word string) error {
	name, param, _ := strings.Cut(word, "=")
	for _, other := range siblings(name, param) {
		if _, ok := s.FieldByName(other); !ok && !strings.ContainsAny(other, ".[") {
			return fmt.Errorf("rule %q names the field %s, which %s does not have", word, other, structName(s))
		}
	}
	if name == "validateFn" {
		return nil // it calls code of the type, which a sample may not suit
	}
	if inner := structOf(t); inner != nil && !inner.ConvertibleTo(reflect.TypeFor[time.Time]()) {
		return nil // the library would check the fields of the sample, not the rule
	}
	if err := v.try(sample(t, 0), word); err != nil {
		return fmt.Errorf("rule %q does not suit %s: %w", word, t, err)
	}
	return nil
}

// siblings are the Go names of the fields that a rule compares with.
func siblings(name, param string) []string {
	words := strings.Fields(param)
	switch name {
	case "eqfield", "nefield", "gtfield", "gtefield", "ltfield", "ltefield", "fieldcontains", "fieldexcludes":
		return []string{param}
	case "required_with", "required_with_all", "required_without", "required_without_all",
		"excluded_with", "excluded_with_all", "excluded_without", "excluded_without_all":
		return words
	case "required_if", "required_unless", "excluded_if", "excluded_unless", "skip_unless":
		var names []string
		for i := 0; i+1 < len(words); i += 2 {
			names = append(names, words[i])
		}
		return names
	}
	return nil
}

// try runs a tag on a value. Whether the value passes does not matter; the library
// panics when it cannot read the tag or use it on the value.
func (v *Validator) try(value any, tag string) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			text := fmt.Sprint(reason)
			if name, ok := strings.CutPrefix(text, "Undefined validation function "); ok {
				name, _, _ = strings.Cut(name, " on field")
				text = "unknown rule " + name
			}
			err = errors.New(text)
		}
	}()
	_ = v.rules.Var(value, tag)
	return nil
}

// sample is a value of type t that is not zero, so that rules look at it.
func sample(t reflect.Type, depth int) any {
	value := reflect.New(t).Elem()
	if depth > 4 {
		return value.Interface()
	}
	switch t.Kind() {
	case reflect.String:
		value.SetString("a")
	case reflect.Bool:
		value.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		value.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		value.SetUint(1)
	case reflect.Float32, reflect.Float64:
		value.SetFloat(1)
	case reflect.Pointer:
		value.Set(reflect.New(t.Elem()))
		if inner := reflect.ValueOf(sample(t.Elem(), depth+1)); inner.IsValid() {
			value.Elem().Set(inner)
		}
	case reflect.Slice:
		value.Set(reflect.MakeSlice(t, 1, 1))
	case reflect.Map:
		value.Set(reflect.MakeMap(t))
		value.SetMapIndex(reflect.Zero(t.Key()), reflect.Zero(t.Elem()))
	}
	return value.Interface()
}
