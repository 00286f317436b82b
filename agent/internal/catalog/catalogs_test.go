package catalog

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestCatalogs loads what servers list, from testdata and, to look at other lists by hand, from the folder that
// ELYRA_CATALOGS names: each tool can be used or is quarantined by name, and every schema suits a provider.
func TestCatalogs(t *testing.T) {
	t.Parallel()
	folders := []string{filepath.Join("testdata", "catalogs")}
	more := os.Getenv("ELYRA_CATALOGS")
	if more != "" {
		folders = append(folders, more)
	}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no catalogs in %s: %v", folder, err)
		}
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				var c struct {
					Server      string            `json:"server"`
					Quarantined map[string]string `json:"quarantined"`
					Tools       []jsontext.Value  `json:"tools"`
				}
				if err := json.Unmarshal(data, &c, jsontext.AllowInvalidUTF8(true)); err != nil {
					t.Fatal(err)
				}
				l, err := Fetch(t.Context(), onePage(data), FetchOptions{Server: c.Server, Now: fixedClock})
				if err != nil {
					t.Fatal(err)
				}
				if len(l.Tools)+len(l.Quarantined) != len(c.Tools) {
					t.Errorf("%d tools and %d quarantined of %d", len(l.Tools), len(l.Quarantined), len(c.Tools))
				}
				for _, q := range l.Quarantined {
					if want := c.Quarantined[q.Name]; want == "" || !strings.Contains(q.Reason, want) {
						t.Errorf("%q is quarantined, because %s", q.Name, q.Reason)
					}
					delete(c.Quarantined, q.Name)
				}
				for name := range c.Quarantined {
					t.Errorf("%q is not quarantined", name)
				}
				before, after := 0, 0
				for _, tool := range l.Tools {
					before += len(tool.InputSchema)
					after += len(suits(t, tool.Name, tool.InputSchema))
				}
				t.Logf("%d tools, %d bytes of schemas, %d for a provider", len(l.Tools), before, after)
			})
		}
	}
}

// suits returns the schema as a provider gets it, and judges it as one would.
func suits(t testing.TB, name string, schema jsontext.Value) jsontext.Value {
	t.Helper()
	out, err := ForProvider(schema)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if again, _ := ForProvider(schema); !bytes.Equal(out, again) {
		t.Errorf("%s: two different results:\n%s\n%s", name, out, again)
	}
	if again, err := ForProvider(out); err != nil || !bytes.Equal(out, again) {
		t.Errorf("%s: adapted once more it changes:\n%s\n%s", name, out, again)
	}
	if len(out) > maxProviderBytes {
		t.Errorf("%s: %d bytes", name, len(out))
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	root := doc.(map[string]any)
	for _, keyword := range []string{"$ref", "oneOf", "anyOf", "allOf", "not", "enum", "const", "$defs", "$schema"} {
		if _, there := root[keyword]; there {
			t.Errorf("%s: %s at the root: %s", name, keyword, out)
		}
	}
	if _, ok := root["properties"].(map[string]any); root["type"] != "object" || !ok {
		t.Errorf("%s: no object with properties: %s", name, out)
	}
	meta, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		t.Fatal(err)
	}
	if err := meta.Validate(doc); err != nil {
		t.Errorf("%s: no valid schema: %v\n%s", name, err, out)
	}
	return out
}

func fixedClock() time.Time { return time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC) }

// onePage is a server with one page of everything.
func onePage(page []byte) Pager {
	return func(context.Context, *string) (jsontext.Value, error) {
		var members map[string]jsontext.Value
		if err := json.Unmarshal(page, &members, jsontext.AllowInvalidUTF8(true)); err != nil {
			return nil, err
		}
		return append(append(jsontext.Value(`{"tools":`), members["tools"]...), '}'), nil
	}
}
