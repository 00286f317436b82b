package liveload

import (
	"path/filepath"
	"testing"
	"time"
)

func open(t *testing.T, o Options) *World {
	t.Helper()
	w, err := Open(t.Context(), filepath.Join(t.TempDir(), "live.db"), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// TestRunsAreThoseThatAreDue is the promise that the table prints: no query runs for nothing.
func TestRunsAreThoseThatAreDue(t *testing.T) {
	t.Parallel()
	for byTable, want := range map[bool]float64{false: 0, true: 600} {
		m, err := open(t, Options{ByTable: byTable}).Mix(t.Context(), 4)
		if err != nil {
			t.Fatal(err)
		}
		if !byTable {
			want = m.Due
		}
		if m.Ran != want || m.Due < 5 || m.Queries != 600 {
			t.Errorf("by table %v: %+v, want %v runs a commit", byTable, m, want)
		}
	}
}

func TestPolledAndTrackedPagesAreTheSame(t *testing.T) {
	t.Parallel()
	w := open(t, Options{})
	pages, err := w.FollowPages()
	if err != nil {
		t.Fatal(err)
	}
	tracked, err := w.PushPages(t.Context(), pages, 2)
	if err != nil || tracked.Runs != Affected || len(tracked.Whole) != 2 {
		t.Errorf("tracked: %+v, %v", tracked, err)
	}
	polled, err := open(t, Options{}).PollPages(t.Context(), 25*time.Millisecond, 2)
	if err != nil || polled.Runs < 100 || len(polled.Whole) != 2 {
		t.Errorf("polled: %+v, %v", polled, err)
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	var all Times
	for i := range 100 {
		all = append(all, time.Duration(100-i)*time.Millisecond)
	}
	if all.At(0.5) != 51 || all.At(1) != 100 || (Times{}).At(0.5) != 0 {
		t.Errorf("median %v, slowest %v", all.At(0.5), all.At(1))
	}
}
