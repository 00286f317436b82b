package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// table collects what was measured.
type table struct {
	columns []string
	rows    [][]string // cells by column; those at the end that are empty may be absent
	notes   []string   // lines below it
}

// against is a table of our figures beside those of something else.
func against(other string) table {
	return table{columns: []string{"measured", "elyra", other, "elyra/" + other, "target", "met"}}
}

// add adds a row.
func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// target is a bound for a figure or a ratio. Its zero value is none.
type target struct {
	relation string // "≥", "≤" or "="
	bound    float64
	unit     string // "×" for a ratio
}

// met says in a word whether v keeps the bound.
func (t target) met(v float64) string {
	switch {
	case t.relation == "":
		return ""
	case t.relation == "≥" && v >= t.bound, t.relation == "≤" && v <= t.bound, t.relation == "=" && v == t.bound:
		return "yes"
	}
	return "no"
}

func (t target) String() string {
	if t.relation == "" {
		return ""
	}
	return t.relation + " " + figure(t.bound) + t.unit
}

// compared adds a row of two series of rounds, in the order in which they ran.
func (t *table) compared(what, unit string, ours, other []float64, bound target) {
	ratio := median(ratios(ours, other))
	t.add(what, figure(median(ours))+unit, figure(median(other))+unit, fmt.Sprintf("%.2f×", ratio), bound.String(), bound.met(ratio))
}

// absolute adds a row whose bound is for our figure. A figure of 0 was not measured.
func (t *table) absolute(what, unit string, ours, other float64, bound target) {
	us, them, ratio, met := figure(ours)+unit, figure(other)+unit, "", bound.met(ours)
	if ours == 0 {
		us, met = "not measured here", ""
	}
	if other == 0 {
		them = ""
	} else {
		ratio = fmt.Sprintf("%.2f×", ours/other)
	}
	t.add(what, us, them, ratio, bound.String(), met)
}

// headingMark begins a row that is a heading.
const headingMark = "— "

// heading adds a line above the rows that follow.
func (t *table) heading(text string) { t.add(headingMark + text) }

// print writes the table with columns as wide as their widest cell. A heading may be wider.
func (t *table) print(w io.Writer) error {
	lines := append([][]string{t.columns}, t.rows...)
	widths := make([]int, len(t.columns))
	for _, cells := range lines {
		for i, cell := range cells {
			if len(cells) > 1 {
				widths[i] = max(widths[i], utf8.RuneCountInString(cell))
			}
		}
	}
	var out strings.Builder
	for _, cells := range lines {
		var line strings.Builder
		for i, cell := range cells {
			fmt.Fprintf(&line, "%-*s   ", widths[i], cell)
		}
		fmt.Fprintln(&out, strings.TrimRight(line.String(), " "))
	}
	fmt.Fprintf(&out, "\n%s\n", strings.Join(t.notes, "\n"))
	_, err := io.WriteString(w, out.String())
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
