package elyra_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
)

// FuzzS29_S30_arguments calls tools of an app with whatever the fuzzer takes for arguments. Every call
// is answered with a result or with an error that the model can act on, and only arguments that are
// no object are refused by the protocol itself.
func FuzzS29_S30_arguments(f *testing.F) {
	for _, args := range []string{
		`{}`, `[]`, `null`, `{"name":"a"}`, `{"name":"a","big":9007199254740993}`, `{"name":"a","NAME":"b"}`, `{"name":"a","name":"b"}`, `{"name":null}`, `{"name":"\ud800"}`,
		`{"name":"a","ratio":1e400}`, `{"name":"a","at":"2024-01-01T00:00:60Z","tags":[null],"counts":{"":1.0},"note":null,"children":[{}],"fixed":[true,false],"any":[[[]]],"nested":{"A":1,"B":2}}`,
		strings.Repeat(`{"children":[`, 20) + strings.Repeat(`]}`, 20), `{"name":"` + strings.Repeat("x", 10_000) + `"}`,
	} {
		f.Add(args)
	}
	env := elyratest.Env(f)
	env.Log = slog.New(slog.DiscardHandler)
	echo := func(_ context.Context, in shape) (shape, error) { return in, nil }
	app := elyratest.NewWith(f, env, func(*elyra.Env) (*elyra.App, error) {
		return elyra.New().Commands(elyra.NewCommand("echo", echo, elyra.CommandOptions{Can: "x"})).
			MCP(elyra.NewMCP().AllowAbility("x").RateLimit("*", 1_000_000_000, time.Minute)), nil
	})
	f.Fuzz(func(t *testing.T, args string) {
		if !json.Valid([]byte(args)) || strings.ContainsAny(args, "\r\n") || len(args) > 1<<16 || strings.Count(args, "[")+strings.Count(args, "{") > 50 {
			return // what is no message is tested elsewhere
		}
		r := rawAgent(t, app, "fuzzer", cannotAsk).call("echo", args, "", "")
		object := strings.HasPrefix(strings.TrimSpace(args), "{") || strings.TrimSpace(args) == "null"
		switch {
		case r.Error.Code == -32602 && object, r.Error.Code != 0 && r.Error.Code != -32602 && r.Error.Code != -32700:
			t.Errorf("%s: code %d: %s", args, r.Error.Code, r.Error.Message)
		case r.Error.Code == 0 && !object:
			t.Errorf("%s passed for arguments: %s", args, r.text())
		case r.Result.IsError && r.text() == "":
			t.Errorf("%s: a refusal without a reason", args)
		case r.Result.IsError && strings.HasPrefix(r.text(), "error "):
			t.Errorf("%s: an incident instead of a reason: %s", args, r.text())
		}
	})
}
