package mcpschema

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// toolName is the grammar of the names of tools.
var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// outputSchema is what a tool promises about its results; it is compiled when there is one to judge.
type outputSchema struct {
	compile func() (*jsonschema.Schema, error)
}

// listed judges a list of tools beyond its definition: unique names of the right grammar, and schemas
// that are schemas. It keeps what the tools promise about their results.
func (c *Checker) listed(version string, result jsontext.Value) error {
	var page struct {
		Tools []struct {
			Name   string         `json:"name"`
			Input  jsontext.Value `json:"inputSchema"`
			Output jsontext.Value `json:"outputSchema"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(result, &page); err != nil {
		return err
	}
	var errs []error
	seen := map[string]bool{}
	for _, t := range page.Tools {
		if !toolName.MatchString(t.Name) {
			errs = append(errs, fmt.Errorf("the tool name %q is outside the grammar", t.Name))
		}
		if seen[t.Name] {
			errs = append(errs, fmt.Errorf("two tools named %q", t.Name))
		}
		seen[t.Name] = true
		if _, err := CompileSchema(t.Input); err != nil {
			errs = append(errs, fmt.Errorf("inputSchema of %s: %w", t.Name, err))
		}
		delete(c.tools, version+t.Name)
		if t.Output != nil {
			c.tools[version+t.Name] = &outputSchema{sync.OnceValues(func() (*jsonschema.Schema, error) { return CompileSchema(t.Output) })}
		}
	}
	return errors.Join(errs...)
}

// called judges the result of a tool by what the tool promises, if it was listed.
func (c *Checker) called(version, tool string, result jsontext.Value) error {
	output := c.tools[version+tool]
	if output == nil {
		return nil
	}
	var r struct {
		Structured jsontext.Value `json:"structuredContent"`
		IsError    bool           `json:"isError"`
	}
	if err := json.Unmarshal(result, &r, jsontext.AllowDuplicateNames(true)); err != nil {
		return err
	}
	schema, err := output.compile()
	switch {
	case err != nil:
		return fmt.Errorf("outputSchema of %s: %w", tool, err)
	case r.IsError:
		return nil
	case r.Structured == nil:
		return fmt.Errorf("a result of %s without the structured content that its outputSchema promises", tool)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.Structured))
	if err != nil {
		return err
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("a result of %s that its outputSchema does not allow: %w", tool, err)
	}
	return nil
}

// CompileSchema compiles a JSON Schema that stands alone, as that of a tool has to: 2020-12 unless it
// names another dialect, and without references to anything outside.
func CompileSchema(schema []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := newCompiler()
	if err := c.AddResource("mem:///schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("mem:///schema.json")
}
