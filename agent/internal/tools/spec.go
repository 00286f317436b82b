package tools

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
)

// maxDescribed bounds the line about a call.
const maxDescribed = 200

func spec(name, prompt, schema string) model.Tool {
	return model.Tool{Name: name, Description: strings.TrimSpace(prompt), InputSchema: jsontext.Value(strings.ReplaceAll(schema, "\n", ""))}
}

// line is what Describe says: the tool's name and what it is about.
func line(name, about string) string {
	return strings.TrimSpace(name + " " + result.OneLine(about, maxDescribed))
}

// onePath resolves the only path of a call.
func (s *session) onePath(name string, write bool) ([]Path, error) {
	p, err := s.resolve(name, write)
	if err != nil {
		return nil, err
	}
	return []Path{p}, nil
}

// limits returns the limits of a text.
func (s *session) limits() result.Limits {
	l := s.Limits
	if l.Bytes <= 0 {
		l.Bytes = 50 << 10
	}
	if l.Lines <= 0 {
		l.Lines = maxReadLines
	}
	return l
}

// fit bounds a text. What cannot be kept in a file is lost, which the text says, and the call is none the worse for it.
func (s *session) fit(text string) (shown, overflow string) {
	shown, overflow, _ = result.Fit(text, s.Limits, s.Overflow)
	return shown, overflow
}
