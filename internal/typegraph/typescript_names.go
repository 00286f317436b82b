package typegraph

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// tsWriter writes one TypeScript module.
type tsWriter struct {
	b        strings.Builder
	found    []tsUse // in the order of the functions
	used     map[tsUse]bool
	names    map[tsUse]string
	declared []tsDeclaration // sorted by name
}

// tsUse is a named type as an argument or as a result.
type tsUse struct {
	typ    *Type
	output bool
}

type tsDeclaration struct {
	tsUse
	name string
}

// tsReserved are the words that the module uses itself. A declaration of such a name would hide them.
var tsReserved = []string{"CallOptions", "Live", "Promise", "Record"}

func newTSWriter(functions []Function) *tsWriter {
	w := &tsWriter{used: map[tsUse]bool{}, names: map[tsUse]string{}}
	for _, f := range functions {
		w.find(f.Arguments, false)
		w.find(f.Result, true)
	}
	w.name()
	return w
}

// hasTSName reports whether a type gets a declaration of its own. Every type that contains itself
// does, because in Go it has a name.
func (t *Type) hasTSName() bool {
	if t.goType.PkgPath() == "" {
		return false
	}
	switch t.kind {
	case kindObject:
		// An empty struct is written where it is used: there is nothing to say about it.
		return t.rest != nil || len(t.fields) > 0
	case kindList, kindArray, kindMap, kindPointer, kindCustom:
		return true
	}
	return len(t.enum) > 0
}

// parts are the types that a type consists of.
func (t *Type) parts() []*Type {
	var parts []*Type
	for i := range t.fields {
		parts = append(parts, t.fields[i].typ)
	}
	for _, part := range []*Type{t.elem, t.key, t.rest} {
		if part != nil {
			parts = append(parts, part)
		}
	}
	return parts
}

// find collects the named types that t uses.
func (w *tsWriter) find(t *Type, output bool) {
	if t.hasTSName() {
		if w.used[tsUse{t, output}] {
			return
		}
		w.used[tsUse{t, output}] = true
		w.found = append(w.found, tsUse{t, output})
	}
	for _, part := range t.parts() {
		w.find(part, output)
	}
}

// name gives each use its name. Only a type that differs as an argument and as a result has two.
func (w *tsWriter) name() {
	var types []*Type
	for _, use := range w.found {
		if use.output || !w.used[tsUse{use.typ, true}] {
			types = append(types, use.typ)
		}
	}
	path := func(t *Type) string { return t.goType.PkgPath() + "." + t.goType.Name() }
	// Two types declared within functions may even have the same path.
	slices.SortStableFunc(types, func(x, y *Type) int { return cmp.Compare(path(x), path(y)) })
	differ := w.differing(types)
	taken := tsTaken(types)
	unique := func(name string) string {
		base := name
		for n := 2; taken[name] > 1; n++ {
			name = base + strconv.Itoa(n)
		}
		taken[name] = 2
		return name
	}
	var base []string
	for _, t := range types {
		name := tsName(t.goType.Name())
		if taken[name] > 1 {
			name = unique(tsPackage(t) + name)
		}
		base = append(base, name)
	}
	for i, t := range types {
		in, out := tsUse{t, false}, tsUse{t, true}
		switch {
		case differ[t]:
			w.declare(out, base[i])
			w.declare(in, unique(base[i]+"Argument"))
		case w.used[out]:
			w.declare(out, base[i])
			w.names[in] = base[i]
		default:
			w.declare(in, base[i])
		}
	}
	slices.SortFunc(w.declared, func(x, y tsDeclaration) int { return cmp.Compare(x.name, y.name) })
}

func (w *tsWriter) declare(use tsUse, name string) {
	w.names[use] = name
	w.declared = append(w.declared, tsDeclaration{use, name})
}

// tsTaken counts how many types want a name; one that the module itself uses counts twice.
func tsTaken(types []*Type) map[string]int {
	taken := map[string]int{}
	for _, t := range types {
		taken[tsName(t.goType.Name())]++
	}
	for _, word := range tsReserved {
		taken[word] = 2
	}
	return taken
}

// differing finds the types that are used both ways and are not the same both ways, because of their
// own fields or of a type that they use.
func (w *tsWriter) differing(types []*Type) map[*Type]bool {
	differ := map[*Type]bool{}
	for changed := true; changed; {
		changed = false
		for _, t := range types {
			both := w.used[tsUse{t, false}] && w.used[tsUse{t, true}]
			if both && !differ[t] && t.differs(differ, true) {
				differ[t], changed = true, true
			}
		}
	}
	return differ
}

// differs reports whether t is written differently as an argument and as a result, given the named
// types of which that is known. top is false below the type that is asked about.
func (t *Type) differs(known map[*Type]bool, top bool) bool {
	if !top && t.hasTSName() {
		return known[t]
	}
	for i := range t.fields {
		f := &t.fields[i]
		if f.mayLack(false) != f.mayLack(true) || f.neverNull(false) != f.neverNull(true) {
			return true
		}
	}
	for _, part := range t.parts() {
		if part.differs(known, false) {
			return true
		}
	}
	return false
}

// tsPackage is the name of a type's package, which tells types of the same name apart.
func tsPackage(t *Type) string { return tsName(path.Base(t.goType.PkgPath())) }

// tsName turns the Go name of a type into one that TypeScript takes: Page[example.org/crm.Customer]
// into CustomerPage.
func tsName(goName string) string {
	base, args, generic := strings.Cut(goName, "[")
	var b strings.Builder
	if generic {
		for _, arg := range splitTypeArguments(strings.TrimSuffix(args, "]")) {
			b.WriteString(tsArgument(arg))
		}
	}
	b.WriteString(tsWord(base))
	return b.String()
}

// tsArgument is the part of a name that stands for one type argument.
func tsArgument(arg string) string {
	arg = strings.TrimLeft(arg, "*")
	if element, ok := strings.CutPrefix(arg, "[]"); ok {
		return tsArgument(element) + "List"
	}
	// The package's path ends at the last dot before the type's own arguments.
	name, rest, _ := strings.Cut(arg, "[")
	if strings.HasPrefix(arg, "map[") || strings.ContainsAny(name, "{ ") {
		return tsWord(arg)
	}
	name = name[strings.LastIndexAny(name, "./")+1:]
	if rest != "" {
		name += "[" + rest
	}
	return tsName(name)
}

// splitTypeArguments splits at the commas that are not within brackets.
func splitTypeArguments(args string) []string {
	var parts []string
	depth, start := 0, 0
	for i, r := range args {
		switch {
		case strings.ContainsRune("[{(", r):
			depth++
		case strings.ContainsRune("]})", r):
			depth--
		case r == ',' && depth == 0:
			parts, start = append(parts, args[start:i]), i+1
		}
	}
	return append(parts, args[start:])
}

// tsWord drops what cannot be in a name and makes each remaining word begin with a capital.
func tsWord(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, word := range words {
		words[i] = capitalized(word)
	}
	return strings.Join(words, "")
}
