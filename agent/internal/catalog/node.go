package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/wire"
)

// node is a JSON value as a tree, the form in which schemas are checked, hashed and rewritten. A tree is never changed
// once it is built, so that parts of it may be shared.
type node struct {
	kind   jsontext.Kind
	text   string   // of a string; the digits of a number
	names  []string // of an object's members, in order
	values []*node  // of an object or an array
	at     map[string]int
}

// wide is how many members an object has before finding one goes by an index.
const wide = 16

// parseNode reads one JSON value. Of two members with one name the last counts; half a surrogate pair becomes U+FFFD.
func parseNode(v []byte, maxDepth int) (*node, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(v), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	n, err := readNode(d, maxDepth)
	if err != nil {
		return nil, err
	}
	if _, err := d.ReadToken(); err != io.EOF {
		return nil, errors.New("something follows the JSON value")
	}
	return n, nil
}

func readNode(d *jsontext.Decoder, depth int) (*node, error) {
	if depth < 0 {
		return nil, errors.New("it is nested too deep")
	}
	t, err := d.ReadToken()
	if err != nil {
		return nil, fmt.Errorf("it is no valid JSON: %w", err)
	}
	n := &node{kind: t.Kind()}
	switch n.kind {
	case '"', '0':
		n.text = t.String()
	case '[':
		for d.PeekKind() != ']' {
			value, err := readNode(d, depth-1)
			if err != nil {
				return nil, err
			}
			n.values = append(n.values, value)
		}
		_, err = d.ReadToken()
	case '{':
		err = n.readMembers(d, depth)
	}
	return n, err
}

func (n *node) readMembers(d *jsontext.Decoder, depth int) error {
	for d.PeekKind() != '}' {
		t, err := d.ReadToken()
		if err != nil {
			return fmt.Errorf("it is no valid JSON: %w", err)
		}
		name := t.String()
		value, err := readNode(d, depth-1)
		if err != nil {
			return err
		}
		n.set(name, value)
	}
	_, err := d.ReadToken()
	return err
}

func newObject() *node { return &node{kind: '{'} }

func newArray(values ...*node) *node { return &node{kind: '[', values: values} }

func newString(text string) *node { return &node{kind: '"', text: text} }

// get returns a member of an object, nil when there is none or n is no object.
func (n *node) get(name string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	if i := n.find(name); i >= 0 {
		return n.values[i]
	}
	return nil
}

func (n *node) find(name string) int {
	if n.at == nil {
		return slices.Index(n.names, name)
	}
	if i, ok := n.at[name]; ok {
		return i
	}
	return -1
}

// str returns the text of a member that is a string, else "".
func (n *node) str(name string) string {
	if v := n.get(name); v != nil && v.kind == '"' {
		return v.text
	}
	return ""
}

// add appends a member to an object that is being built; a nil value adds nothing.
func (n *node) add(name string, value *node) {
	if value == nil {
		return
	}
	n.names, n.values = append(n.names, name), append(n.values, value)
	switch {
	case n.at != nil:
		n.at[name] = len(n.names) - 1
	case len(n.names) > wide:
		n.at = make(map[string]int, 2*wide)
		for i, name := range n.names {
			n.at[name] = i
		}
	}
}

// set replaces a member of an object that is being built, or appends it.
func (n *node) set(name string, value *node) {
	if i := n.find(name); i >= 0 {
		n.values[i] = value
		return
	}
	n.add(name, value)
}

// append writes n on one line. Sorted writes the members by name, for comparing.
func (n *node) append(dst []byte, sorted bool) []byte {
	switch n.kind {
	case '"':
		return wire.AppendString(dst, n.text)
	case '0':
		return append(dst, n.text...)
	case '[':
		dst = append(dst, '[')
		for i, v := range n.values {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = v.append(dst, sorted)
		}
		return append(dst, ']')
	case '{':
		return n.appendMembers(dst, sorted)
	case 't':
		return append(dst, "true"...)
	case 'f':
		return append(dst, "false"...)
	}
	return append(dst, "null"...)
}

func (n *node) appendMembers(dst []byte, sorted bool) []byte {
	order := make([]int, len(n.names))
	for i := range order {
		order[i] = i
	}
	if sorted {
		slices.SortFunc(order, func(a, b int) int { return strings.Compare(n.names[a], n.names[b]) })
	}
	dst = append(dst, '{')
	for i, at := range order {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(wire.AppendString(dst, n.names[at]), ':')
		dst = n.values[at].append(dst, sorted)
	}
	return append(dst, '}')
}

// bytes returns n as JSON on one line, its members in their order.
func (n *node) bytes() jsontext.Value { return n.append(nil, false) }

// equal reports whether two values are the same but for the order of members.
func (n *node) equal(other *node) bool {
	return bytes.Equal(n.append(nil, true), other.append(nil, true))
}
