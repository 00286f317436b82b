package validate

import (
	"reflect"
	"strings"
	"time"
)

// prepare gives the library the tags that hold for t and all structs inside it.
func (v *Validator) prepare(t reflect.Type) {
	v.mu.Lock()
	defer v.mu.Unlock()
	eachStruct(t, v.prepared, func(s reflect.Type) {
		changed := map[string]string{}
		for i := range s.NumField() {
			f := s.Field(i)
			if tag := f.Tag.Get("validate"); effective(f) != tag {
				changed[f.Name] = effective(f)
			}
		}
		if len(changed) > 0 {
			v.rules.RegisterStructValidationMapRules(changed, reflect.Zero(s).Interface())
		}
	})
}

// eachStruct calls visit for each struct that t contains and that is not in seen.
func eachStruct(t reflect.Type, seen map[reflect.Type]bool, visit func(reflect.Type)) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		// Named containers can contain themselves.
		if t.Name() != "" {
			if seen[t] {
				return
			}
			seen[t] = true
		}
		eachStruct(t.Elem(), seen, visit)
	case reflect.Struct:
		if seen[t] {
			return
		}
		seen[t] = true
		visit(t)
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() || f.Anonymous {
				eachStruct(f.Type, seen, visit)
			}
		}
	}
}

// effective is the validate tag of f with what the package adds to it.
func effective(f reflect.StructField) string {
	tag := f.Tag.Get("validate")
	if tag == "-" {
		return tag
	}
	if missing := missingDives(f.Type, tag); missing != "" {
		tag = strings.TrimPrefix(tag+","+missing, ",")
	}
	if tag == "" || aboutPresence(tag) {
		return tag
	}
	_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case f.Type.Kind() == reflect.Pointer:
		return "omitnil," + tag
	case hasWord(options, "omitempty"), hasWord(options, "omitzero"):
		return "omitempty," + tag
	}
	return tag
}

// aboutPresence reports whether the rules of the field itself, before any dive,
// say when it has to be there.
func aboutPresence(tag string) bool {
	own, _, _ := strings.Cut(","+tag, ",dive")
	for word := range strings.SplitSeq(own, ",") {
		for _, start := range []string{"required", "excluded", "omit", "isdefault", "skip_unless"} {
			if strings.HasPrefix(word, start) {
				return true
			}
		}
	}
	return false
}

// missingDives is what to append to a tag so that the structs in a list or map are
// looked into, "" for nothing.
func missingDives(t reflect.Type, tag string) string {
	if hasWord(tag, "structonly") || hasWord(tag, "nostructlevel") {
		return ""
	}
	needed := 0
	for {
		switch t.Kind() {
		case reflect.Pointer:
			t = t.Elem()
			continue
		case reflect.Slice, reflect.Array, reflect.Map:
			if needed++; needed > 8 {
				return "" // a type that contains only itself
			}
			t = t.Elem()
			continue
		}
		break
	}
	if t.Kind() != reflect.Struct || !hasRules(t) {
		return ""
	}
	for word := range strings.SplitSeq(tag, ",") {
		if word == "dive" {
			needed--
		}
	}
	if needed <= 0 {
		return ""
	}
	return strings.TrimSuffix("dive"+strings.Repeat(",omitnil,dive", needed-1), ",")
}

// hasRules reports whether t or a struct inside it has validate tags.
func hasRules(t reflect.Type) bool {
	if t == reflect.TypeFor[time.Time]() {
		return false
	}
	found := false
	eachStruct(t, map[reflect.Type]bool{}, func(s reflect.Type) {
		for i := range s.NumField() {
			if tag := s.Field(i).Tag.Get("validate"); tag != "" && tag != "-" {
				found = true
			}
		}
	})
	return found
}
