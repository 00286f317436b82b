package codegen

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// command is a function with a directive, checked.
type command struct {
	directive
	pos       token.Pos // of the function's name
	file      *sourceFile
	function  *ast.FuncDecl
	receiver  receiver
	arguments []argument
	result    ast.Expr // nil when the function returns an error alone
	doc       string
}

// argument is a parameter after the context.
type argument struct {
	name     string // verbatim, the name that callers send
	field    string // of the struct that carries it
	typ      ast.Expr
	optional bool
}

// spacedDirective is the mistake of writing a directive like an ordinary comment.
var spacedDirective = regexp.MustCompile(`^//\s+elyra:command(\s|$)`)

// commands finds the commands of a package, sorted by name, and reports everything wrong with them.
// A nil package, one that did not parse, has none.
func (l *loader) commands(p *pkg) []command {
	if p == nil {
		return nil
	}
	var found []command
	for _, f := range p.files {
		functions := map[*ast.CommentGroup]*ast.FuncDecl{}
		for _, decl := range f.syntax.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Doc != nil {
				functions[d.Doc] = d
			}
		}
		for _, group := range f.syntax.Comments {
			d := functions[group]
			if comment := l.directiveIn(group, d); comment != nil {
				if c, ok := l.command(p, f, d, comment); ok {
					found = append(found, c)
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b command) int { return cmp.Compare(a.name, b.name) })
	l.checkCollisions(p, found)
	return found
}

// directiveIn gives the one command directive of a comment group. function is nil when the group
// documents none, and then a directive in it is a mistake.
func (l *loader) directiveIn(group *ast.CommentGroup, function *ast.FuncDecl) *ast.Comment {
	var directive *ast.Comment
	for _, c := range group.List {
		text, isDirective := strings.CutPrefix(c.Text, directivePrefix)
		if !isDirective {
			if function != nil && spacedDirective.MatchString(c.Text) {
				l.reportAt(c.Pos(), "a directive starts without a space", "write "+commandPrefix)
			}
			continue
		}
		name, _, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
		switch {
		case name != "command":
			l.reportAt(c.Pos(), fmt.Sprintf("unknown directive %s%s", directivePrefix, name), "the only one is "+commandPrefix)
		case function == nil:
			l.reportAt(c.Pos(), commandPrefix+" belongs to no function", "put it at the end of the comment directly above the function")
		case directive != nil:
			l.reportAt(c.Pos(), commandPrefix+" is given twice", "put all words into one")
		default:
			directive = c
		}
	}
	return directive
}

// command checks one function. ok is false when something was reported.
func (l *loader) command(p *pkg, f *sourceFile, d *ast.FuncDecl, comment *ast.Comment) (c command, ok bool) {
	before := len(l.problems)
	c = command{pos: d.Name.Pos(), file: f, function: d, receiver: receiverOf(d), doc: p.docText(d.Doc)}
	var problems []directiveProblem
	c.directive, problems = parseDirective(comment.Text[len(commandPrefix):])
	for _, problem := range problems {
		l.reportAt(comment.Pos()+token.Pos(len(commandPrefix)+problem.offset), problem.what, problem.fix)
	}
	if c.name == "" {
		c.name = CommandName(p.name, d.Name.Name)
		if what, fix := checkName(c.name); what != "" {
			l.reportAt(c.pos, what, fix)
		}
	}
	if f.constrained {
		l.reportAt(c.pos, fmt.Sprintf("%s is not built on every system, and a command has to be", d.Name.Name),
			"move it to a file without build constraints")
	}
	if c.receiver.generic || d.Type.TypeParams != nil {
		l.reportAt(c.pos, fmt.Sprintf("%s has type parameters, which no caller can give", d.Name.Name), "write a function for each type")
	}
	if d.Recv != nil && !c.receiver.generic && p.types[c.receiver.name] == nil {
		l.reportAt(c.pos, fmt.Sprintf("the receiver type of %s is not declared in this package", d.Name.Name), "declare it in a file that is built")
	}
	l.parameters(p, &c)
	l.results(p, &c)
	return c, len(l.problems) == before
}

// parameters checks that the context comes first and that every argument has a name of its own.
func (l *loader) parameters(p *pkg, c *command) {
	fields := c.function.Type.Params.List
	if len(fields) == 0 || !l.isContext(p, c.file, fields[0].Type) {
		l.reportAt(c.pos, fmt.Sprintf("%s does not take a context", c.function.Name.Name), "make the first parameter ctx context.Context")
	} else if len(fields[0].Names) <= 1 {
		fields = fields[1:]
	}
	taken := map[string]string{}
	for _, field := range fields {
		switch {
		case l.isContext(p, c.file, field.Type):
			l.reportAt(field.Pos(), "a second context", "a command takes one, as its first parameter")
			continue
		case len(field.Names) == 0:
			l.reportAt(field.Pos(), "the parameter has no name, and arguments are sent by name", "name it")
			continue
		}
		if _, variadic := field.Type.(*ast.Ellipsis); variadic {
			l.reportAt(field.Pos(), fmt.Sprintf("parameter %s is variadic, and arguments are sent by name", field.Names[0].Name), "take a slice")
			continue
		}
		_, pointer := ast.Unparen(field.Type).(*ast.StarExpr)
		for _, id := range field.Names {
			a := argument{name: id.Name, field: fieldName(id.Name), typ: field.Type, optional: pointer}
			if a.name == "_" {
				l.reportAt(id.Pos(), "the parameter has no name, and arguments are sent by name", "name it")
			} else if other, twice := taken[a.field]; twice {
				l.reportAt(id.Pos(), fmt.Sprintf("parameter %s is hard to tell from %s", a.name, other), "give it a name that differs in more than case")
			} else {
				taken[a.field] = a.name
				c.arguments = append(c.arguments, a)
			}
		}
	}
}

// results checks that the function gives an error, or a value and an error.
func (l *loader) results(p *pkg, c *command) {
	var results []ast.Expr
	if c.function.Type.Results != nil {
		for _, field := range c.function.Type.Results.List {
			for range max(1, len(field.Names)) {
				results = append(results, field.Type)
			}
		}
	}
	isError := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		_, shadowed := p.names["error"]
		return ok && id.Name == "error" && !shadowed
	}
	switch {
	case len(results) == 1 && isError(results[0]):
	case len(results) == 2 && isError(results[1]) && !isError(results[0]):
		c.result = results[0]
	default:
		l.reportAt(c.pos, fmt.Sprintf("%s returns neither error nor a value and error", c.function.Name.Name),
			"end it with error or (T, error), and put several values into a struct")
	}
}

func (l *loader) isContext(p *pkg, f *sourceFile, expr ast.Expr) bool {
	switch e := ast.Unparen(expr).(type) {
	case *ast.SelectorExpr:
		id, ok := e.X.(*ast.Ident)
		return ok && e.Sel.Name == "Context" && l.importOf(p, f, id.Name) == "context"
	case *ast.Ident:
		_, declared := p.names["Context"]
		return e.Name == "Context" && !declared && slices.Contains(dotImports(f), "context")
	}
	return false
}

// checkCollisions reports commands of one name, and names that the generated file needs but the package has.
func (l *loader) checkCollisions(p *pkg, sorted []command) {
	for i := 1; i < len(sorted); i++ {
		if a, b := sorted[i-1], sorted[i]; a.name == b.name {
			l.reportAt(b.pos, fmt.Sprintf("a second command %s, the first is at %s", b.name, l.fset.Position(a.pos)),
				"give one another name with name=")
		}
	}
	reported := map[token.Pos]bool{}
	for _, c := range sorted {
		at, exists := p.names["Commands"]
		if c.receiver.name != "" {
			at, exists = p.methods[c.receiver.name+".Commands"]
		}
		if exists && !reported[at] {
			reported[at] = true
			l.reportAt(at, "the name Commands is needed for the generated code", "rename this")
		}
	}
	if at, exists := p.names[typesName]; exists && len(sorted) > 0 {
		l.reportAt(at, fmt.Sprintf("the name %s is needed for the generated code", typesName), "rename this")
	}
}
