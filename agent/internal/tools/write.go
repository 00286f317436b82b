package tools

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
)

//go:embed write.md
var writePrompt string

const writeSchema = `{"type":"object","additionalProperties":false,"required":["path","content"],"properties":{
"path":{"type":"string","description":"The file."},
"content":{"type":"string","description":"All that the file is to hold."}}}`

type writeTool struct{ *session }

type writeArgs struct {
	Path    string  `json:"path"`
	Content *string `json:"content"`
}

func (writeTool) Spec() model.Tool { return spec("write", writePrompt, writeSchema) }
func (writeTool) Kind() Kind       { return Write }

func (writeTool) parse(args jsontext.Value) (a writeArgs, err error) {
	if err = decode(args, &a, "path", "content"); err == nil && a.Content == nil {
		err = errors.New(`the argument "content" is missing`)
	}
	return a, err
}

func (t writeTool) Describe(args jsontext.Value) string {
	a, err := t.parse(args)
	if err != nil {
		return "write"
	}
	return line("write", fmt.Sprintf("%s (%s)", a.Path, count(result.CountLines(*a.Content), "line")))
}

func (t writeTool) Paths(args jsontext.Value) ([]Path, error) {
	a, err := t.parse(args)
	if err != nil {
		return nil, err
	}
	return t.onePath(a.Path, true)
}

func (t writeTool) Run(ctx context.Context, call Call) (Output, error) {
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	a, err := t.parse(call.Arguments)
	if err != nil {
		return failed(fmt.Errorf("write: %w", err)), nil
	}
	t.changing.Lock()
	defer t.changing.Unlock()
	p, err := t.allowed(call, a.Path, true)
	if err != nil {
		return failed(fmt.Errorf("write: %w", err)), nil
	}
	out, err := t.write(p.Path, *a.Content)
	if err != nil {
		return failed(fmt.Errorf("write: %w", err)), nil
	}
	return out, nil
}

// Preview returns what a call would change, as a unified difference, without changing it.
func (t writeTool) Preview(args jsontext.Value) (diff string, err error) {
	a, err := t.parse(args)
	if err != nil {
		return "", err
	}
	p, err := t.resolve(a.Path, true)
	if err != nil {
		return "", err
	}
	before, after, existed, err := t.plan(p.Path, *a.Content)
	if err != nil {
		return "", err
	}
	diff, _, _ = unified(t.show(p.Path), before, after, existed)
	return diff, nil
}

// plan says what the file holds and what it is to hold.
func (t writeTool) plan(path, content string) (before, after []byte, existed bool, err error) {
	_, err = os.Stat(path)
	existed = err == nil
	switch {
	case existed:
		if before, _, err = t.load(path); err != nil {
			return nil, nil, existed, err
		}
		if err := t.known(path, before); err != nil {
			return nil, nil, existed, err
		}
		content = likeBefore(content, string(before))
	case !errors.Is(err, fs.ErrNotExist):
		return nil, nil, existed, fmt.Errorf("%s: %w", t.show(path), plainError(err))
	}
	return before, []byte(content), existed, nil
}

func (t writeTool) write(path, content string) (Output, error) {
	before, data, existed, err := t.plan(path, content)
	if err != nil {
		return Output{}, err
	}
	if existed && bytes.Equal(data, before) {
		return Output{Text: t.show(path) + " already holds exactly this; nothing was changed"}, nil
	}
	if err := t.save(path, data, before, existed); err != nil {
		return Output{}, err
	}
	out := t.changed(path, before, data, existed)
	did := "created"
	if existed {
		did = "replaced"
	}
	out.Text = fmt.Sprintf("%s %s, %s", did, t.show(path), count(result.CountLines(string(data)), "line"))
	return out, nil
}

// likeBefore gives a text the line ends and the byte order mark that all of the file had, when the model wrote neither.
func likeBefore(content, before string) string {
	if n := strings.Count(before, "\n"); n > 0 && n == strings.Count(before, "\r\n") && !strings.Contains(content, "\r") {
		content = strings.ReplaceAll(content, "\n", "\r\n")
	}
	if strings.HasPrefix(before, bom) && !strings.HasPrefix(content, bom) {
		content = bom + content
	}
	return content
}

// changed describes a file that was written.
func (s *session) changed(path string, before, after []byte, existed bool) Output {
	what := Created
	if existed {
		what = Modified
	}
	diff, added, removed := unified(s.show(path), before, after, existed)
	return Output{
		Diff:    diff,
		Changes: []Change{{Path: path, What: what, Undoable: s.Changed != nil}},
		Details: Details{Path: s.show(path), Lines: result.CountLines(string(after)), Added: added, Removed: removed},
	}
}

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
