package edits

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Bounds of what an error shows.
const (
	maxShown = 12  // lines
	maxWidth = 160 // bytes of a line
	maxNamed = 8   // lines of an ambiguous quote
)

// maxCompared bounds the work of looking for the nearest lines.
const maxCompared = 20 << 20 // bytes

// ambiguous says that a quote stands on several lines.
func ambiguous(lines []int) error {
	var list strings.Builder
	for i, n := range lines {
		switch {
		case i == maxNamed:
			fmt.Fprintf(&list, " and %d more", len(lines)-i)
		case i > 0:
			fmt.Fprintf(&list, ", %d", n)
		case i == 0:
			fmt.Fprintf(&list, "%d", n)
		}
		if i == maxNamed {
			break
		}
	}
	return fmt.Errorf("the old text is found %d times, on the lines %s: quote more of the lines around the one that you mean, "+
		"or set replaceAll to change all", len(lines), list.String())
}

// notFound says that a quote is not there, and what comes nearest to it.
func (d *document) notFound(old, replacement string) error {
	if replacement != "" && strings.TrimSpace(replacement) != "" && strings.Contains(unix(d.text), replacement) {
		return errors.New("the old text is not in the file, but the new text is: the edit may have been made already")
	}
	lines := strings.Split(strings.TrimSuffix(old, "\n"), "\n")
	at := d.nearest(lines)
	if at < 0 {
		return errors.New("the old text is not in the file, nor anything like it: read the file again, and quote it exactly")
	}
	var b strings.Builder
	b.WriteString("the old text is not in the file. The nearest lines are:\n")
	last := min(at+min(len(lines), maxShown), len(d.starts))
	for n := at; n < last; n++ {
		fmt.Fprintf(&b, "%d\t%s\n", n+1, clip(d.line(n)))
	}
	if len(lines) > maxShown {
		fmt.Fprintf(&b, "… and %d more\n", len(lines)-maxShown)
	}
	b.WriteString("Quote them exactly, without the numbers")
	return errors.New(b.String())
}

// clip shortens a line that is shown.
func clip(line string) string {
	if len(line) <= maxWidth {
		return line
	}
	end := maxWidth
	for end > 0 && !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end] + "…"
}

// nearest returns the line of the document from which on most of the lines stand, -1 when none of them does. A single line,
// or a first one, may also be alike.
func (d *document) nearest(lines []string) int {
	wanted := map[string][]int{}
	for i, line := range lines {
		if bare := strings.TrimSpace(line); len(bare) > 1 && len(wanted[bare]) < maxNamed {
			wanted[bare] = append(wanted[bare], i)
		}
	}
	votes := map[int]int{}
	best := -1
	for n := range d.starts {
		for _, i := range wanted[strings.TrimSpace(d.line(n))] {
			at := n - i
			if at < 0 {
				continue
			}
			if votes[at]++; best < 0 || votes[at] > votes[best] {
				best = at
			}
		}
	}
	if best >= 0 {
		return best
	}
	return d.alike(lines)
}

// alike returns the line that shares most with the longest of the lines, when that is at least half of it.
func (d *document) alike(lines []string) int {
	longest := 0
	for i, line := range lines {
		if len(strings.TrimSpace(line)) > len(strings.TrimSpace(lines[longest])) {
			longest = i
		}
	}
	want := pieces(strings.TrimSpace(lines[longest]))
	best, most, work := -1, 0.5, 0
	for n := range d.starts {
		line := d.line(n)
		if work += min(len(line), 4*maxWidth); work > maxCompared {
			break
		}
		got := pieces(strings.TrimSpace(line))
		if len(want) == 0 || len(got) == 0 {
			continue
		}
		shared := 0
		for p := range got {
			if want[p] {
				shared++
			}
		}
		if score := 2 * float64(shared) / float64(len(want)+len(got)); score > most {
			best, most = n, score
		}
	}
	if best < 0 {
		return -1
	}
	return max(0, best-longest)
}

// pieces returns the triples of bytes in a line.
func pieces(line string) map[string]bool {
	line = line[:min(len(line), 4*maxWidth)]
	set := map[string]bool{}
	for i := 0; i+3 <= len(line); i++ {
		set[line[i:i+3]] = true
	}
	return set
}
