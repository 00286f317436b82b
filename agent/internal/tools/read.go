package tools

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

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

// page is the part of a file that is shown.
type page struct {
	first, most, bytes int
	endless            bool // count the lines to the end

	out     strings.Builder
	shown   int // lines
	total   int // lines seen
	ended   bool
	cut     int // lines
	crlf    int
	bom     bool
	invalid bool
}

// fill reads until the page is full, and on to the end when that is near.
func (p *page) fill(ctx context.Context, r *bufio.Reader) error {
	full := false
	for {
		if p.total%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if full && !p.endless {
			_, err := r.Peek(1)
			p.ended = err != nil
			return nil
		}
		want := p.total+1 >= p.first && !full
		line, size, err := nextLine(ctx, r, want)
		if err != nil && err != io.EOF {
			return err
		}
		if size == 0 && err == io.EOF {
			p.ended = true
			return nil
		}
		p.total++
		if want {
			full = !p.add(line, size) || p.shown == p.most
		}
	}
}

// add puts a line on the page; false when it does not fit.
func (p *page) add(line []byte, size int) bool {
	text := string(line)
	if p.total == 1 {
		text, p.bom = strings.CutPrefix(text, bom)
	}
	body, crlf := strings.CutSuffix(strings.TrimSuffix(text, "\n"), "\r")
	if size > maxReadLine {
		body = fmt.Sprintf("%s... [cut: the line has %s]", body[:result.CutAt(body, maxReadLine-64)], result.Size(size))
	}
	entry := fmt.Sprintf("%d\t%s\n", p.total, body)
	if p.shown > 0 && p.out.Len()+len(entry) > p.bytes {
		return false
	}
	if size > maxReadLine {
		p.cut++
	}
	if crlf {
		p.crlf++
	}
	p.invalid = p.invalid || !utf8.ValidString(body)
	p.out.WriteString(entry)
	p.shown++
	return true
}

// text returns the lines in clean UTF-8; no more and no fewer than there are.
func (p *page) text() string {
	text := strings.TrimSuffix(p.out.String(), "\n")
	if p.invalid {
		text = fromLatin1(text)
	}
	// Other line ends would be lines of their own.
	return result.Clean(strings.NewReplacer("\r", "␍", "\u0085", "<U+0085>").Replace(text))
}

// notes says what the lines do not show.
func (p *page) notes() []string {
	var notes []string
	last := p.first + p.shown - 1
	switch {
	case !p.ended:
		notes = append(notes, fmt.Sprintf("lines %d–%d of a large file; go on with offset %d", p.first, last, last+1))
	case last < p.total:
		notes = append(notes, fmt.Sprintf("lines %d–%d of %d; go on with offset %d", p.first, last, p.total, last+1))
	}
	if p.crlf == p.shown {
		notes = append(notes, `the lines end with \r\n; edit keeps that`)
	} else if p.crlf > 0 {
		notes = append(notes, fmt.Sprintf(`%d of these lines end with \r\n`, p.crlf))
	}
	if p.bom {
		notes = append(notes, "the file begins with a byte order mark; edit keeps it")
	}
	if p.invalid {
		notes = append(notes, "not UTF-8; shown as Latin-1")
	}
	return notes
}

// nextLine reads a line, of which it returns the beginning when it is wanted, and its size. It remembers no more than that.
func nextLine(ctx context.Context, r *bufio.Reader, wanted bool) (line []byte, size int, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if size += len(part); wanted && len(line) < maxReadLine {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return line, size, err
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
	}
}
