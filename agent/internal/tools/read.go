package tools

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
)

//go:embed read.md
var readPrompt string

const readSchema = `{"type":"object","additionalProperties":false,"required":["path"],"properties":{
"path":{"type":"string","description":"The file."},
"offset":{"type":"integer","minimum":1,"description":"The first line to read, from 1."},
"limit":{"type":"integer","minimum":1,"maximum":2000,"description":"How many lines to read."}}}`

const (
	maxReadLines = 2000
	maxReadLine  = 16 << 10
	maxOffset    = 1 << 40
)

type readTool struct{ *session }

type readArgs struct {
	Path   string `json:"path"`
	Offset *int   `json:"offset"`
	Limit  *int   `json:"limit"`

	first, count int
}

func (readTool) Spec() model.Tool { return spec("read", readPrompt, readSchema) }
func (readTool) Kind() Kind       { return Read }

func (readTool) parse(args jsontext.Value) (a readArgs, err error) {
	if err = decode(args, &a, "path", "offset", "limit"); err != nil {
		return a, err
	}
	if a.first, err = within("offset", a.Offset, 1, maxOffset, 1); err != nil {
		return a, err
	}
	a.count, err = within("limit", a.Limit, 1, maxReadLines, maxReadLines)
	return a, err
}

func (t readTool) Describe(args jsontext.Value) string {
	a, err := t.parse(args)
	switch {
	case err != nil:
		return "read"
	case a.Offset != nil || a.Limit != nil:
		return line("read", fmt.Sprintf("%s:%d–%d", a.Path, a.first, a.first+a.count-1))
	}
	return line("read", a.Path)
}

func (t readTool) Paths(args jsontext.Value) ([]Path, error) {
	a, err := t.parse(args)
	if err != nil {
		return nil, err
	}
	return t.onePath(a.Path, false)
}

func (t readTool) Run(ctx context.Context, call Call) (Output, error) {
	a, err := t.parse(call.Arguments)
	if err != nil {
		return failed(fmt.Errorf("read: %w", err)), nil
	}
	p, err := t.allowed(call, a.Path, false)
	if err != nil {
		return failed(fmt.Errorf("read: %w", err)), nil
	}
	out, err := t.read(ctx, p.Path, a)
	switch {
	case ctx.Err() != nil:
		return Output{}, ctx.Err()
	case err != nil:
		return failed(fmt.Errorf("read: %w", err)), nil
	}
	out.Details.Path = t.show(p.Path)
	return out, nil
}

// read reads a file: as a whole when it is of a usual size, else only as far as is needed.
func (t readTool) read(ctx context.Context, path string, a readArgs) (Output, error) {
	f, info, err := t.open(path)
	if err != nil {
		return Output{}, err
	}
	defer f.Close()
	whole, err := io.ReadAll(io.LimitReader(f, maxWhole+1))
	if err != nil {
		return Output{}, fmt.Errorf("%s: %w", t.show(path), plainError(err))
	}
	var source io.Reader = bytes.NewReader(whole)
	large := len(whole) > maxWhole
	if large {
		source = io.MultiReader(source, f)
	} else {
		t.remember(path, whole)
	}
	if text, ok := fromUTF16(whole); ok && !large {
		return t.lines(ctx, strings.NewReader(text), a, false, "UTF-16; edit cannot change it")
	}
	if kind, pixels, why := result.Inspect(whole); kind != "" || strings.Contains(why, "pixels") {
		return picture(whole, int(info.Size()), kind, pixels, why)
	}
	if isBinary(whole) {
		return Output{}, fmt.Errorf("%s is no text (%s): look at it with a program in bash, such as file, strings or xxd", t.show(path), result.Size(int(info.Size())))
	}
	return t.lines(ctx, source, a, large, "")
}

// picture shows an image.
func picture(data []byte, size int, kind, pixels, why string) (Output, error) {
	switch {
	case why != "":
		return Output{}, fmt.Errorf("the image cannot be shown: %s", why)
	case len(data) > result.MaxImageBytes:
		return Output{}, fmt.Errorf("the image has %s, more than %s: make a smaller one with a program in bash", result.Size(size), result.Size(result.MaxImageBytes))
	}
	return Output{
		Text:   fmt.Sprintf("[%s, %s, %s]", kind, result.Size(len(data)), pixels),
		Images: []model.Image{{MIMEType: kind, Data: data}},
	}, nil
}

// lines shows the lines that were asked for.
func (t readTool) lines(ctx context.Context, source io.Reader, a readArgs, large bool, note string) (Output, error) {
	limits := t.limits()
	page := page{first: a.first, most: min(a.count, limits.Lines), bytes: limits.Bytes - 512, endless: !large}
	if err := page.fill(ctx, bufio.NewReaderSize(source, 64<<10)); err != nil {
		return Output{}, err
	}
	if page.total == 0 && page.ended {
		return Output{Text: "[the file is empty]"}, nil
	}
	if page.shown == 0 {
		return Output{}, fmt.Errorf("the file has only %d lines", page.total)
	}
	notes := page.notes()
	if note != "" {
		notes = append(notes, note)
	}
	text := page.text()
	if len(notes) > 0 {
		text += "\n[" + strings.Join(notes, "; ") + "]"
	}
	return Output{Text: text, Details: Details{Lines: page.shown}}, nil
}
