package edits

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// maxCells bounds the work of comparing the lines of an old and a new text.
const maxCells = 4 << 20

// errIndentation says that a quote was found, and the new text does not fit.
var errIndentation = errors.New("the old text is there with another indentation, and the new text's cannot be derived from it: quote it exactly")

// rebuild writes the new text for what stands in a document where old was found. Have and old have the same number of
// lines. Lines that the edit leaves alone stay as they are in have, byte for byte; the others are adapted and get the line
// end.
func rebuild(have, old, replacement, ending string, adapt func(line string) (string, bool)) (string, error) {
	oldLines, newLines, haveLines := strings.Split(old, "\n"), strings.Split(replacement, "\n"), strings.Split(have, "\n")
	if len(oldLines) != len(haveLines) {
		return "", errors.New("the old text was found, but not line by line: quote it exactly")
	}
	same := align(oldLines, newLines)
	var b strings.Builder
	for j := range newLines {
		line, end := "", ending
		if i := same[j]; i >= 0 {
			line, end = cutEnd(haveLines, i, ending)
		} else {
			var ok bool
			if line, ok = adapted(j, newLines, oldLines, haveLines, same, adapt); !ok {
				return "", errIndentation
			}
		}
		b.WriteString(line)
		if j < len(newLines)-1 {
			b.WriteString(end)
		}
	}
	return b.String(), nil
}

// cutEnd returns line i and its end. The last line has none, so a \r in it is part of the text, and what follows it in the
// new text gets the end that is given.
func cutEnd(lines []string, i int, ending string) (line, end string) {
	if i == len(lines)-1 {
		return lines[i], ending
	}
	if line, ok := strings.CutSuffix(lines[i], "\r"); ok {
		return line, "\r\n"
	}
	return lines[i], "\n"
}

// adapted returns line j of the new text. One that replaces exactly one line keeps what both have in common as the document
// writes it.
func adapted(j int, newLines, oldLines, haveLines []string, same []int, adapt func(string) (string, bool)) (string, bool) {
	i := partner(j, same, len(oldLines))
	if i < 0 {
		return adapt(newLines[j])
	}
	have, _ := cutEnd(haveLines, i, "")
	if have != oldLines[i] {
		if line, ok := carry(have, oldLines[i], newLines[j]); ok {
			return line, true
		}
	}
	return adapt(newLines[j])
}

// partner returns the line of the old text that line j of the new one replaces, when as many lines are replaced by as many;
// else -1.
func partner(j int, same []int, count int) int {
	first, last := j, j
	for first > 0 && same[first-1] < 0 {
		first--
	}
	for last < len(same)-1 && same[last+1] < 0 {
		last++
	}
	from, to := 0, count
	if first > 0 {
		from = same[first-1] + 1
	}
	if last < len(same)-1 {
		to = same[last+1]
	}
	if to-from != last-first+1 {
		return -1
	}
	return from + j - first
}

// carry changes have as old was changed to line, when have and old are alike rune by rune.
func carry(have, old, line string) (string, bool) {
	h, o, n := []rune(strings.TrimRight(have, " \t")), []rune(strings.TrimRight(old, " \t")), []rune(line)
	if len(h) != len(o) || !utf8.ValidString(have) || !utf8.ValidString(line) {
		return "", false
	}
	for i := range h {
		if h[i] != o[i] && keyboard(h[i]) != string(o[i]) && keyboard(o[i]) != string(h[i]) && (keyboard(h[i]) == "" || keyboard(h[i]) != keyboard(o[i])) {
			return "", false
		}
	}
	p := 0
	for p < min(len(o), len(n)) && o[p] == n[p] {
		p++
	}
	q := 0
	for q < min(len(o), len(n))-p && o[len(o)-1-q] == n[len(n)-1-q] {
		q++
	}
	return string(h[:p]) + string(n[p:len(n)-q]) + string(h[len(h)-q:]), true
}

// align returns for each new line the old line that it is, or -1: a longest common subsequence.
func align(a, b []string) []int {
	same := make([]int, len(b))
	for j := range same {
		same[j] = -1
	}
	first := 0
	for first < min(len(a), len(b)) && a[first] == b[first] {
		same[first] = first
		first++
	}
	endA, endB := len(a), len(b)
	for endA > first && endB > first && a[endA-1] == b[endB-1] {
		endA--
		endB--
		same[endB] = endA
	}
	a, b = a[first:endA], b[first:endB]
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > maxCells {
		return same
	}
	width := len(b) + 1
	length := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			same[first+j] = first + i
			i++
			j++
		case length[(i+1)*width+j] >= length[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return same
}
