package confirm

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func keeper(t testing.TB, now func() time.Time) *Keeper {
	t.Helper()
	k, err := New(nil, now)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

var destroy12 = Binding{Tool: "customers_destroy", Client: "Claude", Arguments: []byte(`{"id":12}`)}

const question = "Delete customer #12, Ada Lovelace?"

func TestS46_StateIsGoodForOneCallOnly(t *testing.T) {
	t.Parallel()
	k := keeper(t, nil)
	state, err := k.Issue(destroy12, question)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]Binding{
		"another tool":      {Tool: "orders_destroy", Client: "Claude", Arguments: destroy12.Arguments},
		"another client":    {Tool: "customers_destroy", Client: "Cursor", Arguments: destroy12.Arguments},
		"other arguments":   {Tool: "customers_destroy", Client: "Claude", Arguments: []byte(`{"id":13}`)},
		"shifted boundary":  {Tool: "customers_destroyC", Client: "laude", Arguments: destroy12.Arguments},
		"beyond 2^53 by 1":  {Tool: "customers_destroy", Client: "Claude", Arguments: []byte(`{"id":9007199254740993}`)},
		"without arguments": {Tool: "customers_destroy", Client: "Claude"},
	} {
		if err := k.Redeem(state, b, question); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v, want ErrForeign", name, err)
		}
	}
	if err := k.Check(state, destroy12); err != nil {
		t.Fatalf("Check: %v", err)
	}
	if err := k.Redeem(state, destroy12, question); err != nil {
		t.Fatalf("Redeem: %v", err)
	}
	if err := k.Redeem(state, destroy12, question); !errors.Is(err, ErrUsed) {
		t.Errorf("second Redeem: %v, want ErrUsed", err)
	}
	if err := k.Check(state, destroy12); !errors.Is(err, ErrUsed) {
		t.Errorf("Check of a spent state: %v, want ErrUsed", err)
	}
}

func TestS46_StateExpires(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	k := keeper(t, func() time.Time { return now })
	state, _ := k.Issue(destroy12, question)
	now = now.Add(TTL)
	if err := k.Check(state, destroy12); err != nil {
		t.Errorf("in its last second: %v", err)
	}
	now = now.Add(time.Second)
	if err := k.Redeem(state, destroy12, question); !errors.Is(err, ErrExpired) {
		t.Errorf("after %v: %v, want ErrExpired", TTL, err)
	}
}

func TestS46_ClockThatJumpsExtendsNothing(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	k := keeper(t, func() time.Time { return now })
	state, _ := k.Issue(destroy12, question)
	now = now.Add(TTL + time.Second)
	if err := k.Check(state, destroy12); !errors.Is(err, ErrExpired) {
		t.Fatalf("after %v: %v, want ErrExpired", TTL, err)
	}
	now = now.Add(-time.Hour)
	if err := k.Redeem(state, destroy12, question); !errors.Is(err, ErrExpired) {
		t.Errorf("after the clock was set back: %v, want ErrExpired", err)
	}
}

func TestChangedQuestionSpendsTheState(t *testing.T) {
	t.Parallel()
	k := keeper(t, nil)
	state, _ := k.Issue(destroy12, question)
	if err := k.Redeem(state, destroy12, "Delete customer #12, Grace Hopper?"); !errors.Is(err, ErrChanged) {
		t.Errorf("another question: %v, want ErrChanged", err)
	}
	if err := k.Redeem(state, destroy12, question); !errors.Is(err, ErrUsed) {
		t.Errorf("the first question once more: %v, want ErrUsed", err)
	}
}

func TestS46_ConcurrentRedemptionRunsOnce(t *testing.T) {
	t.Parallel()
	k := keeper(t, nil)
	state, _ := k.Issue(destroy12, question)
	var redeemed atomic.Int32
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			if k.Redeem(state, destroy12, question) == nil {
				redeemed.Add(1)
			}
		})
	}
	wg.Wait()
	if n := redeemed.Load(); n != 1 {
		t.Errorf("one state was redeemed %d times", n)
	}
}

func FuzzS46_HostileState(f *testing.F) {
	k := keeper(f, nil)
	state, _ := k.Issue(destroy12, question)
	f.Add(state)
	f.Add("")
	f.Add(state[:len(state)-1])
	f.Add(state + "=")
	f.Fuzz(func(t *testing.T, s string) {
		if err := k.Check(s, destroy12); err == nil && s != state {
			t.Errorf("a state that was never issued is accepted: %q", s)
		}
	})
}

// TestS46_NoDoubleRunInManyReplays uses each of many states from several goroutines at once.
func TestS46_NoDoubleRunInManyReplays(t *testing.T) {
	t.Parallel()
	k := keeper(t, nil)
	const states, replays = 5_000, 20 // 100,000 attempts, within what is remembered at once
	var redeemed atomic.Int32
	for range states {
		state, err := k.Issue(destroy12, question)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range replays / 4 {
					if k.Redeem(state, destroy12, question) == nil {
						redeemed.Add(1)
					}
				}
			})
		}
		wg.Wait()
	}
	if n := redeemed.Load(); n != states {
		t.Errorf("%d states were redeemed %d times in %d attempts", states, n, states*replays)
	}
}

// BenchmarkRoundTrip is what a confirmation costs beside the question: a state signed, checked and redeemed.
func BenchmarkRoundTrip(b *testing.B) {
	k := keeper(b, func() time.Time { return time.Unix(0, 0) })
	for i := 0; b.Loop(); i++ {
		if i%maxUsed == 0 {
			k = keeper(b, nil)
		}
		state, err := k.Issue(destroy12, question)
		if err != nil {
			b.Fatal(err)
		}
		if err := errors.Join(k.Check(state, destroy12), k.Redeem(state, destroy12, question)); err != nil {
			b.Fatal(err)
		}
	}
}
