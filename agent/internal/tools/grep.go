package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tools/walk"
)

//go:embed grep.md
var grepPrompt string

const grepSchema = `{"type":"object","additionalProperties":false,"required":["pattern"],"properties":{
"pattern":{"type":"string","description":"The regular expression (RE2)."},
"path":{"type":"string","description":"A folder or a file. The project when left out."},
"glob":{"type":"string","description":"Only files whose names match, such as *.go."},
"mode":{"type":"string","enum":["lines","files","count"],"description":"What to show; lines when left out."},
"context":{"type":"integer","minimum":0,"maximum":20,"description":"Lines to show around each match."},
"ignoreCase":{"type":"boolean","description":"Ignore letter case."},
"limit":{"type":"integer","minimum":1,"maximum":2000,"description":"How many matching lines, or files; 200 when left out."}}}`

const (
	maxFound    = 2000
	usualFound  = 200
	maxRegexp   = 10_000
	maxAround   = 20
	modeLines   = "lines"
	modeFiles   = "files"
	modeCount   = "count"
	currentPath = "."
)

type grepTool struct{ *session }

type grepArgs struct {
	Pattern    string `json:"pattern"`
	Path       string `json:"path"`
	Glob       string `json:"glob"`
	Mode       string `json:"mode"`
	Context    *int   `json:"context"`
	IgnoreCase bool   `json:"ignoreCase"`
	Limit      *int   `json:"limit"`

	re     *regexp.Regexp
	needs  literal
	names  *walk.Glob
	around int
	limit  int
}

func (grepTool) Spec() model.Tool { return spec("grep", grepPrompt, grepSchema) }
func (grepTool) Kind() Kind       { return Read }

func (grepTool) parse(args jsontext.Value) (a grepArgs, err error) {
	if err = decode(args, &a, "pattern", "path", "glob", "mode", "context", "ignoreCase", "limit"); err != nil {
		return a, err
	}
	if a.Path == "" {
		a.Path = currentPath
	}
	if a.Pattern == "" {
		return a, errors.New(`the argument "pattern" is missing`)
	}
	if a.re, err = lineRegexp(a.Pattern, a.IgnoreCase); err != nil {
		return a, err
	}
	a.needs = requiredLiteral(a.re.String())
	if a.Glob != "" {
		g, err := walk.Compile(a.Glob)
		if err != nil {
			return a, err
		}
		a.names = &g
	}
	if a.Mode, err = oneOf("mode", a.Mode, modeLines, modeFiles, modeCount); err != nil {
		return a, err
	}
	if a.around, err = within("context", a.Context, 0, maxAround, 0); err != nil {
		return a, err
	}
	a.limit, err = within("limit", a.Limit, 1, maxFound, usualFound)
	return a, err
}

// lineRegexp compiles a pattern for whole texts, where ^ and $ are about lines.
func lineRegexp(pattern string, ignoreCase bool) (*regexp.Regexp, error) {
	if len(pattern) > maxRegexp {
		return nil, fmt.Errorf("the pattern is longer than %d bytes", maxRegexp)
	}
	flags := "(?m)"
	if ignoreCase {
		flags = "(?mi)"
	}
	re, err := regexp.Compile(flags + pattern)
	if err == nil {
		return re, nil
	}
	why := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	return nil, fmt.Errorf("the pattern is no regular expression that RE2 knows (%s); escape characters that are meant literally with \\", result.OneLine(why, 200))
}

func (t grepTool) Describe(args jsontext.Value) string {
	a, err := t.parse(args)
	if err != nil {
		return "grep"
	}
	about := fmt.Sprintf("%q in %s", a.Pattern, a.Path)
	if a.Glob != "" {
		about += " (" + a.Glob + ")"
	}
	return line("grep", about)
}

func (t grepTool) Paths(args jsontext.Value) ([]Path, error) {
	a, err := t.parse(args)
	if err != nil {
		return nil, err
	}
	return t.onePath(a.Path, false)
}

func (t grepTool) Run(ctx context.Context, call Call) (Output, error) {
	a, err := t.parse(call.Arguments)
	if err != nil {
		return failed(fmt.Errorf("grep: %w", err)), nil
	}
	p, err := t.allowed(call, a.Path, false)
	if err != nil {
		return failed(fmt.Errorf("grep: %w", err)), nil
	}
	out, err := t.grep(ctx, p.Path, a)
	switch {
	case ctx.Err() != nil:
		return Output{}, ctx.Err()
	case err != nil:
		return failed(fmt.Errorf("grep: %w", err)), nil
	}
	out.Details.Path = t.show(p.Path)
	return out, nil
}

func (t grepTool) grep(ctx context.Context, path string, a grepArgs) (Output, error) {
	files, notes, err := t.candidates(ctx, path, a.names)
	if err != nil {
		return Output{}, err
	}
	found := search(ctx, files, a)
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	text, lines, more := t.report(found, a)
	if lines == 0 {
		text = fmt.Sprintf("nothing matches in %s", count(found.searched, "file"))
	}
	if more {
		notes = append(notes, fmt.Sprintf("there are more: this is what came before the limit of %d; make the pattern or the path narrower", a.limit))
	}
	notes = append(notes, found.notes()...)
	if len(notes) > 0 {
		text += "\n[" + strings.Join(notes, "; ") + "]"
	}
	shown, overflow := t.fit(text)
	return Output{Text: shown, Overflow: overflow, Details: Details{Lines: lines}}, nil
}

// candidates lists the files to be searched.
func (t grepTool) candidates(ctx context.Context, path string, names *walk.Glob) (files []string, notes []string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, t.missing(path)
	}
	if !info.IsDir() {
		if err := t.regular(path, info); err != nil {
			return nil, nil, err
		}
		return []string{path}, nil, nil
	}
	truncated, err := walk.Files(ctx, path, walk.Options{Root: t.Dir}, func(e walk.Entry) error {
		if e.Type().IsRegular() && (names == nil || names.Match(e.Rel)) && t.secret(e.Path) == "" {
			files = append(files, e.Path)
		}
		return nil
	})
	if truncated {
		notes = append(notes, fmt.Sprintf("only the first %d files and folders were looked at", walk.MaxEntries))
	}
	return files, notes, err
}
