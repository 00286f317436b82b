package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/tools/walk"
)

//go:embed find.md
var findPrompt string

const findSchema = `{"type":"object","additionalProperties":false,"required":["pattern"],"properties":{
"pattern":{"type":"string","description":"The name or path, with * ? ** [a-z] {a,b}."},
"path":{"type":"string","description":"The folder to look in. The project when left out."},
"sort":{"type":"string","enum":["recent","name"],"description":"The order; recent when left out."},
"limit":{"type":"integer","minimum":1,"maximum":2000,"description":"How many; 200 when left out."}}}`

const sortRecent, sortName = "recent", "name"

type findTool struct{ *session }

type findArgs struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Sort    string `json:"sort"`
	Limit   *int   `json:"limit"`

	names walk.Glob
	limit int
}

func (findTool) Spec() model.Tool { return spec("find", findPrompt, findSchema) }
func (findTool) Kind() Kind       { return Read }

func (findTool) parse(args jsontext.Value) (a findArgs, err error) {
	if err = decode(args, &a, "pattern", "path", "sort", "limit"); err != nil {
		return a, err
	}
	if a.Path == "" {
		a.Path = currentPath
	}
	if a.Pattern == "" {
		return a, errors.New(`the argument "pattern" is missing`)
	}
	if a.names, err = walk.Compile(a.Pattern); err != nil {
		return a, err
	}
	if a.Sort, err = oneOf("sort", a.Sort, sortRecent, sortName); err != nil {
		return a, err
	}
	a.limit, err = within("limit", a.Limit, 1, maxFound, usualFound)
	return a, err
}

func (t findTool) Describe(args jsontext.Value) string {
	a, err := t.parse(args)
	if err != nil {
		return "find"
	}
	return line("find", a.Pattern+" in "+a.Path)
}

func (t findTool) Paths(args jsontext.Value) ([]Path, error) {
	a, err := t.parse(args)
	if err != nil {
		return nil, err
	}
	return t.onePath(a.Path, false)
}

func (t findTool) Run(ctx context.Context, call Call) (Output, error) {
	a, err := t.parse(call.Arguments)
	if err != nil {
		return failed(fmt.Errorf("find: %w", err)), nil
	}
	p, err := t.allowed(call, a.Path, false)
	if err != nil {
		return failed(fmt.Errorf("find: %w", err)), nil
	}
	out, err := t.find(ctx, p.Path, a)
	switch {
	case ctx.Err() != nil:
		return Output{}, ctx.Err()
	case err != nil:
		return failed(fmt.Errorf("find: %w", err)), nil
	}
	out.Details.Path = t.show(p.Path)
	return out, nil
}

// named is a file or folder that was found.
type named struct {
	path    string
	changed time.Time
	folder  bool
}

func (t findTool) find(ctx context.Context, path string, a findArgs) (Output, error) {
	if err := t.isFolder(path); err != nil {
		return Output{}, err
	}
	var found []named
	truncated, err := walk.Files(ctx, path, walk.Options{Root: t.Dir}, func(e walk.Entry) error {
		if !a.names.Match(e.Rel) {
			return nil
		}
		n := named{path: e.Path, folder: e.IsDir()}
		if info, err := e.Info(); err == nil && a.Sort == sortRecent {
			n.changed = info.ModTime()
		}
		found = append(found, n)
		return nil
	})
	if err != nil {
		return Output{}, err
	}
	slices.SortStableFunc(found, func(a, b named) int { return b.changed.Compare(a.changed) })
	var b strings.Builder
	for i, n := range found {
		if i == a.limit {
			fmt.Fprintf(&b, "[%d of %d; make the pattern narrower, or the limit larger]\n", i, len(found))
			break
		}
		b.WriteString(t.show(n.path))
		if n.folder {
			b.WriteByte('/')
		}
		b.WriteByte('\n')
	}
	if len(found) == 0 {
		fmt.Fprintf(&b, "nothing in %s has a name like %s\n", t.show(path), show(a.Pattern))
	}
	if truncated {
		fmt.Fprintf(&b, "[only the first %d files and folders were looked at]\n", walk.MaxEntries)
	}
	text, overflow := t.fit(strings.TrimSuffix(b.String(), "\n"))
	return Output{Text: text, Overflow: overflow, Details: Details{Lines: min(len(found), a.limit)}}, nil
}

// isFolder refuses what is no folder.
func (s *session) isFolder(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil && (errors.Is(err, os.ErrNotExist) || errors.Is(err, errNotDir)):
		return s.missing(path)
	case err != nil:
		return fmt.Errorf("%s: %w", s.show(path), plainError(err))
	case !info.IsDir():
		return fmt.Errorf("%s is no folder: use read or grep", s.show(path))
	}
	return nil
}
