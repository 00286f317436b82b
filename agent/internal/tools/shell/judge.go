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

// unclear reports paths that lead where their text does not tell: up again from a folder that may be a link, and to the home
// of another user.
func unclear(name string) bool {
	entered := false
	for elem := range strings.SplitSeq(name, "/") {
		if elem == ".." && entered {
			return true
		}
		entered = entered || elem != ".." && elem != "." && elem != ""
	}
	return strings.HasPrefix(name, "~") && name != "~" && !strings.HasPrefix(name, "~/")
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

// statements reports whether statements only look.
func (j *judge) statements(list []*syntax.Stmt) bool {
	for _, s := range list {
		if !j.statement(s) {
			return false
		}
	}
	return true
}

func (j *judge) statement(s *syntax.Stmt) bool {
	if s.Background || s.Coprocess || s.Disown {
		return false
	}
	for _, r := range s.Redirs {
		if !j.redirection(r) {
			return false
		}
	}
	return s.Cmd == nil || j.command(s.Cmd)
}

func (j *judge) redirection(r *syntax.Redirect) bool {
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
		return false
	}
	if r.Hdoc != nil && !j.printed(r.Hdoc) {
		return false
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		return true
	case syntax.WordHdoc:
		return j.printed(r.Word)
	case syntax.RdrIn:
		name, ok := literal(r.Word)
		if !ok || strings.HasPrefix(name, "/dev/") && name != "/dev/null" { // Among them are connections to other machines.
			return false
		}
		return j.read(name)
	case syntax.DplIn:
		name, ok := literal(r.Word)
		return ok && descriptor(name)
	}
	_, writes := written(r)
	return !writes && r.Op != syntax.RdrInOut
}

func (j *judge) command(c syntax.Command) bool {
	switch c := c.(type) {
	case *syntax.CallExpr:
		return j.call(c)
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			return j.apart([]*syntax.Stmt{c.X}) && j.apart([]*syntax.Stmt{c.Y})
		}
		return j.statement(c.X) && j.statement(c.Y)
	case *syntax.Block:
		return j.statements(c.Stmts)
	case *syntax.Subshell:
		return j.apart(c.Stmts)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			if !j.statements(c.Cond) || !j.statements(c.Then) {
				return false
			}
		}
		return true
	case *syntax.TimeClause:
		return c.Stmt == nil || j.statement(c.Stmt)
	}
	return false
}

// call reports whether a simple command only looks.
func (j *judge) call(c *syntax.CallExpr) bool {
	for _, a := range c.Assigns {
		if !harmlessAssign(a) {
			return false
		}
	}
	if len(c.Args) == 0 {
		return len(c.Assigns) > 0
	}
	name, ok := literal(c.Args[0])
	if !ok {
		return false
	}
	if name == "echo" || name == ":" {
		for _, w := range c.Args[1:] {
			if !j.printed(w) {
				return false
			}
		}
		return true
	}
	args := make([]string, 0, len(c.Args))
	for _, w := range c.Args[1:] {
		text, ok := j.argument(w, harmlessOptions(name))
		if !ok {
			return false
		}
		args = append(args, text)
	}
	if name == "cd" {
		return j.changeDir(args)
	}
	if !looksOnly(name, args) {
		return false
	}
	for _, a := range args {
		if !j.read(a) {
			return false
		}
	}
	return true
}

// harmlessAssign reports variables that change how something is printed.
func harmlessAssign(a *syntax.Assign) bool {
	if a.Append || a.Naked || a.Index != nil || a.Array != nil || a.Name == nil {
		return false
	}
	switch a.Name.Value {
	case "LC_ALL", "LANG", "TZ", "NO_COLOR", "COLUMNS":
	default:
		return false
	}
	if a.Value == nil {
		return true
	}
	_, ok := literal(a.Value)
	return ok
}

// changeDir notes where cd leads. What comes after it is read there.
func (j *judge) changeDir(args []string) bool {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") || strings.ContainsAny(args[0], "*?[") {
		return false
	}
	if !j.read(args[0]) {
		return false
	}
	j.dir = join(j.dir, args[0])
	return true
}

// read notes a word that may name a file, and what stands after = in it. False: nobody can say which file.
func (j *judge) read(word string) bool {
	if len(j.v.Reads) > maxReads {
		return false
	}
	if strings.HasPrefix(word, "-") {
		_, value, ok := strings.Cut(word, "=")
		switch {
		case ok:
			word = value
		case strings.ContainsAny(word, "/~"): // Such as -f/etc/passwd.
			word = word[strings.IndexAny(word, "/~"):]
		default:
			return true
		}
	}
	if unclear(word) {
		return false
	}
	if word != "" {
		// When cd fails, what follows may run where it was before.
		j.v.Reads = appendNew(appendNew(j.v.Reads, word), join(j.dir, word))
	}
	return true
}

// maxReads is more files than a read-only command needs to name.
const maxReads = 200

// join puts a word after a folder, unless it is absolute.
func join(dir, word string) string {
	if dir == "" || strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~") {
		return word
	}
	return strings.TrimSuffix(dir, "/") + "/" + word
}
