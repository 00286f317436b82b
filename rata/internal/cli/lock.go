package cli

import (
	"fmt"
	"slices"
	"strings"
)

// lockHeader begins elyra.lock.
const lockHeader = "# The tools that an agent sees, written by rata generate --lock."

// lockColumns says what stands in each further line.
const lockColumns = "# Each line: the tool, its ability, what grants it, and what it may do."

// lock is the text of elyra.lock: a line for each tool, in the order of the names, so that a change of
// what agents may do is a line that changes.
func (d *description) lock() string {
	lines := []string{lockHeader, lockColumns}
	for _, t := range d.Tools {
		words := append([]string{oneWord(t.Name), oneWord(t.Ability), oneWord(t.Grant)}, strings.Join(t.effects(), ", "))
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, "\n") + "\n"
}

// oneWord keeps a text from being read as two words or lines. Names and abilities have no spaces.
func oneWord(text string) string { return strings.Join(strings.Fields(text), "") }

// effects are the hints that say what a call does; how often it may be is no matter of permission.
func (t *describedTool) effects() []string {
	unlimited := *t
	unlimited.RateLimit = ""
	return unlimited.hints()
}

// lockChanges says line by line how the tools differ from those in a lock. A tool that only a pattern
// grants is pointed out: nobody wrote down that agents may have it.
func lockChanges(old, now string) []string {
	before, after := lockLines(old), lockLines(now)
	var changes []string
	for _, name := range slices.Sorted(keysOf(before, after)) {
		was, is := before[name], after[name]
		words := strings.SplitN(is, " ", 4)
		switch {
		case was == is:
		case is == "":
			changes = append(changes, fmt.Sprintf("  gone: %s", name))
		case was == "" && len(words) == 4 && strings.HasSuffix(words[2], "*"):
			changes = append(changes, fmt.Sprintf("  new: %s (%s), exposed by the wildcard grant %s", name, words[3], words[2]))
		case was == "":
			changes = append(changes, fmt.Sprintf("  new: %s", is))
		default:
			changes = append(changes, fmt.Sprintf("  changed: %s\n  to:      %s", was, is))
		}
	}
	return changes
}

// lockLines are the lines by the tool's name.
func lockLines(text string) map[string]string {
	lines := map[string]string{}
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			name, _, _ := strings.Cut(line, " ")
			lines[name] = line
		}
	}
	return lines
}

// keysOf gives each name in any of the maps once.
func keysOf(all ...map[string]string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		seen := map[string]bool{}
		for _, m := range all {
			for name := range m {
				if !seen[name] && !yield(name) {
					return
				}
				seen[name] = true
			}
		}
	}
}
