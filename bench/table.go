package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// row is one line of the table. Its cells are text already.
type row struct{ what, ours, sdk, ratio, target, met string }

// table collects what was measured.
type table struct {
	rows  []row
	notes []string // lines below it
}

// target is a bound for a figure or a ratio. Its zero value is none.
type target struct {
	relation string // "≥" or "≤"
	bound    float64
	unit     string // "×" for a ratio
}

// met says in a word whether v keeps the bound.
func (t target) met(v float64) string {
	switch {
	case t.relation == "":
		return ""
	case t.relation == "≥" && v >= t.bound, t.relation == "≤" && v <= t.bound:
		return "yes"
	}
	return "no"
}

func (t target) String() string {
	if t.relation == "" {
		return ""
	}
	return fmt.Sprintf("%s %.4g%s", t.relation, t.bound, t.unit)
}

// compared adds a row of two series of rounds, in the order in which they ran.
func (t *table) compared(what, unit string, ours, sdk []float64, bound target) {
	ratio := median(ratios(ours, sdk))
	t.rows = append(t.rows, row{
		what, figure(median(ours)) + unit, figure(median(sdk)) + unit, fmt.Sprintf("%.2f×", ratio), bound.String(), bound.met(ratio),
	})
}

// absolute adds a row whose bound is for our figure. A figure of 0 was not measured.
func (t *table) absolute(what, unit string, ours, sdk float64, bound target) {
	r := row{what: what, ours: figure(ours) + unit, sdk: figure(sdk) + unit, target: bound.String(), met: bound.met(ours)}
	if ours == 0 {
		r.ours, r.met = "not measured here", ""
	}
	if sdk == 0 {
		r.sdk = ""
	} else {
		r.ratio = fmt.Sprintf("%.2f×", ours/sdk)
	}
	t.rows = append(t.rows, r)
}

// heading adds a line above the rows that follow.
func (t *table) heading(text string) { t.rows = append(t.rows, row{what: "— " + text}) }

func (t *table) print(w io.Writer) error {
	columns := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(columns, "measured\telyra\tSDK\telyra/SDK\ttarget\tmet")
	for _, r := range t.rows {
		line := strings.Join([]string{r.what, r.ours, r.sdk, r.ratio, r.target, r.met}, "\t")
		fmt.Fprintln(columns, strings.TrimRight(line, "\t"))
	}
	if err := columns.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", strings.Join(t.notes, "\n"))
	return err
}

// median returns the middle of the values, 0 for none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// ratios divides each round by its neighbour.
func ratios(a, b []float64) []float64 {
	var list []float64
	for i := range min(len(a), len(b)) {
		if b[i] != 0 {
			list = append(list, a[i]/b[i])
		}
	}
	return list
}

// figure writes v with three digits or all before the point, grouped.
func figure(v float64) string {
	if v < 100 {
		return fmt.Sprintf("%.3g", v)
	}
	digits := fmt.Sprintf("%.0f", v)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
