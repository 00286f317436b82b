package main

import (
	"strings"
	"testing"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		values []float64
		want   float64
	}{
		{"none", nil, 0},
		{"one", []float64{7}, 7},
		{"odd, not sorted", []float64{9, 1, 4}, 4},
		{"even", []float64{8, 2, 4, 6}, 5},
	}
	for _, tt := range tests {
		if got := median(tt.values); got != tt.want {
			t.Errorf("%s: median = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestFigure(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{0: "0", 0.1234: "0.123", 9.876: "9.88", 99.94: "99.9", 100: "100", 12345.6: "12,346", 1e6: "1,000,000"} {
		if got := figure(v); got != want {
			t.Errorf("figure(%v) = %q, want %q", v, got, want)
		}
	}
}

// A machine that is slow for a while is slow for both, so a ratio must not come from the medians.
func TestRatioComparesNeighbours(t *testing.T) {
	t.Parallel()
	tab := against("SDK")
	tab.compared("calls", "/s", []float64{300, 30, 3000}, []float64{100, 10, 1000}, target{"≥", 3, "×"})
	tab.compared("bytes", " B", []float64{2, 2, 2}, []float64{4, 4, 4}, target{"≤", 0.1, "×"})
	tab.absolute("size", " MB", 0, 5, target{"≤", 12, " MB"})
	var text strings.Builder
	if err := tab.print(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"elyra/SDK", "3.00×", "≥ 3×", "yes", "0.50×", "≤ 0.1×", "no", "not measured here"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, &text)
		}
	}
}

func TestColumnsAreAligned(t *testing.T) {
	t.Parallel()
	tab := table{columns: []string{"measured", "ours", "theirs", "met"}, notes: []string{"A note."}}
	tab.heading("a heading that is wider than its column")
	tab.add("pushes", "1.5 µs", "", "yes")
	tab.add("more pushes than before", "2 ms", "30 ms")
	var text strings.Builder
	if err := tab.print(&text); err != nil {
		t.Fatal(err)
	}
	const want = `measured                  ours     theirs   met
— a heading that is wider than its column
pushes                    1.5 µs            yes
more pushes than before   2 ms     30 ms

A note.
`
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &text, want)
	}
}
