package terminal

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxTries is how often a field is asked again after a value that does not fit.
const maxTries = 10

// fill asks for each field, shows the answers and asks whether to send them.
func (c *conversation) fill(form []field) (jsontext.Value, bool, error) {
	fmt.Fprintln(c, "It asks for the values below. An empty line leaves a value out or takes the one in brackets; a single dot declines.")
	answers := map[string]jsontext.Value{}
	for _, f := range form {
		value, declined, err := c.field(f)
		if err != nil || declined {
			return nil, false, err
		}
		if value != nil {
			answers[f.name] = value
		}
	}
	fmt.Fprintln(c, "Your answer:")
	for _, f := range form {
		if v, ok := answers[f.name]; ok {
			fmt.Fprintf(c, "  %s: %s\n", Visible(f.name), Visible(plain(v)))
		}
	}
	yes, err := c.yes("Send it? [y/N] ")
	if err != nil || !yes {
		return nil, yes, err
	}
	content, err := json.Marshal(answers, json.Deterministic(true))
	return content, true, err
}

// field asks for one value until it fits. Nil means that it was left out.
func (c *conversation) field(f field) (value jsontext.Value, declined bool, err error) {
	fmt.Fprint(c, f.describe())
	for range maxTries {
		line, err := c.read("> ")
		switch {
		case err != nil:
			return nil, false, err
		case line == ".":
			return nil, true, nil
		case line == "" && f.schema.Default != nil:
			return f.schema.Default, false, nil
		case line == "" && !f.required:
			return nil, false, nil
		case line == "":
			fmt.Fprintln(c, "A value is needed.")
			continue
		}
		value, problem := f.schema.parse(line)
		if problem == "" {
			return value, false, nil
		}
		fmt.Fprintln(c, "That does not fit: "+problem+".")
	}
	fmt.Fprintln(c, "No value that fits, so the question is declined.")
	return nil, true, nil
}

// describe is what is shown of a field before it is asked for.
func (f *field) describe() string {
	var b strings.Builder
	b.WriteString(Visible(f.name))
	if f.schema.Title != "" && f.schema.Title != f.name {
		b.WriteString(" – " + Visible(f.schema.Title))
	}
	what := f.schema.Type
	if f.schema.Format != "" {
		what = f.schema.Format
	}
	if what == "boolean" {
		what = "yes or no"
	}
	if !f.required {
		what += ", optional"
	}
	fmt.Fprintf(&b, " (%s)", Visible(what))
	if f.schema.Default != nil {
		fmt.Fprintf(&b, " [%s]", Visible(plain(f.schema.Default)))
	}
	b.WriteString("\n")
	if f.schema.Description != "" {
		fmt.Fprintf(&b, "  %s\n", Visible(f.schema.Description))
	}
	for i, o := range f.schema.options() {
		fmt.Fprintf(&b, "  %d) %s\n", i+1, Visible(o.title))
	}
	if f.schema.Type == "array" {
		b.WriteString("  Several, with commas between them.\n")
	}
	return b.String()
}
