package config

import (
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
