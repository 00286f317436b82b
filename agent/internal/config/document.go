package config

import (
	"bytes"
	"io"
	"slices"

	"github.com/elyra-go/elyra/agent/internal/jsonc"
	"github.com/go-json-experiment/json/jsontext"
)

// document is a parsed file whose problems are this package's.
type document struct{ *jsonc.Document }

// parse parses a file. With masked, only what can define servers is in the result.
func parse(path string, data []byte, masked bool) (*document, *Problem) {
	var narrow func([]byte) []byte
	const worthIt = 64 << 10
	if masked && len(data) > worthIt {
		narrow = mask
	}
	doc, problem := jsonc.Parse(path, data, narrow)
	if problem != nil {
		return nil, &Problem{File: problem.File, Line: problem.Line, Column: problem.Column, Message: problem.Message, Dropped: true}
	}
	return &document{doc}, nil
}

func (d *document) problem(at int, format string, args ...any) Problem {
	p := d.Problem(at, format, args...)
	return Problem{File: p.File, Line: p.Line, Column: p.Column, Message: p.Message}
}

// mask returns strict JSON with the values blanked that cannot define servers, in bytes of the same number, so that
// offsets stay. Claude Code keeps megabytes of history in such a file, which the tolerant parser takes long to read.
// What is no strict JSON is returned as it is.
func mask(data []byte) []byte {
	masked := slices.Clone(data)
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
	if err := maskObject(dec, masked, 0); err != nil {
		return data
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return data
	}
	return masked
}

// maskObject blanks the members of the next object. Level 0 is the file, 1 its projects, 2 a project.
func maskObject(dec *jsontext.Decoder, masked []byte, level int) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		switch {
		case level == 1, level == 0 && name == claudeProjects:
			err = maskObject(dec, masked, level+1)
		case name == claudeMember || name == vscodeMember && level == 0:
			err = dec.SkipValue()
		default:
			var value jsontext.Value
			if value, err = dec.ReadValue(); err == nil {
				end := int(dec.InputOffset())
				blank := masked[end-len(value) : end]
				for i := range blank {
					blank[i] = ' '
				}
				blank[0] = '0'
			}
		}
		if err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}
