package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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
