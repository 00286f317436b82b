package permission

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// offer are rules that would cover a request and what is like it, none if there is no such rule.
func (g *Gate) offer(s seen) []Rule {
	var texts []string
	switch s.Kind {
	case MCP:
		return nil
	case Run:
		texts = g.offerCommand(s)
	case Read, Write:
		tool := "read"
		if s.Kind == Write {
			tool = "edit"
		}
		for _, name := range s.resolved {
			switch {
			case s.Kind == Read && g.places.in(g.places.project, name):
			case g.places.in(g.places.project, name):
				texts = append(texts, tool+":**")
			case s.Kind == Write:
				texts = append(texts, tool+":"+literalPattern(name))
			default:
				texts = append(texts, tool+":"+literalPattern(filepath.Dir(name))+"/**")
			}
		}
	case Network:
		texts = []string{"fetch:" + s.Host}
	default:
		texts = []string{s.Tool}
	}
	slices.Sort(texts)
	rules, err := ParseRules(slices.Compact(texts))
	if err != nil {
		return nil
	}
	return rules
}

// offerCommand offers the parts of a command line that are not covered yet, or the line itself when rules cannot cover them.
func (g *Gate) offerCommand(s seen) []string {
	exact := []string{"bash:=" + strings.TrimSpace(s.Command)}
	if !s.command.Parsed || len(s.command.Prefixes) == 0 || len(s.command.Writes) > 0 {
		return exact
	}
	rules := slices.Concat(g.o.Allow, g.session)
	var texts []string
	for _, part := range s.command.Prefixes {
		if slices.ContainsFunc(rules, func(r Rule) bool { return r.tool == "bash" && r.pattern != "" && r.coversPart(part) }) {
			continue
		}
		words := strings.Split(part, " ")
		plain := !slices.ContainsFunc(words, func(w string) bool {
			return w == "" || w == "?" || strings.HasPrefix(w, "-") || strings.ContainsRune(w, '=') || strings.ContainsFunc(w, unicode.IsSpace)
		})
		if !plain || slices.Contains(startsOthers, filepath.Base(words[0])) {
			return exact
		}
		texts = append(texts, "bash:"+part+" *")
	}
	return texts
}

// startsOthers are programs that run what their arguments say: a rule for one would be a rule for everything.
var startsOthers = []string{
	"sudo", "doas", "su", "env", "xargs", "sh", "bash", "dash", "zsh", "ksh", "fish", "eval", "exec", "source", ".", "command", "builtin",
	"nohup", "timeout", "nice", "time", "setsid", "ssh", "find", "python", "python3", "node", "perl", "ruby", "awk", "npx", "uvx", "rm",
	"watch", "parallel", "script", "trap", "busybox", "chroot", "strace", "flock", "stdbuf", "cd",
}

// literalPattern is a pattern that covers a path alone.
func literalPattern(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(filepath.ToSlash(path))
}
