package validate

import (
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"
)

// fieldMessage is the message of rules that look at other fields. Their parameter
// holds Go names, which the reader of the message does not know.
func fieldMessage(name, param string, f validator.FieldError, root reflect.Type) string {
	parent := parentOf(root, f.StructNamespace())
	words := strings.Fields(param)
	names := make([]string, len(words))
	for i, word := range words {
		names[i] = word
		if field, ok := fieldOf(parent, word); ok && jsonName(field) != "" {
			names[i] = jsonName(field)
		}
	}
	list := strings.Join(names, ", ")
	switch name {
	case "eqfield":
		return "must be the same as " + list
	case "nefield":
		return "must differ from " + list
	case "gtfield":
		return "must be more than " + list
	case "gtefield":
		return "must be at least " + list
	case "ltfield":
		return "must be less than " + list
	case "ltefield":
		return "must be at most " + list
	case "required_with", "required_with_all":
		return "is required together with " + list
	case "required_without", "required_without_all":
		return "is required without " + list
	case "required_if":
		return "is required when " + conditions(names, words)
	case "required_unless":
		return "is required unless " + conditions(names, words)
	case "excluded_with", "excluded_with_all":
		return "must be left out together with " + list
	case "excluded_without", "excluded_without_all":
		return "must be left out without " + list
	case "excluded_if":
		return "must be left out when " + conditions(names, words)
	case "excluded_unless":
		return "must be left out unless " + conditions(names, words)
	}
	return ""
}

// conditions writes pairs of a name and a value.
func conditions(names, words []string) string {
	var parts []string
	for i := 0; i+1 < len(words); i += 2 {
		parts = append(parts, names[i]+" is "+words[i+1])
	}
	return strings.Join(parts, " and ")
}

// parentOf follows a path of Go names such as T.Input.Lines[1].Qty from root to the
// struct that has the last one.
func parentOf(root reflect.Type, path string) reflect.Type {
	path = strings.TrimPrefix(path, root.Name()+".")
	t := root
	steps := strings.Split(path, ".")
	for _, step := range steps[:len(steps)-1] {
		step, _, _ = strings.Cut(step, "[")
		f, ok := fieldOf(t, step)
		if !ok {
			return nil
		}
		t = f.Type
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array || t.Kind() == reflect.Map {
			t = t.Elem()
		}
	}
	return t
}

// fieldOf is a field of t, if t is a struct that has it.
func fieldOf(t reflect.Type, name string) (reflect.StructField, bool) {
	if t == nil || t.Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	return t.FieldByName(name)
}
