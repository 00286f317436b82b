package mcpclient

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/elyra-go/elyra/internal/mcp"
)

// clientSchema compiles what the schema of a revision says about one kind of message, once.
var clientSchema = func() func(version, kind string) (*jsonschema.Schema, error) {
	var mu sync.Mutex
	known := map[string]*jsonschema.Schema{}
	return func(version, kind string) (*jsonschema.Schema, error) {
		mu.Lock()
		defer mu.Unlock()
		if s := known[version+kind]; s != nil {
			return s, nil
		}
		s, err := compile(version, kind)
		known[version+kind] = s
		return s, err
	}
}()

func compile(version, kind string) (*jsonschema.Schema, error) {
	text, err := os.ReadFile("../mcpserver/testdata/schema/" + version + ".json")
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	root := "definitions"
	if _, ok := doc.(map[string]any)["$defs"]; ok {
		root = "$defs"
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mcp.json", doc); err != nil {
		return nil, err
	}
	return c.Compile(fmt.Sprintf("mcp.json#/%s/%s", root, kind))
}

// conforms checks what the client sent against the schema of its revision; version is the one of the connection, "" before
// it is known.
func conforms(t *testing.T, version string, m message) {
	t.Helper()
	kind, value := "ClientRequest", []byte(m.line)
	switch {
	case m.Method == "" && m.Error != nil:
		return // An error is the same in all revisions, and wire has parsed it.
	case m.Method == "":
		kind, value = "ClientResult", m.Result
	case m.ID == nil:
		kind = "ClientNotification"
	}
	switch {
	case version == "" && m.Method == mcp.MethodInitialize:
		version = strings.Trim(string(paramsOf(t, m)["protocolVersion"]), `"`)
	case version == "":
		version = mcp.V2026_07_28
	}
	if version == v2024_11_05 {
		version = mcp.V2025_03_26 // Its successor, which changed nothing in what is sent here.
	}
	schema, err := clientSchema(version, kind)
	if err != nil {
		t.Error(err)
		return
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		t.Error(err)
		return
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("not a %s of %s: %v\n%s", kind, version, err, m.line)
	}
}
