package mcpschema

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/elyra-go/elyra/internal/mcp"
)

//go:embed schema/*.json
var files embed.FS

// revisions hold the compiled schemas, each from its first use on. They are computed from embedded
// files alone and never change.
var revisions = map[string]func() (*revision, error){
	mcp.V2026_07_28: sync.OnceValues(func() (*revision, error) { return load(mcp.V2026_07_28) }),
	mcp.V2025_11_25: sync.OnceValues(func() (*revision, error) { return load(mcp.V2025_11_25) }),
	mcp.V2025_06_18: sync.OnceValues(func() (*revision, error) { return load(mcp.V2025_06_18) }),
	mcp.V2025_03_26: sync.OnceValues(func() (*revision, error) { return load(mcp.V2025_03_26) }),
}

// revision is the schema of one revision, by what it says about the messages of each side.
type revision struct {
	name        string
	definitions map[string]*jsonschema.Schema
	client      methods
	server      methods
}

// methods are the names of the definitions of what one side may send, by method.
type methods struct {
	requests, notifications map[string]string
}

// sent returns the methods that a side may use.
func (r *revision) sent(fromServer bool) methods {
	if fromServer {
		return r.server
	}
	return r.client
}

func load(version string) (*revision, error) {
	text, err := files.ReadFile("schema/" + version + ".json")
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", version, err)
	}
	root := "definitions"
	if _, ok := doc.(map[string]any)["$defs"]; ok {
		root = "$defs"
	}
	definitions, ok := doc.(map[string]any)[root].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("schema of %s: it has no definitions", version)
	}
	compiler := newCompiler()
	if err := compiler.AddResource("mem:///mcp.json", doc); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", version, err)
	}
	r := &revision{name: version, definitions: map[string]*jsonschema.Schema{}}
	for name := range definitions {
		if r.definitions[name], err = compiler.Compile("mem:///mcp.json#/" + root + "/" + name); err != nil {
			return nil, fmt.Errorf("schema of %s: %s: %w", version, name, err)
		}
	}
	r.client = methods{byMethod(definitions, "ClientRequest"), byMethod(definitions, "ClientNotification")}
	r.server = methods{byMethod(definitions, "ServerRequest"), byMethod(definitions, "ServerNotification")}
	return r, nil
}

// byMethod lists the definitions that a union of messages names, by the method that each fixes. A
// union of one message is that message itself; a revision may lack the union.
func byMethod(definitions map[string]any, union string) map[string]string {
	list := map[string]string{}
	add := func(name string) {
		properties, _ := definitions[name].(map[string]any)["properties"].(map[string]any)
		method, _ := properties["method"].(map[string]any)
		if constant, ok := method["const"].(string); ok {
			list[constant] = name
		}
	}
	definition, ok := definitions[union].(map[string]any)
	if !ok {
		return list
	}
	members, ok := definition["anyOf"].([]any)
	if !ok {
		add(union)
	}
	for _, member := range members {
		ref, _ := member.(map[string]any)["$ref"].(string)
		add(ref[strings.LastIndexByte(ref, '/')+1:])
	}
	return list
}

// resultOf names the definition of the result of a request: XRequest is answered with an XResult,
// or with an empty result where the revision has no such definition.
func (r *revision) resultOf(request string) string {
	result := strings.TrimSuffix(request, "Request") + "Result"
	if r.definitions[result] == nil {
		return "EmptyResult"
	}
	return result
}

// validate holds JSON against a definition. The error names both, and where they part.
func (r *revision) validate(definition string, v []byte) error {
	schema := r.definitions[definition]
	if schema == nil {
		return fmt.Errorf("%s does not define %s", r.name, definition)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(v))
	if err != nil {
		return err
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("not a %s of %s: %w", definition, r.name, err)
	}
	return nil
}

// newCompiler returns a compiler of schemas in dialect 2020-12, unless they name another, that
// fetches nothing: a reference has to stay within its document.
func newCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.RegisterFormat(&jsonschema.Format{Name: "uri-template", Validate: uriTemplate})
	return c
}

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, errors.New("it refers to " + url + ", and nothing is fetched")
}
