package terminal

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxFields is how many fields a form may have: a person has to fill them in.
const maxFields = 50

// field is one value that a server asks for.
type field struct {
	name     string
	required bool
	schema   fieldSchema
}

// fieldSchema is what elicitation allows of JSON Schema: a flat primitive, or a choice.
type fieldSchema struct {
	Type        string           `json:"type"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Default     jsontext.Value   `json:"default"`
	Format      string           `json:"format"`
	MinLength   *int             `json:"minLength"`
	MaxLength   *int             `json:"maxLength"`
	Pattern     string           `json:"pattern"`
	Minimum     *float64         `json:"minimum"`
	Maximum     *float64         `json:"maximum"`
	Enum        []jsontext.Value `json:"enum"`
	EnumNames   []string         `json:"enumNames"`
	OneOf       []titled         `json:"oneOf"`
	MinItems    *int             `json:"minItems"`
	MaxItems    *int             `json:"maxItems"`
	Items       *struct {
		Enum  []jsontext.Value `json:"enum"`
		AnyOf []titled         `json:"anyOf"`
	} `json:"items"`
}

// titled is a choice with a text for people.
type titled struct {
	Const jsontext.Value `json:"const"`
	Title string         `json:"title"`
}

// option is one of several values to choose from.
type option struct {
	value jsontext.Value
	title string
}

// parseForm reads the fields of a requested schema in its order. No schema, or one without properties, has none.
func parseForm(schema jsontext.Value) ([]field, error) {
	if len(schema) == 0 {
		return nil, nil
	}
	var s struct {
		Properties jsontext.Value `json:"properties"`
		Required   []string       `json:"required"`
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("its schema: %w", err)
	}
	if len(s.Properties) == 0 {
		return nil, nil
	}
	d := jsontext.NewDecoder(strings.NewReader(string(s.Properties)))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, errors.New("its properties are no JSON object")
	}
	var form []field
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		f := field{name: name.String()}
		raw, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(raw, &f.schema); err != nil {
			return nil, fmt.Errorf("field %q: %w", f.name, err)
		}
		if err := f.schema.check(); err != nil {
			return nil, fmt.Errorf("field %q: %w", f.name, err)
		}
		for _, r := range s.Required {
			f.required = f.required || r == f.name
		}
		if form = append(form, f); len(form) > maxFields {
			return nil, fmt.Errorf("it has more than %d fields", maxFields)
		}
	}
	return form, nil
}

// check refuses what elicitation does not allow.
func (s *fieldSchema) check() error {
	switch s.Type {
	case "string", "number", "integer", "boolean":
		return nil
	case "array":
		if len(s.options()) > 0 {
			return nil
		}
	}
	return fmt.Errorf("a value of the type %q cannot be asked for", s.Type)
}

// options are the values to choose from, nil when any value of the type will do.
func (s *fieldSchema) options() []option {
	enum, choices := s.Enum, s.OneOf
	if s.Items != nil {
		enum, choices = s.Items.Enum, s.Items.AnyOf
	}
	var options []option
	for i, v := range enum {
		o := option{v, plain(v)}
		if i < len(s.EnumNames) && s.EnumNames[i] != "" {
			o.title = s.EnumNames[i]
		}
		options = append(options, o)
	}
	for _, c := range choices {
		o := option{c.Const, c.Title}
		if o.title == "" {
			o.title = plain(c.Const)
		}
		options = append(options, o)
	}
	return options
}

// plain shows a JSON value as a person would type it.
func plain(v jsontext.Value) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}
