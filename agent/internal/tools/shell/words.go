package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// literal returns what a word is when the shell has nothing to expand in it.
func literal(w *syntax.Word) (string, bool) { return plain(w, false) }

// plain returns the text of a word without quotes. With globs, * ? and [ outside of quotes may be in it, but not at its
// beginning, where the name of a file could become an option.
func plain(w *syntax.Word, globs bool) (string, bool) {
	if w == nil {
		return "", false
	}
	if w.Lit() == "[" { // The program.
		return "[", true
	}
	var b strings.Builder
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text, ok := unescape(p.Value, i == 0, globs)
			if !ok {
				return "", false
			}
			b.WriteString(text)
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok || p.Dollar {
					return "", false
				}
				b.WriteString(unquote(lit.Value))
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unescape takes the backslashes off a part that is not quoted. False: the shell expands it.
func unescape(s string, first, globs bool) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\\':
			if i++; i == len(s) {
				return "", false
			}
			if s[i] != '\n' {
				b.WriteByte(s[i])
			}
			continue
		case '{', '}', '(', ')', '`', '$':
			return "", false
		case '*', '?', '[':
			if !globs || first && i == 0 {
				return "", false
			}
		case '~':
			if b.Len() > 0 && (strings.HasSuffix(b.String(), "=") || strings.HasSuffix(b.String(), ":")) {
				return "", false
			}
		}
		b.WriteByte(s[i])
	}
	return b.String(), true
}

// unquote takes the backslashes off a part between double quotes.
func unquote(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// argument returns an argument of a read-only program: plain, with globs, or a process substitution that only looks. With
// globSafe the program has no option that a file's name could turn into harm.
func (j *judge) argument(w *syntax.Word, globSafe bool) (string, bool) {
	if len(w.Parts) == 1 {
		if p, ok := w.Parts[0].(*syntax.ProcSubst); ok {
			return "", p.Op == syntax.CmdIn && j.apart(p.Stmts)
		}
	}
	if globSafe && len(w.Parts) > 0 {
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && strings.HasPrefix(lit.Value, "*") {
			rest := *w
			first := *lit
			first.Value = "x" + lit.Value // As if the names began with something.
			rest.Parts = append([]syntax.WordPart{&first}, w.Parts[1:]...)
			w = &rest
		}
	}
	return plain(w, true)
}

// printed reports whether a word does nothing but become text: it may contain simple variables and what read-only commands
// print. It is for programs that take any words and print them.
func (j *judge) printed(w *syntax.Word) bool {
	for _, part := range w.Parts {
		if !j.printedPart(part) {
			return false
		}
	}
	return true
}

func (j *judge) printedPart(part syntax.WordPart) bool {
	switch p := part.(type) {
	case *syntax.Lit, *syntax.SglQuoted:
		return true
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			if !j.printedPart(inner) {
				return false
			}
		}
		return true
	case *syntax.ParamExp:
		return simpleParameter(p)
	case *syntax.CmdSubst:
		return !p.TempFile && !p.ReplyVar && j.apart(p.Stmts)
	}
	return false
}

// simpleParameter reports $name and ${name}: everything else may assign, or evaluate what the variable holds.
func simpleParameter(p *syntax.ParamExp) bool {
	if p.Param == nil {
		return false
	}
	var unset syntax.OptState
	return p.Flags == nil && !p.Excl && !p.Length && !p.Width && !p.IsSet && p.Split == unset && p.GlobSubst == unset &&
		p.RcExpand == unset && p.NestedParam == nil && p.Index == nil && p.Modifiers == nil && p.Slice == nil && p.Repl == nil &&
		p.Names == 0 && p.Exp == nil
}

// apart judges statements that run in a shell of their own, so that a cd in them ends with them.
func (j *judge) apart(list []*syntax.Stmt) bool {
	dir := j.dir
	ok := j.statements(list)
	j.dir = dir
	return ok && len(list) > 0
}
