package main

import (
	"encoding/json"
	"io"
	"log/slog"
	"reflect"
	"testing"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/bench/internal/load"
	"github.com/elyra-go/elyra/bench/internal/workload"
)

// The comparison is fair only if both servers do the same. The other server has the same test.
func TestPlace(t *testing.T) {
	env, err := elyra.NewEnv(appID, func(string) string { return "/nonexistent" }, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	app, err := build(env)
	if err != nil {
		t.Fatal(err)
	}
	instance, err := app.Start(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	requests, toServer := io.Pipe()
	answers, fromServer := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- instance.ServeMCP(t.Context(), requests, fromServer) }()

	for _, era := range []string{load.Modern, load.Legacy} {
		client, err := load.Open(answers, toServer, era)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if err := client.Structured(workload.Place, workload.Arguments, &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(workload.Result), &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the result is %v, want %v", era, got, want)
		}
		var usage workload.Memory
		if err := client.Structured(workload.Usage, "{}", &usage); err != nil || usage.Bytes == 0 {
			t.Errorf("%s: usage %+v, %v", era, usage, err)
		}
	}
	toServer.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if err := instance.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
