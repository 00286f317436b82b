package config

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/elyra-go/elyra/agent/internal/jsonc"
	"github.com/elyra-go/elyra/internal/nearest"
	"github.com/tailscale/hujson"
)

const (
	maxName     = 200 // bytes of the name of a server
	maxProblems = 20  // told of one entry
	maxUnknown  = 50  // fields of one entry that are compared with those that are understood
)

// text is a string of an entry, with the place where it stands.
type text struct {
	value string
	at    int
	path  string // relative to the entry: ".args[1]"
}

// named is a member of env or headers.
type named struct {
	name string
	text
}

// entry is what one definition says, checked for its types and not yet expanded.
type entry struct {
	kind         text // the member "type"
	command, url text
	cwd          text
	args         []text
	env, headers []named
	timeout      time.Duration
	direct       bool
	disabled     bool
	clientID     text
	clientSecret text
	scopes       []string
	callbackPort int
	metadata     text
}

// fields are the members that are understood, as they are suggested to somebody who mistyped one.
func fields() []string {
	return []string{
		"type", "command", "args", "env", "cwd", "url", "headers", "timeout", "disabled", "directTools", "oauth",
		// Of other hosts; they are known, so that they are not taken for typing errors.
		"request_timeout_ms", "auth", "envFile", "headersHelper", "inputs", "dev", "gallery", "version", "sandbox",
		"sandboxEnabled", "autoApprove", "alwaysAllow", "alwaysLoad", "description", "name", "tools",
	}
}

// reader reads the members of one definition and collects what is wrong with them.
type reader struct {
	definition
	problems []Problem
	unknown  int
	bad      bool
}

// fail reports what makes the entry useless, warn what does not.
func (r *reader) fail(at int, path, format string, args ...any) {
	if !r.bad && len(r.problems) == maxProblems {
		r.problems = r.problems[:maxProblems-1] // why the entry is dropped is always told
	}
	before := len(r.problems)
	r.warn(at, path, format, args...)
	if len(r.problems) > before {
		r.problems[before].Dropped = true
	}
	r.bad = true
}

func (r *reader) warn(at int, path, format string, args ...any) {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, r.problem(at, path, format, args...))
	}
}

func (r *reader) wrongType(v hujson.Value, path, want string) {
	r.fail(v.StartOffset, path, "expected %s, found %s", want, jsonc.KindOf(v))
}

// read reads the whole entry. It goes on after a mistake, so that all are told at once.
func (r *reader) read() entry {
	var e entry
	r.checkName()
	object, ok := r.value.Value.(*hujson.Object)
	if !ok {
		r.wrongType(r.value, "", "an object")
		return e
	}
	for _, m := range object.Members {
		if v := m.Value; v.Value.Kind() != 'n' { // null is what programs write for "not set"
			r.field(&e, jsonc.NameOf(m), m.Name.StartOffset, v)
		}
	}
	return e
}

func (r *reader) field(e *entry, name string, at int, v hujson.Value) {
	path := jsonc.Child("", name)
	if !strings.HasPrefix(path, "[") {
		path = "." + path
	}
	switch name {
	case "type":
		e.kind = r.text(v, path)
	case "command":
		e.command = r.text(v, path)
	case "args":
		e.args = r.texts(v, path)
	case "env":
		e.env = r.members(v, path)
	case "cwd":
		e.cwd = r.text(v, path)
	case "url":
		e.url = r.text(v, path)
	case "headers":
		e.headers = r.members(v, path)
	case "timeout", "request_timeout_ms":
		e.timeout = r.timeout(v, path, name == "timeout")
	case "disabled":
		e.disabled = r.boolean(v, path)
	case "directTools":
		e.direct = r.boolean(v, path)
	case "oauth":
		r.oauth(e, v, path, "clientId", "clientSecret")
	case "auth":
		r.oauth(e, v, path, "CLIENT_ID", "CLIENT_SECRET") // as Cursor writes it
	case "envFile":
		r.warn(at, path, "elyra does not read the file: list its variables under env, as ${NAME}")
	case "headersHelper":
		r.warn(at, path, "elyra does not run programs for headers: write them under headers, with ${NAME}")
	default:
		r.unknownField(at, name, path, fields())
	}
}

// unknownField warns of a field whose name is nearly one that is understood. Others are left to those who understand them.
func (r *reader) unknownField(at int, name, path string, known []string) {
	if r.unknown++; r.unknown > maxUnknown || slices.Contains(known, name) {
		return
	}
	if hint := nearest.Hint(name, known); hint != "" {
		r.warn(at, path, "an unknown field%s", hint)
	}
}

// checkName refuses names that could not be shown or typed. All scripts are welcome.
func (r *reader) checkName() {
	unseen := func(c rune) bool {
		// Control characters, and those that make a terminal show text in another order than it has.
		return unicode.IsControl(c) || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069
	}
	switch {
	case strings.TrimSpace(r.name) == "":
		r.fail(r.at, "", "the name of a server is empty")
	case len(r.name) > maxName:
		r.fail(r.at, "", "the name of the server is longer than %d bytes", maxName)
	case strings.ContainsFunc(r.name, unseen):
		r.fail(r.at, "", "the name of the server has characters that cannot be shown")
	}
}

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

// oauth reads a client that was registered beforehand: "oauth" of Claude Code and VS Code, "auth" of Cursor.
func (r *reader) oauth(e *entry, v hujson.Value, path, id, secret string) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		r.wrongType(v, path, "an object")
		return
	}
	for _, m := range object.Members {
		v, name := m.Value, jsonc.NameOf(m)
		if v.Value.Kind() == 'n' {
			continue
		}
		path := jsonc.Child(path, name)
		switch name {
		case id:
			e.clientID = r.text(v, path)
		case secret:
			e.clientSecret = r.text(v, path)
		case "scopes": // Claude Code: one text with spaces; Cursor: an array
			if v.Value.Kind() == '"' {
				e.scopes = strings.Fields(jsonc.Literal(v))
				continue
			}
			for _, t := range r.texts(v, path) {
				e.scopes = append(e.scopes, t.value)
			}
		case "callbackPort":
			n := r.number(v, path, "a port", 65535)
			e.callbackPort = int(n)
			if n != math.Trunc(n) {
				r.fail(v.StartOffset, path, "expected a whole number")
			}
		case "authServerMetadataUrl":
			e.metadata = r.text(v, path)
		default:
			known := []string{id, secret, "scopes", "callbackPort", "authServerMetadataUrl"}
			r.unknownField(m.Name.StartOffset, name, path, known)
		}
	}
}

// clip shortens a text for a message without splitting a character.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
