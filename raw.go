package elyra

import (
	"fmt"
	"reflect"

	"github.com/elyra-go/elyra/internal/typegraph"
)

// prepareRaw reads the arguments of a call that a page makes with bytes in place of JSON: they are
// the one argument of a command that takes a []byte and nothing else.
func (in *Instance) prepareRaw(body []byte) func(*command) (*prepared, error) {
	return func(c *command) (*prepared, error) {
		if c.in.NumField() != 1 || c.in.Field(0).Type != reflect.TypeFor[[]byte]() {
			return nil, fmt.Errorf("%s cannot be called with bytes: that needs a command whose only argument is a []byte", c.name)
		}
		value := reflect.New(c.in)
		value.Elem().Field(0).SetBytes(body)
		args, err := typegraph.Encode(value.Elem().Interface())
		if err != nil {
			return nil, fmt.Errorf("read the bytes: %w", err)
		}
		if problems := in.commands.validator.Struct(value.Interface()); len(problems) > 0 {
			return nil, ValidationError(problems)
		}
		return &prepared{c, args, value.Interface()}, nil
	}
}
