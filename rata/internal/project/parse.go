package project

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/elyra-go/elyra/internal/nearest"
)

var variable = regexp.MustCompile(`\$\{([^}]*)\}`)

// parse reads a file's text. Every error has the position.
func parse(path string, text []byte) (*Project, error) {
	p := &Project{path: path, text: text}
	decoder := toml.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(p)
	if err == nil {
		return p, nil
	}
	var errs []error
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		for i := range unknown.Errors {
			errs = append(errs, p.unknown(&unknown.Errors[i]))
		}
		return nil, errors.Join(errs...)
	}
	if mistake, ok := errors.AsType[*toml.DecodeError](err); ok {
		return nil, p.mistake(mistake)
	}
	return nil, fmt.Errorf("%s: %w", position{1, 1}.in(path), err)
}

// unknown is the error about a key or table that there is none of.
func (p *Project) unknown(e *toml.DecodeError) error {
	key := strings.Join(e.Key(), ".")
	var known, last []string
	for _, k := range fields(&Project{}) {
		table, name, _ := strings.Cut(k.name, ".")
		known = append(known, k.name, table)
		last = append(last, name)
	}
	hint := nearest.Hint(key, known)
	if _, name, nested := strings.Cut(key, "."); hint == "" && nested {
		hint = nearest.Hint(name, last)
	}
	return fmt.Errorf("%s: there is no key %s%s", p.place(e), key, hint)
}

// mistake is the error about a value of the wrong kind, or about what is no TOML.
func (p *Project) mistake(e *toml.DecodeError) error {
	text := strings.TrimPrefix(e.Error(), "toml: ")
	key := strings.Join(e.Key(), ".")
	if !strings.HasPrefix(text, "cannot ") {
		return fmt.Errorf("%s: %s", p.place(e), text)
	}
	for _, k := range fields(&Project{}) {
		if k.name == key {
			return fmt.Errorf("%s: %s wants %s", p.place(e), key, k.wants())
		}
	}
	return fmt.Errorf("%s: %s is a table of keys: write [%s] on a line and the keys below it", p.place(e), key, key)
}

func (p *Project) place(e *toml.DecodeError) string {
	line, column := e.Position()
	return at(p.text, line, column).in(p.path)
}

// position counts from 1, columns in characters.
type position struct{ line, column int }

func (p position) in(path string) string { return fmt.Sprintf("%s:%d:%d", path, p.line, p.column) }

// at turns a column in bytes into one in characters.
func at(text []byte, line, column int) position {
	for range line - 1 {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	before := text[:min(column-1, len(text))]
	return position{line, utf8.RuneCount(before) + 1}
}

// keys finds where each key of a file stands. What follows a mistake is not found.
func keys(text []byte) map[string]position {
	found := map[string]position{}
	var parser unstable.Parser
	parser.Reset(text)
	table := ""
	for parser.NextExpression() {
		expression := parser.Expression()
		var words []string
		start := position{}
		for parts := expression.Key(); parts.Next(); {
			if len(words) == 0 {
				shape := parser.Shape(parts.Node().Raw)
				start = at(text, shape.Start.Line, shape.Start.Column)
			}
			words = append(words, string(parts.Node().Data))
		}
		key := strings.Join(words, ".")
		if expression.Kind != unstable.KeyValue {
			table = key + "."
		} else {
			key = table + key
		}
		found[key] = start
	}
	return found
}

// field is a key with its place in a Project.
type field struct {
	name  string // table.key
	value reflect.Value
}

// fields are the keys that there are, in their order.
func fields(p *Project) []field {
	var list []field
	project := reflect.ValueOf(p).Elem()
	for i := range project.NumField() {
		table := project.Type().Field(i).Tag.Get("toml")
		if table == "" {
			continue
		}
		of := project.Field(i)
		for j := range of.NumField() {
			list = append(list, field{table + "." + of.Type().Field(j).Tag.Get("toml"), of.Field(j)})
		}
	}
	return list
}

// texts are the texts in a field, to be read and set.
func (f field) texts() []*string {
	if f.value.Kind() == reflect.String {
		return []*string{f.value.Addr().Interface().(*string)}
	}
	var list []*string
	for i := range f.value.Len() {
		list = append(list, f.value.Index(i).Addr().Interface().(*string))
	}
	return list
}

// wants says what kind of value a field takes.
func (f field) wants() string {
	if f.value.Kind() == reflect.String {
		return "a text in quotes"
	}
	return `a list of texts, such as ["a", "b"]`
}
