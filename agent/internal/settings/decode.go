package settings

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/tailscale/hujson"

	"github.com/elyra-go/elyra/agent/internal/jsonc"
	"github.com/elyra-go/elyra/internal/nearest"
)

// maxProblems is how many mistakes of one file are told.
const maxProblems = 50

// elsewhere says where what people look for in this file is set.
var elsewhere = map[string]string{
	"apiKey":   "keys are in auth.json or in the environment: use \"elyra auth\", or name the variable with apiKeyEnv",
	"key":      "keys are in auth.json or in the environment: use \"elyra auth\", or name the variable with apiKeyEnv",
	"packages": "nothing is installed into this elyra: mcp and swarm are part of it, and extensions switches them off",
	"env":      "elyra sets no environment variables: set them where it is started",
}

// decoder puts a document over settings, member by member.
type decoder struct {
	doc      *jsonc.Document
	project  bool // the file is a project's
	problems []jsonc.Problem
}

func (d *decoder) fail(at int, path, format string, args ...any) {
	if len(d.problems) < maxProblems {
		d.problems = append(d.problems, d.doc.Problem(at, "%s: %s", path, fmt.Sprintf(format, args...)))
	}
}

// value sets into from v and reports whether it could. What cannot be used leaves into as it is.
func (d *decoder) value(v hujson.Value, into reflect.Value, path, one string) bool {
	want, fits := "", false
	kind := v.Value.Kind()
	switch into.Kind() {
	case reflect.Struct:
		want, fits = "an object", kind == '{'
	case reflect.Map:
		want, fits = "an object", kind == '{'
	case reflect.Slice:
		want, fits = "a list", kind == '['
	case reflect.String:
		want, fits = "a text", kind == '"'
	case reflect.Bool:
		want, fits = "true or false", kind == 't' || kind == 'f'
	default:
		want, fits = "a number", kind == '0'
	}
	if !fits {
		d.fail(v.StartOffset, path, "expected %s, found %s", want, jsonc.KindOf(v))
		return false
	}
	switch into.Kind() {
	case reflect.Struct:
		d.object(v.Value.(*hujson.Object), into, path)
		return true
	case reflect.Map:
		d.members(v.Value.(*hujson.Object), into, path)
		return true
	case reflect.Slice:
		d.list(v.Value.(*hujson.Array), into, path)
		return true
	case reflect.String:
		text := jsonc.Literal(v)
		if choices := strings.Fields(one); one != "" && !slices.Contains(choices, text) {
			d.fail(v.StartOffset, path, "%.60q is not one of %s%s", text, strings.Join(choices, ", "), nearest.Hint(text, choices))
			return false
		}
		into.SetString(text)
		return true
	}
	return d.number(v, into, path)
}

// number sets booleans and numbers. None of them may be negative.
func (d *decoder) number(v hujson.Value, into reflect.Value, path string) bool {
	set := reflect.New(into.Type())
	err := json.Unmarshal([]byte(v.Value.(hujson.Literal)), set.Interface())
	switch {
	case err != nil && into.Kind() == reflect.Int64:
		d.fail(v.StartOffset, path, "expected a whole number")
		return false
	case err != nil:
		d.fail(v.StartOffset, path, "expected a smaller number")
		return false
	case into.Kind() == reflect.Int64 && set.Elem().Int() < 0, into.Kind() == reflect.Float64 && set.Elem().Float() < 0:
		d.fail(v.StartOffset, path, "the number must not be negative")
		return false
	}
	into.Set(set.Elem())
	return true
}

func (d *decoder) object(o *hujson.Object, into reflect.Value, path string) {
	known := fields(into.Type())
	for _, m := range o.Members {
		name := jsonc.NameOf(m)
		at := jsonc.Child(path, name)
		field, ok := known[name]
		switch {
		case name == "$schema" && path == "":
		case !ok && elsewhere[name] != "":
			d.fail(m.Name.StartOffset, at, "%s", elsewhere[name])
		case !ok:
			d.fail(m.Name.StartOffset, at, "there is no such setting%s", nearest.Hint(name, slices.Sorted(maps.Keys(known))))
		case d.project && field.Tag.Get("user") != "":
			d.fail(m.Name.StartOffset, at, "a project cannot set this: set it in your own settings.json")
		default:
			d.value(m.Value, into.FieldByIndex(field.Index), at, field.Tag.Get("one"))
		}
	}
}

// members puts the members of an object into a map, over those that are there.
func (d *decoder) members(o *hujson.Object, into reflect.Value, path string) {
	all := reflect.MakeMap(into.Type())
	for _, k := range into.MapKeys() {
		all.SetMapIndex(k, into.MapIndex(k))
	}
	for _, m := range o.Members {
		name := reflect.ValueOf(jsonc.NameOf(m))
		if path == "extensions" && !slices.Contains(Bundled(), name.String()) {
			d.fail(m.Name.StartOffset, jsonc.Child(path, name.String()), "there is no such extension%s", nearest.Hint(name.String(), Bundled()))
			continue
		}
		v := reflect.New(into.Type().Elem()).Elem()
		if d.value(m.Value, v, jsonc.Child(path, name.String()), "") {
			all.SetMapIndex(name, v)
		}
	}
	into.Set(all)
}

// list puts the elements of a list in the place of those that are there.
func (d *decoder) list(a *hujson.Array, into reflect.Value, path string) {
	all := reflect.MakeSlice(into.Type(), 0, len(a.Elements))
	for i, e := range a.Elements {
		v := reflect.New(into.Type().Elem()).Elem()
		if d.value(e, v, fmt.Sprintf("%s[%d]", path, i), "") {
			all = reflect.Append(all, v)
		}
	}
	into.Set(all)
}

// fields returns the fields of a struct by the names that they have in a file.
func fields(t reflect.Type) map[string]reflect.StructField {
	known := map[string]reflect.StructField{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		known[name] = f
	}
	return known
}
