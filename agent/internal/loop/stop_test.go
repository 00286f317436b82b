package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// A tool that is stopped ends the whole work: calls beside it are cancelled, later ones do not run, and what it says and has
// used counts.
func TestAToolThatIsStoppedEndsTheWork(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	stops := tool{name: "stops", reads: true, do: func(context.Context, string) (Output, error) {
		<-begun
		out := Output{Content: []model.Block{model.Text("half of it")}, IsError: true, Cost: 2, Usage: model.Usage{Output: 7}}
		return out, fmt.Errorf("the user did not allow this: %w", ErrStop)
	}}
	waits := tool{name: "waits", reads: true, do: func(ctx context.Context, _ string) (Output, error) {
		close(begun)
		<-ctx.Done()
		return Output{}, context.Cause(ctx)
	}}
	never := tool{name: "never", do: func(context.Context, string) (Output, error) {
		t.Error("a call after the stop has run")
		return Output{}, nil
	}}
	a, s, _ := agent(t, nil, []Tool{stops, waits, never}, calls(call("1", "waits", `{}`), call("2", "stops", `{}`), call("3", "never", `{}`)))
	_, err := a.Prompt(t.Context(), model.Text("go"))
	if !errors.Is(err, ErrStop) || len(s.requests) != 1 {
		t.Errorf("%v after %d requests", err, len(s.requests))
	}
	h := a.History()
	got := results(h[len(h)-1])
	if !strings.Contains(got, "! the user did not allow this: stopped by the user | ! half of it | ! the user stopped the work") {
		t.Error(got)
	}
	if totals := a.Totals(); totals.Cost != 2 || totals.Usage.Output != 7 {
		t.Errorf("%+v", totals)
	}
}

// A stop at the gate ends the calls that run already: nobody waits for them.
func TestAStopAtTheGateEndsWhatRuns(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	waits := tool{name: "waits", reads: true, do: func(ctx context.Context, _ string) (Output, error) {
		close(begun)
		<-ctx.Done()
		return Output{}, context.Cause(ctx)
	}}
	stop := decides(func(c *model.Call) error {
		if c.Name != "echo" {
			return nil
		}
		<-begun
		return fmt.Errorf("no: %w", ErrStop)
	})
	a, _, _ := agent(t, func(o *Options) { o.Gate = stop }, []Tool{waits, echo()}, calls(call("1", "waits", `{}`), call("2", "echo", `{}`)))
	if _, err := a.Prompt(t.Context(), model.Text("go")); !errors.Is(err, ErrStop) {
		t.Error(err)
	}
}

// What a tool that failed has used counts all the same.
func TestWhatAFailedToolHasUsedCounts(t *testing.T) {
	t.Parallel()
	fails := tool{name: "fails", do: func(context.Context, string) (Output, error) {
		return Output{Content: []model.Block{model.Text("not seen")}, Cost: 3}, errors.New("no disk")
	}}
	a, s, _ := agent(t, nil, []Tool{fails}, calls(call("1", "fails", `{}`)), says("well"))
	if _, err := a.Prompt(t.Context(), model.Text("go")); err != nil {
		t.Fatal(err)
	}
	if got := results(s.requests[1].Messages[2]); got != "! no disk" || a.Totals().Cost != 3 {
		t.Errorf("%q, $%g", got, a.Totals().Cost)
	}
}

// decides is a gate that is a function.
type decides func(*model.Call) error

func (d decides) Allow(_ context.Context, c *model.Call) error { return d(c) }
