package elyra

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/live"
	"github.com/elyra-go/elyra/internal/typegraph"
)

// call is what a context knows of the call it belongs to.
type call struct {
	instance *Instance
	command  *command
	request  *Request
	progress func(done, total float64, message string)
}

type callKey struct{}

func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// Progress tells whoever called how far the call is: done of total units, with a short message for
// people. A total of 0 is unknown. Callers that did not ask for progress are not told.
func Progress(ctx context.Context, done, total float64, message string) {
	if c := callOf(ctx); c != nil && c.progress != nil {
		c.progress(done, total, message)
	}
}

// Reads records that the running live command depends on key, which is no table: it runs again when
// [Instance.Changed] names the key.
func Reads(ctx context.Context, key string) { live.Reads(ctx, key) }

// RerunAt has the running live command run again at t, for results that depend on the time.
func RerunAt(ctx context.Context, t time.Time) { live.RerunAt(ctx, t) }

// prepared is a call whose arguments have been checked and decoded.
type prepared struct {
	command *command
	args    []byte // canonical JSON
	in      any    // pointer to the command's argument struct
}

// newArguments returns a pointer to a zero argument struct.
func (c *command) newArguments() any { return reflect.New(c.in).Interface() }

// prepare checks presence, types and validator tags, and decodes the arguments. raw is a JSON
// object, or empty for no arguments.
func (s *commandSet) prepare(c *command, raw []byte) (*prepared, error) {
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	args, err := c.input.Canonical(raw)
	if err != nil {
		if p, ok := errors.AsType[typegraph.Problems](err); ok {
			return nil, ValidationError(p)
		}
		return nil, fmt.Errorf("read the arguments: %w", err)
	}
	in := c.newArguments()
	if err := typegraph.Decode(args, in); err != nil {
		return nil, fmt.Errorf("decode the arguments: %w", err)
	}
	if problems := s.validator.Struct(in); len(problems) > 0 {
		return nil, ValidationError(problems)
	}
	return &prepared{c, args, in}, nil
}

// run sends a prepared call through the middleware, the arguments' own validation and the command,
// and returns the encoded result. An error that the caller may not see has been logged and replaced.
func (in *Instance) run(ctx context.Context, p *prepared, r *Request, progress func(done, total float64, message string)) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx) // what is bound to the call by DB(ctx) ends with it
	defer cancel()
	ctx = context.WithValue(database.WithCall(ctx), callKey{}, &call{in, p.command, r, progress})
	handle := func(ctx context.Context, r *Request) (any, error) {
		if err := p.command.validateArguments(ctx, p.in); err != nil {
			return nil, err
		}
		if r.Live {
			// Only the command itself must not write: middleware may keep an audit log.
			ctx = database.WithReadOnly(ctx, p.command.name)
		}
		return p.command.run(ctx, p.in)
	}
	var encoded []byte
	err := recovered(func() error {
		result, err := in.wrap(handle)(ctx, r)
		if err != nil {
			return err
		}
		if encoded, err = typegraph.Encode(result); err != nil {
			return Private(fmt.Errorf("encode the result: %w", err))
		}
		if _, toWindow := r.Origin.(Frontend); toWindow {
			return exactInJavaScript(encoded)
		}
		return nil
	})
	if err != nil {
		return nil, in.hide(p.command.name, err)
	}
	return encoded, nil
}

// wrap puts the app's middleware around h.
func (in *Instance) wrap(h Handler) Handler {
	for i := len(in.app.middleware) - 1; i >= 0; i-- {
		h = in.app.middleware[i](h)
	}
	return h
}

// validating is an argument with rules that no tag can say.
type validating interface{ Validate(context.Context) error }

// argument is a field of an argument struct that is validating.
type argument struct {
	name  string // in JSON
	index []int
}

// validatingArguments lists the fields of an argument struct that have a Validate method, as values or
// by their address.
func validatingArguments(t reflect.Type) []argument {
	var list []argument
	method := reflect.TypeFor[validating]()
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && (f.Type.Implements(method) || reflect.PointerTo(f.Type).Implements(method)) {
			list = append(list, argument{argumentName(f), f.Index})
		}
	}
	return list
}

// validateArguments calls Validate of each argument that has it and puts the paths of what it
// reports under the argument's name.
func (c *command) validateArguments(ctx context.Context, in any) error {
	v := reflect.ValueOf(in).Elem()
	for _, a := range c.validating {
		field, err := v.FieldByIndexErr(a.index)
		if err != nil || field.Kind() == reflect.Pointer && field.IsNil() {
			continue // left out, or in an embedded struct that is
		}
		arg, ok := field.Interface().(validating)
		if !ok {
			if arg, ok = field.Addr().Interface().(validating); !ok {
				continue
			}
		}
		err = arg.Validate(ctx)
		if bag, ok := errors.AsType[ValidationError](err); ok {
			if len(bag) == 0 {
				continue
			}
			return bag.under(a.name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hide logs a private error and a panic under an id and returns what the caller may see.
func (in *Instance) hide(command string, err error) error {
	private, ok := errors.AsType[*privateError](err)
	if !ok {
		return err
	}
	id := in.newID()
	attrs := []any{"id", id, "command", command, "error", private.cause}
	if private.stack != "" {
		attrs = append(attrs, "stack", private.stack)
	}
	in.log.Error("a command failed", attrs...)
	return &hiddenError{id, private.cause}
}

// newID returns a short random id for people to find a line in the log.
func (in *Instance) newID() string {
	var b [4]byte
	if _, err := io.ReadFull(in.env.Rand, b[:]); err != nil {
		return "unknown"
	}
	return hex.EncodeToString(b[:])
}
