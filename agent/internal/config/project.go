package config

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
)

// maxLine bounds the length of a line that tells what an entry would start.
const maxLine = 400

// ProjectHash returns a hash of all that the project's files define, and a line for a person on each entry: what would be
// started or connected to if the project were trusted. Comments, white space and the order of members do not count; the
// texts of variables do, and their values do not. Without any file the hash is "" and there are no lines.
//
// It reads the files although the project is not trusted, and uses nothing in them. The error is that of reading a file.
func ProjectHash(o Options) (string, []string, error) {
	var content, lines []string
	for _, s := range o.sources() {
		if s.scope != Project {
			continue
		}
		name, err := filepath.Rel(o.Project, s.path)
		if err != nil {
			return "", nil, fmt.Errorf("hash the project's MCP files: %w", err)
		}
		name = filepath.ToSlash(name)
		doc, data, problem := s.try()
		switch {
		case problem != nil && data == nil:
			return "", nil, fmt.Errorf("hash the project's MCP files: %s", problem)
		case problem != nil:
			content = append(content, name, "broken", string(data))
			lines = append(lines, fmt.Sprintf("%s cannot be used: %s", name, problem.Message))
			continue
		case doc == nil:
			continue
		}
		list, _ := o.definitions(s, doc)
		for _, d := range list {
			content = append(content, name, d.name, canonical(d.value))
			lines = append(lines, clip(name+": "+d.describe(), maxLine))
		}
	}
	if len(content) == 0 {
		return "", nil, nil
	}
	return hash("project", content), lines, nil
}

// canonical returns a value as text that is the same for equal values.
func canonical(v hujson.Value) string {
	v = v.Clone()
	v.Standardize()
	v.Minimize()
	text := jsontext.Value(v.Pack())
	if err := text.Canonicalize(jsontext.AllowDuplicateNames(true)); err != nil {
		return string(v.Pack())
	}
	return string(text)
}

// describe says what the entry would do, with its variables as they are written. Texts that look like secrets are not shown.
func (d definition) describe() string {
	r := &reader{definition: d}
	e := r.read()
	name := strconv.Quote(clip(d.name, maxName))
	if !r.bad {
		r.transport(e)
	}
	var does string
	switch {
	case r.bad:
		return name + " has a mistake and would not be used"
	case e.disabled:
		return name + " is switched off"
	case e.command.value != "" && e.url.value == "":
		words := []string{shown(e.command.value)}
		for _, arg := range e.args {
			words = append(words, shown(arg.value))
		}
		does = " runs " + strings.Join(words, " ")
	default:
		does = " connects to " + shown(e.url.value)
	}
	if e.cwd.value != "" {
		does += " in " + shown(e.cwd.value)
	}
	return name + does + settings(" with ", e.env, "=") + settings(" and sends ", e.headers, ": ")
}

// settings lists variables or headers, without the values of those that look like secrets.
func settings(prefix string, list []named, between string) string {
	if len(list) == 0 {
		return ""
	}
	texts := make([]string, len(list))
	for i, m := range list {
		value := shown(m.value)
		if secretName(m.name) && !strings.Contains(m.value, "${") {
			value = "(not shown)"
		}
		texts[i] = shown(m.name) + between + value
	}
	return prefix + strings.Join(texts, ", ")
}

// shown writes a text so that it is one word for a person and cannot play tricks on a terminal.
func shown(s string) string {
	s = clip(s, maxLine)
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r == '"' || unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}
