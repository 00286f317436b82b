// Package nearest finds the name that somebody who mistyped another one most likely meant.
// It owns nothing but the comparison and imports only the standard library.
package nearest

// Name returns the candidate closest to got by edit distance, or "" when none is close enough to
// be worth suggesting: more than a third of the longer name would have to change. Letter case is
// ignored, so that a name differing only in case is always found.
func Name(got string, candidates []string) string {
	best, bestDistance := "", -1
	for _, c := range candidates {
		d := distance(fold(got), fold(c))
		if d > (max(len(got), len(c))+1)/3 {
			continue
		}
		if bestDistance < 0 || d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// Hint is Name as the tail of an error message: `; did you mean "customers.view"?`, or "".
func Hint(got string, candidates []string) string {
	if n := Name(got, candidates); n != "" {
		return `; did you mean "` + n + `"?`
	}
	return ""
}

// fold lower-cases ASCII and bounds the length, since the names compared may be untrusted.
func fold(s string) string {
	b := []byte(s[:min(len(s), 128)])
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// distance is the optimal string alignment distance in bytes: insertions, deletions, substitutions
// and swapped neighbours cost one each.
func distance(a, b string) int {
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
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
