package ratelimit

import (
	"testing"
	"time"
)

func TestAtMostNInAnyWindow(t *testing.T) {
	t.Parallel()
	l, start := New(3, time.Minute), time.Unix(1000, 0)
	at := func(sec int) (bool, time.Duration) { return l.Allow("k", start.Add(time.Duration(sec)*time.Second)) }
	for _, tt := range []struct {
		sec  int
		ok   bool
		wait time.Duration
	}{
		{0, true, 0},
		{30, true, 0},
		{50, true, 0},
		{59, false, time.Second},
		{60, true, 0}, // the first left the window
		{61, false, 29 * time.Second},
		{90, true, 0},
		{91, false, 19 * time.Second},
		{300, true, 0},
		{300, true, 0},
		{300, true, 0},
		{300, false, time.Minute},
	} {
		if ok, wait := at(tt.sec); ok != tt.ok || wait != tt.wait {
			t.Errorf("at %d s: %v, %v; want %v, %v", tt.sec, ok, wait, tt.ok, tt.wait)
		}
	}
}

func TestKeysAreCountedApart(t *testing.T) {
	t.Parallel()
	l, now := New(1, time.Minute), time.Unix(0, 0)
	for _, key := range []string{"a", "b"} {
		if ok, _ := l.Allow(key, now); !ok {
			t.Errorf("the first event of %s was refused", key)
		}
	}
	if ok, _ := New(0, time.Minute).Allow("a", now); ok {
		t.Error("a limit of 0 admitted an event")
	}
}

// BenchmarkAllow is what the limit costs a call.
func BenchmarkAllow(b *testing.B) {
	l, now := New(60, time.Minute), time.Unix(0, 0)
	for b.Loop() {
		now = now.Add(time.Second)
		if ok, _ := l.Allow("customers_store", now); !ok {
			b.Fatal("refused")
		}
	}
}
