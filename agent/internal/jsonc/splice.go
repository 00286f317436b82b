package jsonc

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/tailscale/hujson"
)

// The methods in this file change the text of a document where one member stands, and leave every other byte as it is.
// They are given objects of the document, and none of them changes the document itself.

// Insert adds a member at the end of an object.
func (d *Document) Insert(into hujson.Value, name string, v any) ([]byte, error) {
	object, ok := into.Value.(*hujson.Object)
	if !ok { // the file is empty
		text, err := encode(map[string]any{name: v}, "", "  ", "\n")
		return []byte(text + "\n"), err
	}
	outer, newline := d.indentAt(into.StartOffset), d.newline()
	unit := "  "
	if strings.HasPrefix(outer, "\t") || bytes.Contains(d.Data, []byte("\n\t")) {
		unit = "\t"
	}
	indent := outer + unit
	closing := into.EndOffset - 1
	at := len(bytes.TrimRight(d.Data[:closing], " \t\r\n"))

	data := d.Data[:at:at]
	comma := ""
	if n := len(object.Members); n > 0 {
		last := object.Members[n-1]
		if d.startsLine(last.Name.StartOffset) {
			indent = d.indentAt(last.Name.StartOffset)
		}
		if last.Value.AfterExtra != nil {
			comma = "," // as after the last member until now
		} else {
			data = slices.Concat(d.Data[:last.Value.EndOffset], []byte(","), d.Data[last.Value.EndOffset:at])
		}
	}
	key, err := jsontext.AppendQuote(nil, name)
	if err != nil {
		return nil, err
	}
	text, err := encode(v, indent, unit, newline)
	if err != nil {
		return nil, err
	}
	rest := d.Data[at:]
	if !bytes.Contains(d.Data[at:closing], []byte("\n")) {
		rest = append([]byte(newline+outer), d.Data[closing:]...)
	}
	return slices.Concat(data, []byte(newline+indent), key, []byte(": "+text+comma), rest), nil
}

// Replace gives the last member of a name another value.
func (d *Document) Replace(object *hujson.Object, name string, v any) ([]byte, error) {
	old, _ := Member(object, name)
	unit := "  "
	if bytes.Contains(d.Data, []byte("\n\t")) {
		unit = "\t"
	}
	text, err := encode(v, d.indentAt(old.StartOffset), unit, d.newline())
	return slices.Concat(d.Data[:old.StartOffset], []byte(text), d.Data[old.EndOffset:]), err
}

// Remove takes the last member of a name out. Comments around it stay, those inside go.
func (d *Document) Remove(object *hujson.Object, name string) []byte {
	i := len(object.Members) - 1
	for i >= 0 && NameOf(object.Members[i]) != name {
		i--
	}
	if i < 0 {
		return d.Data
	}
	m := object.Members[i]
	from, to := m.Name.StartOffset, m.Value.EndOffset
	before, after := d.Data[:from:from], d.Data[to:]
	switch comma := len(m.Value.AfterExtra); {
	case i < len(object.Members)-1 || m.Value.AfterExtra != nil: // a comma follows
		after = slices.Concat(after[:comma], after[comma+1:])
	case i > 0: // the last one: the comma before it goes
		previous := object.Members[i-1].Value
		comma := previous.EndOffset + len(previous.AfterExtra)
		before = slices.Concat(before[:comma], before[comma+1:])
	}
	// If nothing else is on the line, it goes as a whole.
	start := bytes.LastIndexByte(before, '\n') + 1
	end := bytes.IndexByte(after, '\n')
	if start > 0 && end >= 0 && len(bytes.TrimSpace(before[start:])) == 0 && len(bytes.TrimSpace(after[:end])) == 0 {
		before, after = before[:start], after[end+1:]
	}
	return slices.Concat(before, after)
}

// newline is how lines of the document end.
func (d *Document) newline() string {
	if bytes.Contains(d.Data, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// indentAt returns the white space with which the line of an offset begins.
func (d *Document) indentAt(at int) string {
	line, _ := d.Position(at)
	rest := d.Data[d.lines[line-1]:]
	return string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t"))])
}

// startsLine reports whether only white space is before an offset on its line.
func (d *Document) startsLine(at int) bool {
	line, _ := d.Position(at)
	return len(bytes.Trim(d.Data[d.lines[line-1]:at], " \t")) == 0
}

// encode writes a value as text whose lines after the first begin with indent.
func encode(v any, indent, unit, newline string) (string, error) {
	text, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndentPrefix(indent), jsontext.WithIndent(unit))
	return strings.ReplaceAll(string(text), "\n", newline), err
}
