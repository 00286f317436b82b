package walk

import (
	"bufio"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Bounds of an ignore file.
const (
	maxIgnoreFile = 1 << 20
	maxRules      = 10_000
)

// rule is one line of an ignore file.
type rule struct {
	match   func(string) bool
	keep    bool // begins with !
	folders bool // ends with /
	whole   bool // is about the path from the file's folder on, not about a name
}

// rules are those of one folder, and those above it.
type rules struct {
	base  string // the folder, relative to the root, "" for the root itself
	list  []rule
	above *rules
}

// ignored reports whether a path, relative to the root and with slashes, is to be left out. What is below an ignored folder
// is not asked about.
func (r *rules) ignored(rel string, folder bool) bool {
	for ; r != nil; r = r.above {
		local := strings.TrimPrefix(strings.TrimPrefix(rel, r.base), "/")
		name := path.Base(local)
		for i := len(r.list) - 1; i >= 0; i-- {
			one := &r.list[i]
			if one.folders && !folder {
				continue
			}
			subject := name
			if one.whole {
				subject = local
			}
			if one.match(subject) {
				return !one.keep
			}
		}
	}
	return false
}

// read adds the rules in the ignore files of a folder, if there are any.
func (r *rules) read(folder, base string, names ...string) *rules {
	var list []rule
	for _, name := range names {
		list = append(list, readRules(filepath.Join(folder, filepath.FromSlash(name)))...)
	}
	if list == nil {
		return r
	}
	return &rules{base, list, r}
}

// readRules reads an ignore file. One that is absent or makes no sense has no rules.
func readRules(file string) []rule {
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnoreFile {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	return parseRules(io.LimitReader(f, maxIgnoreFile))
}

func parseRules(r io.Reader) []rule {
	var list []rule
	lines := bufio.NewScanner(r)
	for lines.Scan() && len(list) < maxRules {
		if one, ok := parseRule(strings.TrimPrefix(lines.Text(), "\ufeff")); ok {
			list = append(list, one)
		}
	}
	return list
}

func parseRule(line string) (rule, bool) {
	line = strings.TrimSuffix(line, "\r")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if line == "" || line[0] == '#' {
		return rule{}, false
	}
	var r rule
	if line[0] == '!' {
		r.keep, line = true, line[1:]
	}
	line, r.folders = strings.CutSuffix(line, "/")
	r.whole = strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if rest, ok := strings.CutPrefix(line, "**/"); ok && !strings.Contains(rest, "/") {
		line, r.whole = rest, false // The same, and faster.
	}
	var err error
	if r.match, err = compile(line, false); err != nil || line == "" {
		return rule{}, false
	}
	return r, true
}
