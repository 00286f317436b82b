// Package decision reads the records of decisions that a project keeps: Markdown files in a few known folders, with the front
// matter of MADR or without, as well as the older forms with "Date:" and "Status:" lines or sections.
//
// It promises that no file stops the others from being read, that what is wrong with one is said, and that it reads no more
// than a bounded part of a project. What it returns is clean text of the project's: data, not instructions.
package decision

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/elyra-go/elyra/agent/internal/result"
)

// Bounds of what is read.
const (
	maxFiles = 2000
	maxDepth = 4 // folders below one of Folders
	maxFile  = 256 << 10
)

// Folders returns where decisions are, from the project's folder.
func Folders() []string { return []string{"docs/adr", "docs/decisions", ".elyra/decisions"} }

// Decision is a recorded decision.
type Decision struct {
	Path    string // from the project's folder, with slashes
	Number  int    // that its file's name begins with, 0 for none
	Title   string
	Status  string // "" if it does not say
	Date    string // YYYY-MM-DD, "" if it does not say
	Summary string // its decision, or how it begins, in one line
	Text    string // all of it
}

// Problem is what is wrong with a file.
type Problem struct {
	Path    string `json:"path"`
	Problem string `json:"problem"`
}

// Found is what a project has recorded.
type Found struct {
	Decisions []Decision // the newest first
	Problems  []Problem
}

// Read reads the decisions of a project.
func Read(project string) Found {
	var f Found
	root, err := os.OpenRoot(project) // Links that lead out of the project lead nowhere.
	if err != nil {
		f.Problems = append(f.Problems, Problem{".", plain(err)})
		return f
	}
	defer root.Close()
	f.readAll(root)
	f.sort()
	return f
}

func (f *Found) readAll(root *os.Root) {
	files := 0
	for _, folder := range Folders() {
		// The error of the walk is only that there were too many.
		_ = fs.WalkDir(root.FS(), folder, func(name string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				f.problem(name, plain(err))
				return nil
			case e.IsDir() && strings.Count(name, "/")-strings.Count(folder, "/") > maxDepth:
				return fs.SkipDir
			case e.IsDir() || !isRecord(path.Base(name)):
				return nil
			}
			if files++; files > maxFiles {
				f.problem(folder, fmt.Sprintf("there are more than %d files: the others are not read", maxFiles))
				return fs.SkipAll
			}
			f.read(root, name)
			return nil
		})
	}
}

// isRecord reports whether a file may be a decision: not one about the others.
func isRecord(base string) bool {
	lower := strings.ToLower(base)
	stem, isMarkdown := strings.CutSuffix(lower, ".md")
	if !isMarkdown {
		stem, isMarkdown = strings.CutSuffix(lower, ".markdown")
	}
	about := slices.Contains([]string{"readme", "index", "about", "changelog"}, stem)
	return isMarkdown && !about && !strings.Contains(stem, "template") && !strings.HasPrefix(stem, "_") && !strings.HasPrefix(stem, ".")
}

func (f *Found) read(root *os.Root, name string) {
	text, err := readFile(root, name)
	if err != nil {
		f.problem(name, plain(err))
		return
	}
	d, problems := Parse(text)
	for _, p := range problems {
		f.problem(name, p)
	}
	d.Path = clean(name, 1000)
	d.Number = numberOf(path.Base(name))
	if d.Title == "" {
		d.Title = d.Path
	}
	f.Decisions = append(f.Decisions, d)
}

func (f *Found) problem(name, text string) {
	f.Problems = append(f.Problems, Problem{clean(name, 1000), text})
}

func readFile(root *os.Root, name string) (string, error) {
	if info, err := root.Stat(name); err != nil { // Before it is opened: opening a pipe waits for its other end.
		return "", err
	} else if !info.Mode().IsRegular() {
		return "", errors.New("this is no file")
	}
	file, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return "", err
	case len(data) > maxFile:
		return "", fmt.Errorf("it has more than %s", result.Size(maxFile))
	case !utf8.Valid(data):
		return "", errors.New("it is not UTF-8 text")
	case strings.TrimSpace(string(data)) == "":
		return "", errors.New("it is empty")
	}
	return string(data), nil
}

// sort puts the newest first. A record without a date counts as old as the one that is numbered before it in its folder.
func (f *Found) sort() {
	slices.SortFunc(f.Decisions, func(a, b Decision) int {
		return cmp.Or(cmp.Compare(path.Dir(a.Path), path.Dir(b.Path)), cmp.Compare(a.Number, b.Number), cmp.Compare(a.Path, b.Path))
	})
	type dated struct {
		Decision
		when string
	}
	all := make([]dated, len(f.Decisions))
	for i, d := range f.Decisions {
		all[i] = dated{d, d.Date}
		if d.Date == "" && i > 0 && path.Dir(all[i-1].Path) == path.Dir(d.Path) {
			all[i].when = all[i-1].when
		}
	}
	slices.SortStableFunc(all, func(a, b dated) int {
		return cmp.Or(cmp.Compare(b.when, a.when), cmp.Compare(b.Number, a.Number), cmp.Compare(b.Path, a.Path))
	})
	for i, d := range all {
		f.Decisions[i] = d.Decision
	}
}

var leadingNumber = regexp.MustCompile(`^(?i:adr-?)?0*([0-9]{1,8})`)

func numberOf(base string) int {
	m := leadingNumber.FindStringSubmatch(base)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1]) // It is at most eight digits.
	return n
}

// Matching returns the decisions that have all words of a query in them.
func Matching(all []Decision, query string) []Decision {
	words := strings.Fields(strings.ToLower(query))
	var matching []Decision
	for _, d := range all {
		text := strings.ToLower(d.Path + "\n" + d.Title + "\n" + d.Status + "\n" + d.Date + "\n" + d.Text)
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
			matching = append(matching, d)
		}
	}
	return matching
}

// plain takes operation and path off an error of the file system.
func plain(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return clean(err.Error(), 200)
}

func clean(text string, most int) string { return result.OneLine(result.Clean(text), most) }
