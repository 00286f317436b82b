package resource

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Field is a field of a resource.
type Field struct {
	Kind Kind
	// Column is its name in snake case: unit_price.
	Column string
	// Go, JSON and Label are its names in Go, in JSON and for people: UnitPrice, unitPrice, "Unit price".
	Go, JSON, Label string
	// Optional fields may be left out, Unique ones have another value in each row.
	Optional, Unique bool
	// Max is the longest text, 0 for what is no text.
	Max int
	// Low and High are the limits of a number, "" for none.
	Low, High string
	// Places are the decimal places of a decimal.
	Places int
	// Values are those of an enum, EnumType its Go type.
	Values   []Value
	EnumType string
}

// Value is a value of an enum: as it is stored and sent, and the name of its constant in Go.
type Value struct{ Text, Go string }

const (
	defaultPlaces = 2
	maxPlaces     = 6
	maxValues     = 50
	maxText       = 1_000_000
	maxIndexed    = 600 // of up to four bytes each: PostgreSQL indexes a third of a page, 2704 bytes
)

// parseField reads name:type and modifiers behind it, such as status:enum(open,done):optional.
func parseField(text string) (Field, error) {
	f, err := readField(text)
	if err != nil {
		return Field{}, fmt.Errorf("field %q: %w", text, err)
	}
	return f, nil
}

func readField(text string) (f Field, err error) {
	parts, err := splitField(text)
	if err != nil {
		return f, err
	}
	if err := f.setName(parts[0]); err != nil {
		return f, err
	}
	if len(parts) == 1 {
		return f, fmt.Errorf("it has no type: write one behind a colon, such as %s:string", parts[0])
	}
	typeName, optional := strings.CutSuffix(parts[1], "?")
	f.Optional = optional
	name, argument, given := cutArgument(typeName)
	kind, instead := kindOf(name)
	if kind.Name == "" {
		return f, fmt.Errorf("there is no type %q: %s", name, instead)
	}
	f.Kind, f.Max = kind, kind.Length
	if err := f.setArgument(argument, given); err != nil {
		return f, err
	}
	seen := map[string]bool{}
	for _, modifier := range parts[2:] {
		name, value, given := cutArgument(modifier)
		if seen[name] {
			return f, fmt.Errorf("%s is said twice", name)
		}
		seen[name] = true
		if err := f.modify(name, value, given); err != nil {
			return f, err
		}
	}
	return f, f.checkLimits()
}

// splitField cuts at colons, except between parentheses.
func splitField(text string) ([]string, error) {
	var parts []string
	depth, start := 0, 0
	for i, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ':' && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
		if depth < 0 || depth > 1 {
			break
		}
	}
	if depth != 0 {
		return nil, errors.New("its parentheses do not match")
	}
	return append(parts, text[start:]), nil
}

// cutArgument cuts enum(a,b) and, for shells that read parentheses, enum=a,b.
func cutArgument(text string) (name, argument string, given bool) {
	if inner, ok := strings.CutSuffix(text, ")"); ok {
		if name, argument, ok := strings.Cut(inner, "("); ok {
			return name, argument, true
		}
	}
	return strings.Cut(text, "=")
}

func (f *Field) setName(name string) error {
	words, err := splitWords(name)
	if err != nil {
		return err
	}
	f.Column, f.Go, f.JSON, f.Label = strings.Join(words, "_"), goName(words), jsonName(words), label(words)
	joined := strings.Join(words, "")
	switch {
	case len(f.Column) > maxLength:
		return fmt.Errorf("its name is longer than %d characters: take a shorter one", maxLength)
	case isOneOf(strings.ReplaceAll(takenFields, "_", ""), joined):
		return fmt.Errorf("every resource has a field %s already: leave it out", f.Column)
	case joined == "clear":
		return errors.New("clear is what an update says to empty fields: take another name")
	case isOneOf(hiddenFields, joined):
		return fmt.Errorf("%s is a column that databases keep in each table themselves: take another name", f.Column)
	}
	return nil
}

// setArgument reads what stands in parentheses behind the type.
func (f *Field) setArgument(argument string, given bool) error {
	switch {
	case f.Kind.Name == "enum":
		return f.setValues(argument)
	case f.Kind.Name == "decimal":
		f.Places = defaultPlaces
		if !given {
			return nil
		}
		places, err := strconv.Atoi(argument)
		if err != nil || places < 1 || places > maxPlaces {
			return fmt.Errorf("a decimal has 1 to %d decimal places, such as decimal(4), not %q; without decimal places it is an int", maxPlaces, argument)
		}
		f.Places = places
	case given:
		return fmt.Errorf("%s takes no %q: only enum(…) and decimal(…) do", f.Kind.Name, argument)
	}
	return nil
}

func (f *Field) setValues(list string) error {
	if strings.TrimSpace(list) == "" {
		return errors.New("an enum has its values behind it: 'enum(open,done)', or enum=open,done without quotes")
	}
	taken := map[string]string{}
	for text := range strings.SplitSeq(list, ",") {
		text = strings.TrimSpace(text)
		words, err := valueWords(text)
		if err != nil {
			return err
		}
		name := goName(words)
		if other, ok := taken[strings.ToLower(name)]; ok {
			return fmt.Errorf("the values %s and %s cannot be told apart: leave one out", other, text)
		}
		taken[strings.ToLower(name)] = text
		f.Values = append(f.Values, Value{Text: text, Go: name})
	}
	if len(f.Values) > maxValues {
		return fmt.Errorf("%d values are more than %d: make it a resource of its own", len(f.Values), maxValues)
	}
	return nil
}

// valueWords are the words of a value, which may begin with a digit.
func valueWords(text string) ([]string, error) {
	if len(text) > maxLength {
		return nil, fmt.Errorf("the value %q is longer than %d characters", text, maxLength)
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == '_' })
	if len(words) == 0 {
		return nil, errors.New("a value is empty: a comma is too much")
	}
	for _, word := range words {
		if strings.ContainsFunc(word, func(r rune) bool { return !isWordRune(r) }) {
			return nil, fmt.Errorf("the value %q has other characters than letters a to z, digits, - and _: take a short word such as in_progress", text)
		}
	}
	return words, nil
}

// modify reads one word behind the type.
func (f *Field) modify(name, value string, given bool) error {
	switch name {
	case "optional", "unique":
		if given {
			return fmt.Errorf("%s takes no value", name)
		}
		if name == "optional" {
			f.Optional = true
			return nil
		}
		if !f.Kind.Unique {
			return fmt.Errorf("a %s cannot be unique", f.Kind.Name)
		}
		f.Unique = true
		return nil
	case "max", "min":
		return f.limit(name, value)
	case "required":
		return errors.New("a field is required unless it says optional: leave the word out")
	}
	return fmt.Errorf("there is no %q to say about a field: there are optional, unique, max=N and min=N", name)
}
