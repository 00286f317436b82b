package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/tools/walk"
)

//go:embed ls.md
var lsPrompt string

const lsSchema = `{"type":"object","additionalProperties":false,"properties":{
"path":{"type":"string","description":"The folder. The project when left out."}}}`

const (
	maxOuter  = 400 // names of a listing
	maxInner  = 50  // names of an inner folder
	maxLooked = 200_000
)

type lsTool struct{ *session }

type lsArgs struct {
	Path string `json:"path"`
}

func (lsTool) Spec() model.Tool { return spec("ls", lsPrompt, lsSchema) }
func (lsTool) Kind() Kind       { return Read }

func (lsTool) parse(args jsontext.Value) (a lsArgs, err error) {
	if err = decode(args, &a, "path"); a.Path == "" {
		a.Path = currentPath
	}
	return a, err
}

func (t lsTool) Describe(args jsontext.Value) string {
	a, err := t.parse(args)
	if err != nil {
		return "ls"
	}
	return line("ls", a.Path)
}

func (t lsTool) Paths(args jsontext.Value) ([]Path, error) {
	a, err := t.parse(args)
	if err != nil {
		return nil, err
	}
	return t.onePath(a.Path, false)
}

func (t lsTool) Run(ctx context.Context, call Call) (Output, error) {
	a, err := t.parse(call.Arguments)
	if err != nil {
		return failed(fmt.Errorf("ls: %w", err)), nil
	}
	p, err := t.allowed(call, a.Path, false)
	if err != nil {
		return failed(fmt.Errorf("ls: %w", err)), nil
	}
	out, err := t.list(ctx, p.Path)
	switch {
	case ctx.Err() != nil:
		return Output{}, ctx.Err()
	case err != nil:
		return failed(fmt.Errorf("ls: %w", err)), nil
	}
	out.Details.Path = t.show(p.Path)
	return out, nil
}

func (t lsTool) list(ctx context.Context, path string) (Output, error) {
	if err := t.isFolder(path); err != nil {
		return Output{}, err
	}
	l := listing{ctx: ctx, ignored: walk.Ignores(path, t.Dir)}
	if err := l.folder(path, "", maxOuter); err != nil {
		return Output{}, fmt.Errorf("%s: %w", t.show(path), plainError(err))
	}
	text := strings.TrimSuffix(l.out.String(), "\n")
	if text == "" {
		text = "[the folder is empty]"
	}
	text, overflow := t.fit(text)
	return Output{Text: text, Overflow: overflow, Details: Details{Lines: l.count}}, nil
}

// listing is a tree in the making.
type listing struct {
	ctx     context.Context
	ignored func(path string, folder bool) bool
	out     strings.Builder
	count   int
}

// folder lists a folder, and the folders in it when it is the outer one.
func (l *listing) folder(path, indent string, most int) error {
	entries, total, err := names(l.ctx, path)
	if err != nil {
		return err
	}
	for i, e := range entries {
		if i >= most || l.count >= maxOuter {
			fmt.Fprintf(&l.out, "%s… %s of %s, use find\n", indent, count(total-i, "more name"), atLeast(total))
			break
		}
		l.count++
		ignored := l.ignored(filepath.Join(path, e.Name()), e.IsDir())
		l.out.WriteString(indent + entryLine(path, e, ignored))
		if e.IsDir() && indent == "" && !ignored && e.Name() != ".git" {
			if err := l.folder(filepath.Join(path, e.Name()), "  ", maxInner); err != nil {
				if l.ctx.Err() != nil {
					return err
				}
				fmt.Fprintf(&l.out, "  [%s]\n", plainError(err))
			}
		}
	}
	return nil
}

// entryLine writes one name.
func entryLine(folder string, e fs.DirEntry, ignored bool) string {
	text := show(e.Name())
	switch {
	case e.IsDir():
		text += "/"
	case e.Type()&fs.ModeSymlink != 0:
		if target, err := os.Readlink(filepath.Join(folder, e.Name())); err == nil {
			text += " -> " + show(target)
		}
	case !e.Type().IsRegular():
		text += " (no regular file)"
	}
	if ignored {
		text += " (ignored)"
	}
	return text + "\n"
}

// names reads a folder in parts, so that a huge one does not hold up a call. Total is how many names it has, or how many were
// looked at.
func names(ctx context.Context, path string) (entries []fs.DirEntry, total int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	for total < maxLooked {
		part, err := f.ReadDir(4096)
		total += len(part)
		entries = append(entries, part...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, 0, err
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, total, nil
}

// atLeast writes how many names a folder has.
func atLeast(n int) string {
	if n >= maxLooked {
		return fmt.Sprintf("at least %d", n)
	}
	return fmt.Sprint(n)
}
