package typegraph

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// TypeDoc is what people wrote about a Go type.
type TypeDoc struct {
	// Doc is the doc comment of the type.
	Doc string
	// Fields maps a Go field name to the comment of the field.
	Fields map[string]string
	// Enum lists the typed constants of the type, in declaration order: strings or
	// numbers, or values of the type itself. Empty means that every value is allowed.
	Enum []any
}

// Docs maps a type's package path, a dot and the type's name without type
// arguments ("example.org/crm/customers.Status") to what was written about it.
type Docs map[string]TypeDoc

// Schemer is implemented by types that describe their own JSON. A type that
// marshals itself must implement it. The schema is called once, on the zero value
// of the type. It must be an object or true, in the dialect 2020-12, and stand
// alone: no $defs and no references, neither to the document around it nor to
// another one. It may be nested 16 schemas deep.
type Schemer interface {
	JSONSchema() jsontext.Value
}

// Graph holds every type that was added, each once, and the docs.
//
// Add and AddDocs belong to the start of a program: they may run concurrently
// with each other, but not with the use of the types of the graph.
type Graph struct {
	mu    sync.Mutex
	types map[reflect.Type]*Type
	docs  Docs
}

// New returns an empty graph.
func New() *Graph {
	return &Graph{types: map[reflect.Type]*Type{}, docs: Docs{}}
}

// AddDocs adds what was written about types; types that were added before see it
// too. The same docs may be added again; different docs for one type are an
// error, and so is an enum whose values do not fit its type.
func (g *Graph) AddDocs(docs Docs) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	var errs []error
	for key, doc := range docs {
		if old, ok := g.docs[key]; ok {
			if !reflect.DeepEqual(old, doc) {
				errs = append(errs, fmt.Errorf("docs of %s were added twice and differ: generate the code of both packages again", key))
			}
			continue
		}
		g.docs[key] = doc
		for _, t := range g.types {
			for i := range t.fields {
				if f := &t.fields[i]; f.owner == key {
					f.doc = doc.Fields[f.goName]
				}
			}
			if docKey(t.goType) != key {
				continue
			}
			if err := t.setDoc(doc); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// Add returns the node of t, building it and everything it refers to. The error
// lists each refused part with its path and the reason, one a line:
// "input.Hook: func(int) has no JSON form".
func (g *Graph) Add(t reflect.Type) (*Type, error) {
	if t == nil {
		return nil, errors.New("add type: nil has no type")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	b := &builder{graph: g}
	node := b.build(t, "")
	if len(b.errs) > 0 {
		// Nodes that refer to a refused part must not be found by a later Add.
		for _, added := range b.added {
			delete(g.types, added)
		}
		return nil, errors.Join(b.errs...)
	}
	return node, nil
}

// docKey is the key of t in Docs, "" for an unnamed type.
func docKey(t reflect.Type) string {
	if t.Name() == "" {
		return ""
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return t.PkgPath() + "." + name
}
