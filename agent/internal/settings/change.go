package settings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/jsonc"
	"github.com/elyra-go/elyra/internal/nearest"
)

// Put sets one of the user's settings, and writes nothing if the value is not one that it can have. A path is the names of
// members with dots between them; a value is JSON, or a text as it is where a text is expected.
func Put(ctx context.Context, dir *home.Dir, path, value string) error {
	names := strings.Split(path, ".")
	kind, err := typeAt(names)
	if err != nil {
		return err
	}
	text := jsontext.Value(value)
	if kind.Kind() == reflect.String && !strings.HasPrefix(strings.TrimSpace(value), `"`) {
		if text, err = jsontext.AppendQuote(nil, value); err != nil {
			return fmt.Errorf("set %s: %w", path, err)
		}
	}
	if !text.IsValid() {
		return fmt.Errorf("set %s: %.60q is no JSON", path, value)
	}
	return change(ctx, dir, path, func(doc *jsonc.Document) ([]byte, error) { return put(doc, names, text) })
}

// PutAt does what Put does for a path whose names may hold dots, and a value that is no text yet.
func PutAt(ctx context.Context, dir *home.Dir, names []string, value any) error {
	path := strings.Join(names, ".")
	if _, err := typeAt(names); err != nil {
		return err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("set %s: %w", path, err)
	}
	return change(ctx, dir, path, func(doc *jsonc.Document) ([]byte, error) { return put(doc, names, text) })
}

// Remove takes one of the user's settings out of the file, so that it has its default again.
func Remove(ctx context.Context, dir *home.Dir, path string) error {
	names := strings.Split(path, ".")
	if _, err := typeAt(names); err != nil {
		return err
	}
	return change(ctx, dir, path, func(doc *jsonc.Document) ([]byte, error) {
		object := doc.Root
		for _, name := range names[:len(names)-1] {
			v, _ := jsonc.Member(object, name)
			object = jsonc.ObjectOf(v)
		}
		return doc.Remove(object, names[len(names)-1]), nil
	})
}

// Update changes a list of the user's settings, such as the rules at permissions.allow: edit gets what the file has.
func Update(ctx context.Context, dir *home.Dir, path string, edit func([]string) []string) error {
	names := strings.Split(path, ".")
	kind, err := typeAt(names)
	if err == nil && kind != reflect.TypeFor[[]string]() {
		err = fmt.Errorf("%s is no list of texts", path)
	}
	if err != nil {
		return err
	}
	return change(ctx, dir, path, func(doc *jsonc.Document) ([]byte, error) {
		v := hujson.Value{Value: doc.Root}
		for _, name := range names {
			v, _ = jsonc.Member(jsonc.ObjectOf(v), name)
		}
		var old []string
		if a, ok := v.Value.(*hujson.Array); ok {
			for _, e := range a.Elements {
				old = append(old, jsonc.Literal(e))
			}
		}
		now := edit(slices.Clone(old))
		if slices.Equal(now, old) {
			return doc.Data, nil
		}
		text, err := json.Marshal(now)
		if err != nil {
			return nil, err
		}
		return put(doc, names, text)
	})
}

// put sets a value in a document. Objects that are missing on the way are made.
func put(doc *jsonc.Document, names []string, value jsontext.Value) ([]byte, error) {
	into := doc.Value
	object := doc.Root
	for i, name := range names {
		v, ok := jsonc.Member(object, name)
		last := i == len(names)-1
		switch {
		case last && ok:
			return doc.Replace(object, name, value)
		case last:
			return doc.Insert(into, name, value)
		}
		next, isObject := v.Value.(*hujson.Object)
		if !isObject {
			var nested any = value
			for _, inner := range slices.Backward(names[i+1:]) {
				nested = map[string]any{inner: nested}
			}
			if ok {
				return doc.Replace(object, name, nested)
			}
			return doc.Insert(into, name, nested)
		}
		into, object = v, next
	}
	return nil, errors.New("no setting was named")
}

// change rewrites the user's file. A change that makes a mistake is refused; one that was there before stays.
func change(ctx context.Context, dir *home.Dir, path string, edit func(*jsonc.Document) ([]byte, error)) error {
	file := dir.Path(fileName)
	err := dir.Update(ctx, fileName, func(old []byte) ([]byte, error) {
		doc, problem := jsonc.Parse(file, old, nil)
		if problem != nil {
			return nil, fmt.Errorf("%s: mend the file first", problem)
		}
		data, err := edit(doc)
		if err != nil {
			return nil, err
		}
		var before, after Set
		before.take(file, old, nil, false)
		after.take(file, data, nil, false)
		if len(after.Problems) > len(before.Problems) {
			for _, p := range after.Problems {
				if !slices.ContainsFunc(before.Problems, func(o jsonc.Problem) bool { return o.Message == p.Message }) {
					return nil, errors.New(p.Message)
				}
			}
			return nil, errors.New("the change would break the file")
		}
		return append(old[:len(old)-len(doc.Data):len(old)-len(doc.Data)], data...), nil // the byte order mark stays
	})
	if err != nil {
		return fmt.Errorf("set %s: %w", path, err)
	}
	return nil
}

// typeAt returns the type of the setting at a path.
func typeAt(names []string) (reflect.Type, error) {
	t := reflect.TypeFor[Settings]()
	for i, name := range names {
		path := strings.Join(names[:i+1], ".")
		switch {
		case name == "":
			return nil, fmt.Errorf("%q is no setting: a name is missing", strings.Join(names, "."))
		case t.Kind() == reflect.Map:
			t = t.Elem()
		case t.Kind() == reflect.Struct:
			known := fields(t)
			f, ok := known[name]
			if !ok {
				return nil, fmt.Errorf("there is no setting %.80q%s", path, nearest.Hint(name, slices.Sorted(maps.Keys(known))))
			}
			t = f.Type
		default:
			return nil, fmt.Errorf("there is no setting %.80q: %s has no members", path, strings.Join(names[:i], "."))
		}
	}
	return t, nil
}

// Get returns what is in force at a path, "" for all, as JSON.
func (s Settings) Get(path string) (jsontext.Value, error) {
	v := reflect.ValueOf(s)
	if path != "" {
		names := strings.Split(path, ".")
		if _, err := typeAt(names); err != nil {
			return nil, err
		}
		for _, name := range names {
			if v.Kind() == reflect.Map {
				if v = v.MapIndex(reflect.ValueOf(name)); !v.IsValid() {
					return nil, fmt.Errorf("%s is not set", path)
				}
				continue
			}
			v = v.FieldByIndex(fields(v.Type())[name].Index)
		}
	}
	return json.Marshal(v.Interface(), json.Deterministic(true), jsontext.WithIndent("  "))
}
