package elyra_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/elyra-go/elyra"
)

type (
	byValue   struct{ Bad bool }
	byPointer struct{ Bad bool }
	// Embedded stands beside the arguments of the struct that embeds it.
	Embedded struct {
		Inner *byValue `json:"inner,omitempty"`
	}
)

func verdict(bad bool) error {
	if bad {
		return elyra.ValidationError{"": {"is bad"}}
	}
	return nil
}

func (b byValue) Validate(context.Context) error    { return verdict(b.Bad) }
func (b *byPointer) Validate(context.Context) error { return verdict(b.Bad) }

func TestEveryArgumentIsAskedToValidate(t *testing.T) {
	t.Parallel()
	type arguments struct {
		A byValue    `json:"a,omitzero"`
		B byPointer  `json:"b,omitzero"`
		C *byValue   `json:"c,omitempty"`
		D *byPointer `json:"d,omitempty"`
		E struct{ Bad bool }
		*Embedded
	}
	command := elyra.NewCommand("judge", func(context.Context, arguments) (elyra.None, error) { return elyra.None{}, nil }, elyra.CommandOptions{})
	env, err := elyra.NewEnv("dev.elyra.judge", func(string) string { return "/nonexistent" }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	instance, err := elyra.New().Commands(command).Start(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := instance.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	for name, want := range map[string]string{"a": "a", "b": "b", "c": "c", "d": "d", "inner": "inner", "E": ""} {
		args := map[string]string{"a": `{"Bad":false}`, "b": `{"Bad":false}`, "E": `{"Bad":false}`}
		args[name] = `{"Bad":true}`
		var members []string
		for k, v := range args {
			members = append(members, `"`+k+`":`+v)
		}
		_, err := instance.Call(t.Context(), elyra.Internal{}, "judge", []byte("{"+strings.Join(members, ",")+"}"))
		bag, _ := errors.AsType[elyra.ValidationError](err)
		if want == "" && err != nil || want != "" && (len(bag) != 1 || bag[want] == nil) {
			t.Errorf("with a bad %s: %v; want a problem with %q", name, err, want)
		}
	}
}
