package broker

import (
	"context"
	"os"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// BenchmarkCall is what a call costs both ends together over real pipes, without a change of process: the rest of what
// swarm's BenchmarkCalls shows is the system's, and the server's.
func BenchmarkCall(b *testing.B) {
	echo := tool{"echo", func(_ context.Context, args string, _ func(string)) (loop.Output, error) { return says(args) }}
	toParent, fromChild, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	toChild, fromParent, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	desk := NewDesk([]loop.Tool{echo}, func(context.Context, loop.Tool, *model.Call) error { return nil }, 1<<40)
	parent, child := New(toParent, fromParent, ConnOptions{Serve: desk.Serve}), New(toChild, fromChild, ConnOptions{})
	ran := make(chan error, 2)
	for _, c := range []*Conn{parent, child} {
		go func() { ran <- c.Run() }()
	}
	remote := Tools(child, Offers([]loop.Tool{echo}))[0]
	call := &model.Call{Name: "echo", Arguments: jsontext.Value(`{"server":"demo","tool":"echo","arguments":{"text":"number 17"}}`)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := remote.Run(b.Context(), call, nil); err != nil {
			b.Fatal(err)
		}
	}
	fromChild.Close()
	fromParent.Close()
	for range 2 {
		if err := <-ran; err != nil {
			b.Error(err)
		}
	}
}
