package adapter_test

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/adapter"
)

func TestCallsOfAnAnswerThatFailedMayNotRun(t *testing.T) {
	t.Parallel()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		stop model.Stop
		err  error
		want model.Stop
	}{
		{"error", t.Context(), "", &model.Error{Kind: model.ErrServer, Message: "x"}, model.StopError},
		{"no stop", t.Context(), "", nil, model.StopError},
		{"cancelled", cancelled, "", nil, model.StopCancelled},
		{"refused", t.Context(), model.StopRefusal, nil, model.StopRefusal},
	} {
		a := adapter.NewAnswer("v", model.Spec{}, func(model.Event) {})
		a.StartCall("1", "a", "read")
		a.Arguments("1", "{}")
		a.EndCall("1", "")
		a.StartCall("2", "b", "read")
		a.Arguments("2", "{}")
		m, err := a.End(tt.ctx, tt.stop, tt.err)
		calls := m.Calls()
		if m.Stop != tt.want || (err == nil) != (tt.want == model.StopRefusal) ||
			calls[0].Broken != model.BrokenAnswer || calls[1].Broken != model.BrokenCut || calls[0].Raw != "{}" {
			t.Errorf("%s: stop %q, %v, %+v %+v", tt.name, m.Stop, err, calls[0], calls[1])
		}
	}
}

func TestAnswerThatWasCompleteBeforeTheContextEndedIsComplete(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	a := adapter.NewAnswer("v", model.Spec{}, func(model.Event) {})
	a.Text("0", "all")
	cancel()
	if m, err := a.End(ctx, model.StopEnd, nil); err != nil || m.Stop != model.StopEnd {
		t.Errorf("%v, stop %q", err, m.Stop)
	}
}

func TestUsageBelowNothingIsNone(t *testing.T) {
	t.Parallel()
	a := adapter.NewAnswer("v", model.Spec{Price: model.Price{Input: 1e6}}, func(model.Event) {})
	a.Usage(model.Usage{Input: -5, Output: 2})
	if m, _ := a.End(t.Context(), model.StopEnd, nil); m.Usage.Input != 0 || m.Usage.Output != 2 || m.Cost != 0 {
		t.Errorf("%+v %v", m.Usage, m.Cost)
	}
}

// FuzzAnswer does what a stream may, in any order, and holds the promises about calls and about blocks.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7}, uint8(0), true)
	f.Add([]byte{2, 3, 4, 12, 13, 14, 2, 4}, uint8(1), false)
	stops := []model.Stop{"", model.StopEnd, model.StopCalls, model.StopLength, model.StopRefusal}
	pieces := []string{"{", "}", `"a":1`, "x", ""}
	f.Fuzz(func(t *testing.T, steps []byte, stop uint8, fails bool) {
		if len(steps) > 200 {
			return
		}
		count := 0
		a := adapter.NewAnswer("v", model.Spec{Provider: "v", ID: "m"}, func(e model.Event) { count = max(count, e.Block+1) })
		for i, s := range steps {
			key, more := strconv.Itoa(int(s)/50), pieces[i%len(pieces)]
			switch s % 8 {
			case 0:
				a.Text(key, more)
			case 1:
				a.Thinking(key, more)
			case 2:
				a.StartCall(key, "id", "name")
			case 3:
				a.Arguments(key, more)
			case 4:
				a.EndCall(key, "")
			case 5:
				a.Sign(key, more)
			case 6:
				a.Opaque(key, []byte(more))
			case 7:
				a.EndCall(key, "{}")
			}
		}
		var failed error
		if fails {
			failed = errors.New("broke")
		}
		m, err := a.End(t.Context(), stops[int(stop)%len(stops)], failed)
		if (err != nil) != (m.Stop == model.StopError) || m.Stop == "" || count > len(m.Content) && len(m.Content) > 0 {
			t.Fatalf("stop %q, error %v, %d blocks, events of %d", m.Stop, err, len(m.Content), count)
		}
		runnable := 0
		for _, c := range m.Calls() {
			if (c.Broken == "") != (c.Arguments != nil) {
				t.Fatalf("%+v", c)
			}
			if c.Broken == "" {
				runnable++
			}
		}
		if runnable > 0 && m.Stop != model.StopCalls && m.Stop != model.StopLength {
			t.Fatalf("%d calls may run after stop %q", runnable, m.Stop)
		}
	})
}
