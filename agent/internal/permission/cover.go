package permission

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

func (g *Gate) anyMeant(rules []Rule, s seen) bool {
	return slices.ContainsFunc(rules, func(r Rule) bool { return g.meant(r, s) })
}

// meant reports whether a rule that denies or asks may be about a request.
func (g *Gate) meant(rule Rule, s seen) bool {
	if rule.tool == "*" {
		return true
	}
	files := append(slices.Clone(s.resolved), s.lexical...)
	onFiles := func(list []string) bool {
		return slices.ContainsFunc(list, func(name string) bool {
			return rule.pattern == "" || g.places.covers(rule.pattern, name, true)
		})
	}
	switch {
	case rule.tool == "read" && s.Kind == Read:
		return rule.pattern == "" || onFiles(files)
	case rule.tool == "read" && s.Kind == Run, rule.tool == "edit" && s.Kind == Run:
		if rule.tool == "edit" {
			files = s.writes
		}
		return rule.pattern != "" && onFiles(files)
	case rule.tool == "edit":
		return s.Kind == Write && (rule.pattern == "" || onFiles(files))
	case rule.tool == "bash":
		if s.Kind != Run || rule.pattern == "" {
			return s.Kind == Run
		}
		return rule.mayMean(s.Command, s.command)
	}
	return g.sameTool(rule, s)
}

// sameTool is about the tools for which a rule that denies and one that allows mean the same.
func (g *Gate) sameTool(rule Rule, s seen) bool {
	switch rule.tool {
	case "fetch":
		return s.Kind == Network && (rule.pattern == "" || matchHost(rule.pattern, s.Host))
	case "mcp":
		if s.Kind != MCP || rule.pattern == "" {
			return s.Kind == MCP
		}
		server, name, _ := strings.Cut(rule.pattern, "/")
		okServer, _ := path.Match(server, s.Server)
		okName, _ := path.Match(name, s.Name)
		return okServer && (okName || name == "*")
	}
	return rule.pattern == "" && rule.tool == s.Tool && s.Kind != MCP
}

// allowed reports whether rules or an approval cover a request as a whole.
func (g *Gate) allowed(s seen) bool {
	rules := slices.Concat(g.o.Allow, g.session)
	if slices.ContainsFunc(rules, func(r Rule) bool { return r.tool == "*" }) && s.Kind != Run && !s.Shadows {
		return true
	}
	switch s.Kind {
	case Run:
		return g.commandAllowed(rules, s)
	case MCP:
		id := s.Identity()
		if s.Hash != "" && (g.approved[id] == s.Hash || !s.Shadows && g.o.Approved[id] == s.Hash) {
			return true
		}
		return !s.Shadows && slices.ContainsFunc(rules, func(r Rule) bool { return g.sameTool(r, s) })
	case Read, Write:
		covered := len(s.resolved) > 0 && !slices.ContainsFunc(s.resolved, func(name string) bool { return !g.fileAllowed(rules, s.Kind, name) })
		return covered || slices.ContainsFunc(rules, func(r Rule) bool { return g.sameTool(r, s) })
	}
	return slices.ContainsFunc(rules, func(r Rule) bool { return g.sameTool(r, s) })
}

// fileAllowed reports whether a rule covers one file.
func (g *Gate) fileAllowed(rules []Rule, kind Kind, name string) bool {
	if kind == Read && g.places.in(g.places.project, name) {
		return true
	}
	return slices.ContainsFunc(rules, func(r Rule) bool {
		return (r.tool == "read" && kind == Read || r.tool == "edit" && kind == Write) &&
			(r.pattern == "" || g.places.covers(r.pattern, name, false))
	})
}

// commandAllowed reports whether rules cover all parts of a command line. One that is not understood is only covered by a
// rule for all commands, and not even by that when others deny or ask, since it may be what they mean.
func (g *Gate) commandAllowed(rules []Rule, s seen) bool {
	spaced := func(program string) bool { return strings.ContainsFunc(program, unicode.IsSpace) } // its parts are not told apart
	opaque := !s.command.Parsed || slices.Contains(s.command.Programs, "?") || slices.ContainsFunc(s.command.Programs, spaced)
	restricted := slices.ContainsFunc(slices.Concat(g.o.Deny, g.o.Ask), func(r Rule) bool {
		return r.tool == "bash" || r.tool == "edit" || r.tool == "read"
	})
	left := slices.Clone(s.command.Prefixes)
	for _, rule := range rules {
		switch {
		case rule.tool != "bash" && rule.tool != "*":
		case rule.pattern == "":
			if !opaque || !restricted {
				return true
			}
		case strings.HasPrefix(rule.pattern, "="):
			if strings.TrimSpace(rule.pattern[1:]) == strings.TrimSpace(s.Command) {
				return true
			}
		default:
			left = slices.DeleteFunc(left, rule.coversPart)
		}
	}
	if opaque || len(left) > 0 || len(s.command.Prefixes) == 0 {
		return false
	}
	// Output that goes to files is a write like any other.
	return !slices.ContainsFunc(s.command.Writes, func(name string) bool {
		return name == "?" || !g.fileAllowed(rules, Write, g.places.resolve(name))
	})
}
