package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

const (
	maxNameBytes   = 256
	maxToolBytes   = 512 << 10 // of a tool as it came
	maxSchemaBytes = 256 << 10
	maxSchemaDepth = 64 // nesting of objects and arrays in a schema
)

// readTool judges one tool. The name is what it has, also when the tool cannot be used.
func readTool(raw jsontext.Value) (t Tool, err error) {
	if raw.Kind() != '{' {
		return t, errors.New("it is no JSON object")
	}
	var annotations, input, output jsontext.Value
	wire.Members(raw, func(name []byte, value jsontext.Value) bool {
		switch string(name) {
		case "name":
			t.Name, _ = wire.Text(value)
		case "title":
			t.Title, _ = wire.Text(value)
		case "description":
			t.Description, _ = wire.Text(value)
		case "inputSchema":
			input = value
		case "outputSchema":
			output = value
		case "annotations":
			annotations = value
		}
		return true
	})
	if err := checkName(t.Name); err != nil {
		return t, err
	}
	if len(raw) > maxToolBytes {
		return t, fmt.Errorf("it is %d KB long; at most %d are read", len(raw)>>10, maxToolBytes>>10)
	}
	schema, err := readInputSchema(input)
	if err != nil {
		return t, err
	}
	t.InputSchema = schema.bytes()
	t.Annotations = readAnnotations(annotations)
	t.OutputSchema = readOutputSchema(output)
	t.Hash = toolHash(t, schema)
	return t, nil
}

// checkName refuses a name that cannot be called, or that a person could not tell from another.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("it has no name")
	case len(name) > maxNameBytes:
		return fmt.Errorf("its name is %d bytes long; at most %d are allowed", len(name), maxNameBytes)
	case strings.IndexFunc(name, invisible) >= 0:
		return errors.New("its name has control characters or invisible ones")
	}
	return nil
}

func invisible(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) || r == utf8.RuneError
}

// readInputSchema reads the schema of the arguments, which always are an object: a root without a type gets it, because
// servers in use leave it out, and so does a tool without a schema.
func readInputSchema(raw jsontext.Value) (*node, error) {
	object := newString("object")
	if raw == nil || raw.Kind() == 'n' {
		schema := newObject()
		schema.add("type", object)
		return schema, nil
	}
	if raw.Kind() != '{' {
		return nil, errors.New("its inputSchema is no JSON object")
	}
	if len(raw) > maxSchemaBytes {
		return nil, fmt.Errorf("its inputSchema is %d KB long; at most %d are read", len(raw)>>10, maxSchemaBytes>>10)
	}
	schema, err := parseNode(raw, maxSchemaDepth)
	if err != nil {
		return nil, fmt.Errorf("its inputSchema cannot be used: %w", err)
	}
	kind := schema.get("type")
	switch {
	case kind == nil:
		typed := newObject()
		typed.add("type", object)
		for i, name := range schema.names {
			typed.add(name, schema.values[i])
		}
		return typed, nil
	case kind.kind == '"' && kind.text == "object":
		return schema, nil
	case kind.kind == '[' && slices.ContainsFunc(kind.values, object.equal):
		schema.set("type", object)
		return schema, nil
	}
	return nil, fmt.Errorf("its inputSchema has the type %s instead of object", printable(string(kind.bytes())))
}

// readOutputSchema reads the schema of structured results. A bad one costs only the check of those.
func readOutputSchema(raw jsontext.Value) jsontext.Value {
	if raw.Kind() != '{' || len(raw) > maxSchemaBytes {
		return nil
	}
	schema, err := parseNode(raw, maxSchemaDepth)
	if err != nil {
		return nil
	}
	return schema.bytes()
}

// readAnnotations reads the hints. One of the wrong kind is as good as none.
func readAnnotations(raw jsontext.Value) *mcp.ToolAnnotations {
	if raw.Kind() != '{' {
		return nil
	}
	var a mcp.ToolAnnotations
	wire.Members(raw, func(name []byte, value jsontext.Value) bool {
		switch string(name) {
		case "title":
			a.Title, _ = wire.Text(value)
		case "readOnlyHint":
			a.ReadOnlyHint = flag(value)
		case "destructiveHint":
			a.DestructiveHint = flag(value)
		case "idempotentHint":
			a.IdempotentHint = flag(value)
		case "openWorldHint":
			a.OpenWorldHint = flag(value)
		}
		return true
	})
	return &a
}

func flag(v jsontext.Value) *bool {
	switch yes := string(v) == "true"; {
	case yes, string(v) == "false":
		return &yes
	}
	return nil
}

// printable makes a server's text fit for a message: on one line, without what cannot be seen, and short.
func printable(s string) string {
	const most = 80
	s = strings.Map(func(r rune) rune {
		if invisible(r) {
			return '?'
		}
		return r
	}, s)
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
