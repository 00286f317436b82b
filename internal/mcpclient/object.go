package mcpclient

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/wire"
)

// object is a JSON object as its members in order, whose values stay the bytes that they were. Requests are put together
// from such members because the metadata and the answers to questions are added to what the caller gave.
type object []member

type member struct {
	name  string
	value jsontext.Value
}

// objectOf encodes v, which must be a JSON object; nil gives an empty one.
func objectOf(v any) (object, error) {
	if v == nil {
		return nil, nil
	}
	raw, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	if jsontext.Value(raw).Kind() != '{' {
		return nil, fmt.Errorf("%T is no JSON object", v)
	}
	var values map[string]jsontext.Value
	if err := json.Unmarshal(raw, &values); err != nil {
		return nil, err
	}
	o := make(object, 0, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		o = append(o, member{name, values[name]})
	}
	return o, nil
}

// add returns o with one member more, or with another value of the member that has the name.
func (o object) add(name string, value jsontext.Value) object {
	out := make(object, 0, len(o)+1)
	for _, m := range o {
		if m.name != name {
			out = append(out, m)
		}
	}
	return append(out, member{name, value})
}

// merge returns o with the members of other, which win.
func (o object) merge(other object) object {
	if len(o) == 0 {
		return other[:len(other):len(other)]
	}
	for _, m := range other {
		o = o.add(m.name, m.value)
	}
	return o
}

// without returns o without the named member, and that member's value, nil when there is none.
func (o object) without(name string) (object, jsontext.Value) {
	for i, m := range o {
		if m.name == name {
			rest := append(o[:i:i], o[i+1:]...)
			return rest, m.value
		}
	}
	return o, nil
}

// json returns the object on one line.
func (o object) json() jsontext.Value {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(wire.AppendString(b, m.name), ':'), wire.OneLine(m.value)...)
	}
	return append(b, '}')
}
