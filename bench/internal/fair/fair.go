// Package fair holds that the servers of a comparison do the same: that each answers a call of the common tool with the same
// result, in both eras. It promises nothing about speed, must import none of the servers, and only tests import it.
package fair

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/elyra-go/elyra/bench/internal/load"
	"github.com/elyra-go/elyra/bench/internal/workload"
)

// Check calls the tools of a server in each era, over a connection each.
func Check(t *testing.T, serve func(ctx context.Context, in io.Reader, out io.WriteCloser) error, eras ...string) {
	t.Helper()
	for _, era := range eras {
		requests, toServer := io.Pipe()
		answers, fromServer := io.Pipe()
		served := make(chan error, 1)
		go func() { served <- serve(t.Context(), requests, fromServer) }()
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
		toServer.Close()
		if err := <-served; err != nil && !errors.Is(err, io.EOF) {
			t.Error(err)
		}
	}
}
