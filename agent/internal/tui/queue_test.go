package tui

import (
	"testing"
	"testing/synctest"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

var _ Agent = (*loop.Agent)(nil)

func TestStepsOfOneTextBecomeOne(t *testing.T) {
	t.Parallel()
	q := newQueue()
	first := says("a")
	for _, e := range []loop.Event{first, says("b"), step(model.EventThinking, "c"), says("d"), {Kind: loop.KindEnd}, says("e")} {
		q.put(e)
	}
	var got []string
	for _, item := range q.take() {
		e := item.(loop.Event)
		if e.Stream == nil {
			got = append(got, string(e.Kind))
		} else {
			got = append(got, e.Stream.Text)
		}
	}
	if len(got) != 5 || got[0] != "ab" || first.Stream.Text != "a" {
		t.Errorf("got %q; the first event has become %q", got, first.Stream.Text)
	}
}

func TestWhoBringsTooMuchWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		put, taken := 0, make(chan bool, 1)
		go func() {
			for range maxWaiting + 1 {
				q.put(settledMsg{})
				put++
			}
			taken <- true
		}()
		synctest.Wait()
		if put != maxWaiting {
			t.Errorf("%d were put without waiting", put)
		}
		if n := len(q.take()); n != maxWaiting {
			t.Errorf("%d were taken", n)
		}
		<-taken
		q.close()
		if q.put(settledMsg{}) {
			t.Error("put into a closed queue")
		}
	})
}
