package config

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/jsonc"
	"github.com/tailscale/hujson"
)

func (r *reader) text(v hujson.Value, path string) text {
	t := text{at: v.StartOffset, path: path}
	if v.Value.Kind() != '"' {
		r.wrongType(v, path, "a string")
		return t
	}
	t.value = jsonc.Literal(v)
	if strings.ContainsRune(t.value, 0) {
		r.fail(v.StartOffset, path, "the text has a NUL character")
	}
	return t
}

func (r *reader) texts(v hujson.Value, path string) []text {
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		r.wrongType(v, path, "an array of strings")
		return nil
	}
	list := make([]text, 0, len(array.Elements))
	for i, element := range array.Elements {
		list = append(list, r.text(element, fmt.Sprintf("%s[%d]", path, i)))
	}
	return list
}

// members reads an object of strings. VS Code also takes numbers, and null for "not set".
func (r *reader) members(v hujson.Value, path string) []named {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		r.wrongType(v, path, "an object of strings")
		return nil
	}
	list := make([]named, 0, len(object.Members))
	for _, m := range object.Members {
		name := jsonc.NameOf(m)
		path := jsonc.Child(path, name)
		kind := m.Value.Value.Kind()
		switch {
		case name == "" || strings.ContainsAny(name, "=\x00\r\n"):
			r.fail(m.Name.StartOffset, path, "the name is empty or has a character that none may have")
		case kind == 'n' && r.source.format == vscode:
		case kind == '0' && r.source.format == vscode:
			number, _ := m.Value.Value.(hujson.Literal)
			list = append(list, named{name, text{string(number), m.Value.StartOffset, path}})
		default:
			list = append(list, named{name, r.text(m.Value, path)})
		}
	}
	return list
}

func (r *reader) boolean(v hujson.Value, path string) bool {
	l, ok := v.Value.(hujson.Literal)
	if !ok || l.Kind() != 't' && l.Kind() != 'f' {
		r.wrongType(v, path, "true or false")
		return false
	}
	return l.Bool()
}

// number reads a finite number that is at least 0.
func (r *reader) number(v hujson.Value, path, want string, limit float64) float64 {
	l, ok := v.Value.(hujson.Literal)
	if !ok || l.Kind() != '0' {
		r.wrongType(v, path, want)
		return 0
	}
	n := l.Float()
	if math.IsNaN(n) || n < 0 || n > limit {
		r.fail(v.StartOffset, path, "expected %s between 0 and %.0f", want, limit)
		return 0
	}
	return n
}

// timeout reads a time in milliseconds. What the hosts do with the field, as of autumn 2026:
//
//   - Elyra (spec): milliseconds, 60000 if absent.
//   - Claude Code (code.claude.com/docs/en/mcp): milliseconds for each tool call; values below 1000 are ignored. A file for
//     it that says 60 was written by somebody who thought of seconds. It also knows request_timeout_ms.
//   - Cursor (cursor.com/docs/mcp) and VS Code (its MCP configuration reference) know no such field. What stands there was
//     copied from a host that has one: Cline and Roo Code count seconds, Copilot CLI and Gemini CLI milliseconds.
//
// So in files of others a value below 1000 counts seconds: no host obeys a limit under a second.
func (r *reader) timeout(v hujson.Value, path string, guess bool) time.Duration {
	const day = 24 * 60 * 60 * 1000
	n := r.number(v, path, "a number of milliseconds", day)
	switch {
	case n <= 0:
		return 0
	case n < 1000 && guess && r.source.format != elyra:
		r.warn(v.StartOffset, path, "%v is taken for seconds, which hosts do not agree about: write %v", n, n*1000)
		n *= 1000
	case n < 1000 && guess:
		r.warn(v.StartOffset, path, "%v is less than a second: the unit is milliseconds", n)
	}
	return time.Duration(n * float64(time.Millisecond))
}
