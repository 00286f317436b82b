package bridge

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/wire"
)

// get returns the value at a path of member names in checked JSON, or nil.
func get(value jsontext.Value, path ...string) jsontext.Value {
	for _, want := range path {
		if value.Kind() != '{' {
			return nil
		}
		object := value
		value = nil
		wire.Members(object, func(name []byte, v jsontext.Value) bool {
			if string(name) == want {
				value = v
			}
			return value == nil
		})
	}
	return value
}

// set returns an object with another value at a path that exists. Everything else stays as it was, byte for byte.
func set(object, value jsontext.Value, path ...string) jsontext.Value {
	dst := jsontext.Value{'{'}
	wire.Members(object, func(name []byte, v jsontext.Value) bool {
		if len(dst) > 1 {
			dst = append(dst, ',')
		}
		dst = append(wire.AppendString(dst, string(name)), ':')
		switch {
		case string(name) != path[0]:
			dst = append(dst, v...)
		case len(path) == 1:
			dst = append(dst, value...)
		default:
			dst = append(dst, set(v, value, path[1:]...)...)
		}
		return true
	})
	return append(dst, '}')
}
