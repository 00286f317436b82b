package codegen

import (
	"cmp"
	"go/token"
	"slices"
	"strings"
)

// Problem is one thing wrong with the sources, and what to do about it.
type Problem struct {
	Pos  token.Position // file relative to Options.Dir
	What string
	Fix  string // may be empty when What says it all
}

// Error gives "file:line:col: what; fix", the form that editors make a link of.
func (p Problem) Error() string {
	text := p.Pos.String() + ": " + p.What
	if p.Fix != "" {
		text += "; " + p.Fix
	}
	return text
}

// Problems are all problems of one run, one a line.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.Error()
	}
	return strings.Join(lines, "\n")
}

// sorted orders by position and drops repetitions, which arise when two packages share a bad third.
func (p Problems) sorted() Problems {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename),
			cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return slices.Compact(p)
}

func position(file string, line, column int) token.Position {
	return token.Position{Filename: file, Line: line, Column: column}
}

// report records a problem; the run goes on so that all of them are shown at once.
func (l *loader) report(pos token.Position, what, fix string) {
	l.problems = append(l.problems, Problem{Pos: pos, What: what, Fix: fix})
}

func (l *loader) reportAt(pos token.Pos, what, fix string) {
	l.report(l.fset.Position(pos), what, fix)
}
