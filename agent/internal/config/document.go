package config

import "github.com/elyra-go/elyra/agent/internal/jsonc"

// document is a parsed file whose problems are this package's.
type document struct{ *jsonc.Document }

// parse parses a file. Of a large one that others write, only what can define servers is looked at.
func parse(path string, data []byte, large bool) (*document, *Problem) {
	var excerpt func([]byte) (jsonc.Excerpt, bool)
	const worthIt = 64 << 10
	if large && len(data) > worthIt {
		excerpt = serversOf
	}
	doc, problem := jsonc.Parse(path, data, excerpt)
	if problem != nil {
		return nil, &Problem{File: problem.File, Line: problem.Line, Column: problem.Column, Message: problem.Message, Dropped: true}
	}
	return &document{doc}, nil
}

func (d *document) problem(at int, format string, args ...any) Problem {
	p := d.Problem(at, format, args...)
	return Problem{File: p.File, Line: p.Line, Column: p.Column, Message: p.Message}
}
