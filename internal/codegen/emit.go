package codegen

import (
	"cmp"
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"
	"time"
)

// typesName is the generated variable that holds the documentation of types.
const typesName = "elyraTypes"

// emitter writes one generated file.
type emitter struct {
	l        *loader
	pkg      *pkg
	imports  *importSet
	context  string // names in the generated file
	elyra    string
	self     string // the receiver
	ctx, in  string // the parameters of a command
	hasTypes bool
}

// entry is a command with its types written out.
type entry struct {
	command
	fields string // of the struct of arguments
	result string // "" when there is none
}

// emit gives the text of a package's generated file, formatted. The commands are those that
// commands found, and what is wrong with their types is reported.
func (l *loader) emit(p *pkg, commands []command) ([]byte, error) {
	e := &emitter{l: l, pkg: p, imports: newImportSet(p)}
	e.context = e.imports.name("context", "context")
	e.elyra = e.imports.name(elyraPath, "elyra")
	entries := make([]entry, len(commands))
	for i, c := range commands {
		entries[i] = e.entry(c)
		if c.timeout != 0 {
			e.imports.name("time", "time")
		}
	}
	docs := e.typeDocs(l.typeDocs(p, commands))
	e.hasTypes = docs != ""
	e.ctx, e.in, e.self = e.imports.free("ctx"), e.imports.free("in"), e.imports.free("s")

	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\npackage %s\n\nimport (\n%s\n)\n", header, p.name, e.imports.block())
	for _, group := range byReceiver(entries) {
		e.function(&b, group)
	}
	b.WriteString(docs)
	text, err := format.Source([]byte(b.String()))
	if err != nil && len(l.problems) == 0 {
		return nil, fmt.Errorf("generate: package %s: the generated code is not Go, which is a bug: %w", p.path, err)
	}
	return text, nil
}

func (e *emitter) entry(c command) entry {
	t := &typeText{l: e.l, pkg: e.pkg, file: c.file, imports: e.imports}
	result := entry{command: c}
	var b strings.Builder
	for _, a := range c.arguments {
		tag := a.name
		if a.optional {
			tag += ",omitempty"
		}
		fmt.Fprintf(&b, "%s %s `json:%q`\n", a.field, t.text(a.typ), tag)
	}
	result.fields = b.String()
	if c.result != nil {
		result.result = t.text(c.result)
	}
	return result
}

// byReceiver groups entries: plain functions first, then each service type by name.
func byReceiver(entries []entry) [][]entry {
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(a, b entry) int { return cmp.Compare(a.receiver.name, b.receiver.name) })
	var groups [][]entry
	for i, x := range sorted {
		if i == 0 || x.receiver.name != sorted[i-1].receiver.name {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], x)
	}
	return groups
}

// function writes the Commands function or method of one group.
func (e *emitter) function(b *strings.Builder, group []entry) {
	name := group[0].receiver.name
	if name == "" {
		fmt.Fprintf(b, "\n// Commands gives the commands that are functions of package %s.\nfunc Commands() []%s.Command {\n", e.pkg.name, e.elyra)
	} else {
		pointer := ""
		if slices.ContainsFunc(group, func(x entry) bool { return x.receiver.pointer }) {
			pointer = "*"
		}
		fmt.Fprintf(b, "\n// Commands gives the commands that are methods of %s.\nfunc (%s %s%s) Commands() []%s.Command {\n",
			name, e.self, pointer, name, e.elyra)
	}
	fmt.Fprintf(b, "return []%s.Command{\n", e.elyra)
	for _, x := range group {
		e.command(b, x)
	}
	b.WriteString("}\n}\n")
}

// command writes one element of the list that Commands gives.
func (e *emitter) command(b *strings.Builder, x entry) {
	fields, in := "", "_"
	if x.fields != "" {
		fields, in = "\n"+x.fields, e.in
	}
	result := x.result
	if result == "" {
		result = e.elyra + ".None"
	}
	fmt.Fprintf(b, "%s.NewCommand(%q, func(%s %s.Context, %s struct {%s}) (%s, error) {\n",
		e.elyra, x.name, e.ctx, e.context, in, fields, result)
	call := x.function.Name.Name + "(" + e.ctx
	if x.receiver.name != "" {
		call = e.self + "." + call
	}
	for _, a := range x.arguments {
		call += ", " + e.in + "." + a.field
	}
	if x.result == "" {
		fmt.Fprintf(b, "return %s.None{}, %s)\n", e.elyra, call)
	} else {
		fmt.Fprintf(b, "return %s)\n", call)
	}
	fmt.Fprintf(b, "}, %s.CommandOptions{%s}),\n", e.elyra, e.options(x))
}

func (e *emitter) options(x entry) string {
	var options []string
	add := func(set bool, field, value string) {
		if set {
			options = append(options, field+": "+value)
		}
	}
	add(x.can != "", "Can", strconv.Quote(x.can))
	add(x.title != "", "Title", strconv.Quote(x.title))
	add(x.live, "Live", "true")
	add(x.additive, "Additive", "true")
	add(x.readOnly, "ReadOnly", "true")
	add(x.idempotent, "Idempotent", "true")
	add(x.openWorld, "OpenWorld", "true")
	if x.timeout != 0 {
		add(true, "Timeout", duration(x.timeout, e.imports.name("time", "time")))
	}
	add(x.doc != "", "Doc", stringLiteral(x.doc))
	add(e.hasTypes, "Types", typesName)
	if len(options) == 0 {
		return ""
	}
	return "\n" + strings.Join(options, ",\n") + ",\n"
}

// typeDocs writes the variable with what the source says about types, "" when it says nothing.
func (e *emitter) typeDocs(docs []typeDoc) string {
	if len(docs) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n// %s is what the comments say about the types that commands take and give.\nvar %s = %s.TypeDocs{\n",
		typesName, typesName, e.elyra)
	for _, d := range docs {
		fmt.Fprintf(&b, "%q: {\n", d.key)
		if d.doc != "" {
			fmt.Fprintf(&b, "Doc: %s,\n", stringLiteral(d.doc))
		}
		if len(d.fields) > 0 {
			b.WriteString("Fields: map[string]string{\n")
			for _, f := range d.fields {
				fmt.Fprintf(&b, "%q: %s,\n", f.name, stringLiteral(f.doc))
			}
			b.WriteString("},\n")
		}
		if len(d.enum) > 0 {
			fmt.Fprintf(&b, "Enum: []any{%s},\n", strings.Join(d.enum, ", "))
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// stringLiteral prefers a raw string for text of several lines, which reads and diffs better.
func stringLiteral(text string) string {
	if strings.Contains(text, "\n") {
		raw := true
		for line := range strings.SplitSeq(text, "\n") {
			raw = raw && strconv.CanBackquote(line)
		}
		if raw {
			return "`" + text + "`"
		}
	}
	return strconv.Quote(text)
}

// duration writes a duration in the largest unit that divides it.
func duration(d time.Duration, timeName string) string {
	for _, unit := range [...]struct {
		size time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}, {time.Microsecond, "Microsecond"}} {
		if d%unit.size == 0 {
			return fmt.Sprintf("%d * %s.%s", d/unit.size, timeName, unit.name)
		}
	}
	return fmt.Sprintf("%d * %s.Nanosecond", d, timeName)
}
