package search

import (
	"math/bits"
)

// resembling returns the term that a mistyped stem most likely is: the one with the fewest changes, of those the commonest.
// One change is allowed, two in a word of eight bytes. It returns "" when there is none.
func (x *Index) resembling(w string) string {
	allowed := 1
	if len(w) >= 8 {
		allowed = 2
	}
	mask := letters(w)
	best, bestChanges := "", allowed+1
	for t, n := range x.terms {
		if d := len(t) - len(w); d < -allowed || d > allowed || bits.OnesCount32(mask^letters(t)) > 2*allowed {
			continue
		}
		d := changes(w, t)
		if d > allowed || d > bestChanges || x.df[n] == 0 {
			continue
		}
		common := x.df[n] - x.df[x.terms[best]]
		if best == "" || d < bestChanges || common > 0 || common == 0 && t < best {
			best, bestChanges = t, d
		}
	}
	return best
}

// letters is the set of a word's bytes, folded to 32.
func letters(w string) uint32 {
	var m uint32
	for i := range len(w) {
		m |= 1 << (w[i] & 31)
	}
	return m
}

// changes is how many bytes have to be inserted, removed, replaced or swapped with their neighbour to make b of a.
func changes(a, b string) int {
	var rows [3][maxWord + 1]int
	before, prev, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
