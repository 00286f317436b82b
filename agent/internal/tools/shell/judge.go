package shell

import (
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// Bounds of what is judged.
const (
	maxLength = 64 << 10
	maxNodes  = 20_000
)

// Verdict is what is known of a command line.
type Verdict struct {
	// ReadOnly: every part is known only to look at files and at the system, and to print.
	ReadOnly bool
	// Parsed: the command line is understood as a whole; else the lists below lack what is not.
	Parsed bool
	// Programs are the names of what is started, each once, in order; "?" for one that only running tells.
	Programs []string
	// Writes are the files that output is redirected to; "?" for one that only running tells. /dev/null is none.
	Writes []string
	// Reads are words that may name files which a read-only command looks at.
	Reads []string
	// Network: a program is there whose work is to speak to other machines. That there is none proves nothing.
	Network bool
	// Prefixes say for each simple command what a rule can be about: the program, or the program with its subcommand
	// ("git commit", "go test"). A rule covers the command line only when it covers all of them. Whatever changes what a
	// program is or does is part of the prefix ("PATH= go test", "git -c", "sudo", "xargs"), so that a rule for the program
	// alone does not cover it. "?" is never to be covered. Commands that only look, and only at relative paths without .., are
	// not among them, unless there is a cd to an absolute folder, which is one ("cd /srv").
	Prefixes []string
}

// Judge judges a command line.
func Judge(command string) Verdict {
	if len(command) > maxLength || strings.ContainsRune(command, 0) {
		return unknown()
	}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	file, err := parser.Parse(strings.NewReader(command), "")
	if err != nil {
		return unknown()
	}
	count := 0
	syntax.Walk(file, func(syntax.Node) bool { count++; return count <= maxNodes })
	if count > maxNodes {
		return unknown()
	}
	j := judge{v: Verdict{Parsed: true}, strict: deceptive(command) || leavesDir(file)}
	syntax.Walk(file, j.note)
	j.v.ReadOnly = len(file.Stmts) > 0 && !deceptive(command) && j.statements(file.Stmts)
	if !j.v.ReadOnly {
		j.v.Reads = nil
	}
	return j.v
}

func unknown() Verdict {
	return Verdict{Programs: []string{"?"}, Prefixes: []string{"?"}, Writes: []string{"?"}}
}

// deceptive reports characters with which a command looks different from what it is.
func deceptive(command string) bool {
	return strings.ContainsFunc(command, func(r rune) bool {
		return r == unicode.ReplacementChar || r == '\r' || unicode.IsControl(r) && r != '\n' && r != '\t' ||
			unicode.Is(unicode.Cf, r) || unicode.IsSpace(r) && r > unicode.MaxASCII
	})
}

// judge goes through a command line twice: note collects what is in it, wherever it is; statements decides whether all of it
// only looks.
type judge struct {
	v   Verdict
	dir string // what cd has led to, relative to the beginning
	// strict: every command has a prefix, because paths in them may not mean what they seem to.
	strict bool
}

// note collects the programs, prefixes and redirections of one node.
func (j *judge) note(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.CallExpr:
		j.noteCall(n)
	case *syntax.Redirect:
		if name, ok := written(n); ok {
			j.v.Writes = appendNew(j.v.Writes, name)
		}
	case *syntax.DeclClause:
		j.v.Programs = appendNew(j.v.Programs, n.Variant.Value)
		j.v.Prefixes = appendNew(j.v.Prefixes, n.Variant.Value)
	case *syntax.FuncDecl:
		// Its name may be that of a program, which then is not what it seems.
		j.v.Prefixes = appendNew(j.v.Prefixes, "?")
	}
	return true
}

// written returns the file that a redirection writes to.
func written(r *syntax.Redirect) (string, bool) {
	switch r.Op {
	case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.DplIn:
		return "", false
	}
	name, ok := literal(r.Word)
	switch {
	case !ok:
		return "?", true
	case r.Op == syntax.DplOut && descriptor(name):
		return "", false
	case name == "/dev/null" || name == "/dev/stdout" || name == "/dev/stderr":
		return "", false
	case unclear(name):
		return "?", true
	}
	return name, true
}

// descriptor reports what stands after >& for an open file.
func descriptor(s string) bool {
	s = strings.TrimSuffix(s, "-")
	return len(s) <= 2 && strings.Trim(s, "0123456789") == ""
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
