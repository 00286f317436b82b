package changes

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/result"
)

const (
	submodule       = "160000" // the mode of a submodule's entry
	otherRepository = "a submodule: its own changes are in its own repository"
)

// entry is a changed file as git lists it.
type entry struct {
	old, path string // old: its name before, "" if that is the same
	submodule bool
	binary    bool
}

// flags keep git from starting what a repository's settings name, or those of a submodule in which it would look for changes.
func flags(part Scope, more ...string) []string {
	args := []string{"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", "--submodule=short", "--ignore-submodules=dirty", "--no-relative", "--src-prefix=a/", "--dst-prefix=b/"}
	if part == Staged {
		args = append(args, "--cached")
	}
	return append(args, more...)
}

// tracked adds the staged or the unstaged changes. Git runs at the top of the repository, where the paths begin.
func (s *Set) tracked(ctx context.Context, g *git, part Scope) error {
	listing, err := g.run(ctx, maxListing, "", flags(part, "--raw", "--numstat", "-z")...)
	if errors.Is(err, errMuch) {
		s.Notes = append(s.Notes, "There are so many changed files that not even all of their names were read.")
		listing = listing[:bytes.LastIndexByte(listing, 0)+1]
	} else if err != nil {
		return err
	}
	var wanted []entry
	for _, e := range parseListing(string(listing)) {
		why := generated(e.path)
		switch {
		case e.submodule:
			why = otherRepository
		case e.binary:
			why = "binary"
		}
		if why != "" {
			s.omit(e.path, why)
			continue
		}
		if len(s.Files)+len(wanted) >= maxFiles {
			s.omit(e.path, "there are too many changes to show all of them")
			continue
		}
		wanted = append(wanted, e)
	}
	for len(wanted) > 0 {
		some := wanted[:min(len(wanted), batch)]
		wanted = wanted[len(some):]
		if err := s.patches(ctx, g, part, some); err != nil {
			return err
		}
	}
	return nil
}

// patches adds the differences of some files.
func (s *Set) patches(ctx context.Context, g *git, part Scope, some []entry) error {
	args := flags(part, "--patch", "--")
	for _, e := range some {
		if e.old != "" {
			args = append(args, e.old)
		}
		args = append(args, e.path)
	}
	out, err := g.run(ctx, maxText+maxFileText, "", args...)
	if err != nil && !errors.Is(err, errMuch) {
		return err
	}
	texts := splitPatch(string(out))
	for _, e := range some {
		text, known := texts[e.header()]
		if !s.room(e.path) {
			continue
		}
		if !known { // A conflict, or a name that git writes in quotes, or one that came too late.
			out, err := g.run(ctx, maxFileText, "", flags(part, "--patch", "--", e.path)...)
			if err != nil && !errors.Is(err, errMuch) {
				return err
			}
			text = string(out)
		}
		s.Files = append(s.Files, File{Path: result.OneLine(e.path, 1000), From: part, Text: cut(text)})
	}
	return nil
}

// header is the line that the difference of an entry begins with.
func (e *entry) header() string {
	return "diff --git a/" + cmp.Or(e.old, e.path) + " b/" + e.path
}

// splitPatch returns the differences of files by their first lines. No line of a file's begins as these do.
func splitPatch(out string) map[string]string {
	const head = "diff --"
	texts := map[string]string{}
	for _, text := range strings.Split("\n"+out, "\n"+head)[1:] {
		line, _, _ := strings.Cut(text, "\n")
		texts[head+line] = head + text + "\n"
	}
	return texts
}

// cut is a difference as it is shown.
func cut(text string) string {
	text = result.Clean(text)
	if len(text) <= maxFileText {
		return text
	}
	at := result.CutAt(text, maxFileText)
	if end := strings.LastIndexByte(text[:at], '\n'); end > 0 {
		at = end + 1
	}
	return text[:at] + "(the rest of this file's changes is left out: " + result.Size(len(text)-at) + ")\n"
}

// parseListing reads the output of diff --raw --numstat -z: first all of one kind, then of the other.
func parseListing(out string) []entry {
	fields := strings.Split(out, "\x00")
	var all []entry
	at := map[string]int{}
	for i := 0; i < len(fields); i++ {
		if raw, ok := strings.CutPrefix(fields[i], ":"); ok {
			e, used := parseRaw(raw, fields[i+1:])
			if used == 0 {
				break // cut off
			}
			i += used
			if _, twice := at[e.path]; !twice { // as one in conflict is
				at[e.path] = len(all)
				all = append(all, e)
			}
			continue
		}
		added, rest, _ := strings.Cut(fields[i], "\t")
		_, path, ok := strings.Cut(rest, "\t")
		if !ok {
			continue
		}
		if path == "" { // renamed: both names follow
			if i+2 >= len(fields) {
				break
			}
			path = fields[i+2]
			i += 2
		}
		if n, known := at[path]; known {
			all[n].binary = added == "-"
		}
	}
	return all
}

// parseRaw reads an entry of the form "oldmode newmode oldhash newhash status" with the names that follow it. It returns how
// many names it has used, 0 when they are not there.
func parseRaw(raw string, names []string) (entry, int) {
	parts := strings.Fields(raw)
	if len(parts) != 5 || len(names) == 0 {
		return entry{}, 0
	}
	e := entry{path: names[0], submodule: parts[0] == submodule || parts[1] == submodule}
	if status := parts[4][0]; status == 'R' || status == 'C' {
		if len(names) < 2 {
			return entry{}, 0
		}
		e.old, e.path = names[0], names[1]
		return e, 2
	}
	return e, 1
}
