package permission

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// maxRule is the length of the longest rule.
const maxRule = 4096

// Rule says what calls are meant. Its text is a tool, or a tool and a pattern:
//
//	read, edit, bash, fetch, mcp, any other tool's name, or * for all
//	read:docs/**            files; relative to the project, ~/ in the user's home, or absolute; edit stands for write too
//	bash:git commit *       commands all of whose parts begin so; what changes a program's meaning is not covered
//	bash:=make test         this command line alone
//	fetch:*.example.com     hosts
//	mcp:server/tool         tools of MCP servers; server/* for all of one
type Rule struct {
	tool    string
	pattern string // "" for all
	text    string
}

// String returns the text of the rule.
func (r Rule) String() string { return r.text }

// ParseRule reads a rule.
func ParseRule(text string) (Rule, error) {
	fail := func(why string) (Rule, error) { return Rule{}, fmt.Errorf("rule %.80q: %s", text, why) }
	tool, pattern, hasPattern := strings.Cut(strings.TrimSpace(text), ":")
	switch {
	case len(text) > maxRule:
		return fail("it is too long")
	case strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd }):
		return fail("it has a control character")
	case tool == "" || strings.ContainsAny(tool, " \t/()"):
		return fail("expected tool or tool:pattern, such as bash:git status *")
	case hasPattern && strings.TrimSpace(pattern) == "":
		return fail("nothing stands after the colon")
	}
	if tool == "write" {
		tool = "edit"
	}
	if pattern == "*" || pattern == "**" && tool != "edit" && tool != "read" {
		pattern = ""
	}
	r := Rule{tool: tool, pattern: pattern, text: strings.TrimSpace(text)}
	if pattern == "" {
		return r, nil
	}
	if err := r.check(); err != nil {
		return fail(err.Error())
	}
	return r, nil
}

// check refuses patterns that mean nothing for the tool.
func (r Rule) check() error {
	switch r.tool {
	case "read", "edit", "fetch":
	case "bash":
		if !strings.HasPrefix(r.pattern, "=") && len(commandWords(r.pattern)) == 0 {
			return errors.New("it names no program")
		}
		return nil
	case "mcp":
		if strings.Count(r.pattern, "/") < 1 {
			return errors.New("expected mcp:server/tool or mcp:server/*")
		}
	default:
		return errors.New("only read, edit, bash, fetch and mcp take a pattern")
	}
	for _, segment := range strings.Split(r.pattern, "/") {
		if _, err := path.Match(segment, ""); err != nil {
			return errors.New("the pattern has a [ without ] or ends with \\")
		}
	}
	return nil
}

// ParseRules reads rules. The error names all that make no sense; the others are returned.
func ParseRules(texts []string) ([]Rule, error) {
	var rules []Rule
	var errs []error
	for _, text := range texts {
		r, err := ParseRule(text)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		rules = append(rules, r)
	}
	return rules, errors.Join(errs...)
}

// commandWords are the words of a pattern for commands, without the * at its end.
func commandWords(pattern string) []string {
	words := strings.Fields(strings.TrimSuffix(strings.TrimSuffix(pattern, ":*"), " *"))
	if len(words) == 1 && words[0] == "*" {
		return nil
	}
	return words
}

// coversPart reports whether the rule covers one part of a command line: the program with what decides its meaning.
func (r Rule) coversPart(part string) bool {
	words, have := commandWords(r.pattern), strings.Split(part, " ") // not at other blanks: they belong to names
	if slices.Contains(have, "?") || len(have) < len(words) || !slices.Equal(have[:len(words)], words) {
		return false
	}
	open := strings.HasSuffix(r.pattern, " *") || strings.HasSuffix(r.pattern, ":*")
	for _, more := range have[len(words):] {
		if !open || strings.HasPrefix(more, "-") || strings.Contains(more, "=") {
			return false // an option before the subcommand can make another program of it
		}
	}
	return true
}

// mayMean reports whether a command line may be one that the rule names: a program of it, and all other words somewhere.
func (r Rule) mayMean(line string, c Command) bool {
	if exact, ok := strings.CutPrefix(r.pattern, "="); ok {
		return strings.TrimSpace(exact) == strings.TrimSpace(line)
	}
	words := commandWords(r.pattern)
	named := slices.ContainsFunc(c.Programs, func(p string) bool { return path.Base(p) == path.Base(words[0]) })
	if !named {
		return false
	}
	have := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()<>`'\"$={}", r) })
	for _, w := range words[1:] {
		if !slices.Contains(have, strings.Trim(w, `'"`)) {
			return false
		}
	}
	return true
}

// matchHost reports whether a pattern covers a host: itself, or *.domain all below it.
func matchHost(pattern, host string) bool {
	pattern, host = strings.ToLower(pattern), strings.ToLower(strings.TrimSuffix(host, "."))
	if domain, ok := strings.CutPrefix(pattern, "*."); ok {
		return strings.HasSuffix(host, "."+domain)
	}
	return host != "" && pattern == host
}

// matchSegments reports whether a pattern covers a path. Both are divided at slashes; ** stands for any number of segments.
func matchSegments(pattern, segments []string) bool {
	star, resume := -1, 0
	p, s := 0, 0
	for s < len(segments) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, resume = p, s
			p++
			continue
		case p < len(pattern):
			if ok, err := path.Match(pattern[p], segments[s]); ok && err == nil {
				p, s = p+1, s+1
				continue
			}
		}
		if star < 0 {
			return false
		}
		resume++
		p, s = star+1, resume
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}
