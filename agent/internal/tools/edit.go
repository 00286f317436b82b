package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tools/edits"
)

//go:embed edit.md
var editPrompt string

const editSchema = `{"type":"object","additionalProperties":false,"required":["path","edits"],"properties":{
"path":{"type":"string","description":"The file."},
"edits":{"type":"array","minItems":1,"maxItems":100,"items":{"type":"object","additionalProperties":false,"required":["oldText","newText"],"properties":{
"oldText":{"type":"string","description":"What stands in the file, exactly once."},
"newText":{"type":"string","description":"What is to stand there instead."},
"replaceAll":{"type":"boolean","description":"Replace every place, not the only one."}}}}}}`

// maxListed is how many places an answer names.
const maxListed = 20

type editTool struct{ *session }

type editArgs struct {
	Path  string `json:"path"`
	Edits []struct {
		OldText    *string `json:"oldText"`
		NewText    *string `json:"newText"`
		ReplaceAll bool    `json:"replaceAll"`
	} `json:"edits"`

	list []edits.Edit
}

func (editTool) Spec() model.Tool { return spec("edit", editPrompt, editSchema) }
func (editTool) Kind() Kind       { return Write }

func (editTool) parse(args jsontext.Value) (a editArgs, err error) {
	if err = decode(args, &a, "path", "edits", "oldText", "newText", "replaceAll"); err != nil {
		return a, err
	}
	for i, e := range a.Edits {
		if e.OldText == nil || e.NewText == nil {
			return a, fmt.Errorf("edit %d lacks oldText or newText", i+1)
		}
		a.list = append(a.list, edits.Edit{Old: *e.OldText, New: *e.NewText, All: e.ReplaceAll})
	}
	if len(a.list) == 0 {
		err = errors.New(`the argument "edits" is missing or empty`)
	}
	return a, err
}

func (t editTool) Describe(args jsontext.Value) string {
	a, err := t.parse(args)
	switch {
	case err != nil:
		return "edit"
	case len(a.list) > 1:
		return line("edit", fmt.Sprintf("%s (%s)", a.Path, count(len(a.list), "place")))
	}
	return line("edit", a.Path)
}

func (t editTool) Paths(args jsontext.Value) ([]Path, error) {
	a, err := t.parse(args)
	if err != nil {
		return nil, err
	}
	return t.onePath(a.Path, true)
}

func (t editTool) Run(ctx context.Context, call Call) (Output, error) {
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	a, err := t.parse(call.Arguments)
	if err != nil {
		return failed(fmt.Errorf("edit: %w", err)), nil
	}
	t.changing.Lock()
	defer t.changing.Unlock()
	p, err := t.allowed(call, a.Path, true)
	if err != nil {
		return failed(fmt.Errorf("edit: %w", err)), nil
	}
	out, err := t.edit(p.Path, a.list)
	if err != nil {
		return failed(fmt.Errorf("edit %s: %w", t.show(p.Path), err)), nil
	}
	return out, nil
}

// Preview returns what a call would change, as a unified difference, without changing it.
func (t editTool) Preview(args jsontext.Value) (diff string, err error) {
	a, err := t.parse(args)
	if err != nil {
		return "", err
	}
	p, err := t.resolve(a.Path, true)
	if err != nil {
		return "", err
	}
	before, after, _, err := t.plan(p.Path, a.list)
	if err != nil {
		return "", err
	}
	diff, _, _ = unified(t.show(p.Path), before, after, true)
	return diff, nil
}

// plan applies the edits to what the file holds.
func (t editTool) plan(path string, list []edits.Edit) (before, after []byte, done edits.Result, err error) {
	if before, _, err = t.load(path); err != nil {
		return nil, nil, done, err
	}
	if err := t.known(path, before); err != nil {
		return nil, nil, done, err
	}
	text, how, err := decodeText(before)
	if err != nil {
		return nil, nil, done, err
	}
	if done, err = edits.Apply(text, list); err != nil {
		return nil, nil, done, errors.New(result.Clean(err.Error()))
	}
	after, err = how.encode(done.Text)
	return before, after, done, err
}

func (t editTool) edit(path string, list []edits.Edit) (Output, error) {
	before, after, done, err := t.plan(path, list)
	if err != nil {
		return Output{}, err
	}
	if err := t.save(path, after, before, true); err != nil {
		return Output{}, err
	}
	out := t.changed(path, before, after, true)
	out.Text = fmt.Sprintf("edited %s at %s (+%d −%d lines)%s", t.show(path), places(done), out.Details.Added, out.Details.Removed, tolerated(done))
	return out, nil
}

// places names the lines of a changed text at which something was replaced.
func places(r edits.Result) string {
	var lines []string
	shift := 0
	for i, s := range r.Spans {
		if i == maxListed {
			lines = append(lines, fmt.Sprintf("%d more", len(r.Spans)-i))
			break
		}
		lines = append(lines, strconv.Itoa(s.Line+shift))
		shift += s.Growth
	}
	if len(lines) == 1 {
		return "line " + lines[0]
	}
	return "lines " + strings.Join(lines, ", ")
}

// tolerated says what of the quotes was not exact.
func tolerated(r edits.Result) string {
	var what []string
	for _, s := range r.Spans {
		if s.How != "" && !slices.Contains(what, s.How) {
			what = append(what, s.How)
		}
	}
	if what == nil {
		return ""
	}
	return "; the quotes were not exact: " + strings.Join(what, "; ")
}
