package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	t.Parallel()
	local := Entry{Command: "npx", Args: []string{"-y", "${PKG}"}}
	tests := []struct {
		name, old string
		entry     Entry
		want      string
	}{
		{"no file", "", local, "{\n  \"mcpServers\": {\n    \"new\": {\n      \"command\": \"npx\",\n      \"args\": [\n        \"-y\",\n        \"${PKG}\"\n      ]\n    }\n  }\n}\n"},
		{
			"all fields", "",
			Entry{
				Type: "http", URL: "https://h", Headers: map[string]string{"B": "2", "A": "1"}, Timeout: 60_000, DirectTools: true,
				OAuth: &OAuth{ClientID: "i", CallbackPort: 80},
			},
			"{\n  \"mcpServers\": {\n    \"new\": {\n      \"type\": \"http\",\n      \"url\": \"https://h\",\n      \"headers\": {\n        \"A\": \"1\",\n        \"B\": \"2\"\n      },\n" +
				"      \"timeout\": 60000,\n      \"directTools\": true,\n      \"oauth\": {\n        \"clientId\": \"i\",\n        \"callbackPort\": 80\n      }\n    }\n  }\n}\n",
		},
		{"an empty object", "{}", Entry{Command: "c"}, "{\n  \"mcpServers\": {\n    \"new\": {\n      \"command\": \"c\"\n    }\n  }\n}"},
		{
			"comments stay",
			"// top\n{\n  \"mcpServers\": {\n    // about a\n    \"a\": {\"command\": \"x\"} // behind a\n    // end\n  }, // behind\n  \"other\": 1,\n}\n",
			Entry{Command: "c"},
			"// top\n{\n  \"mcpServers\": {\n    // about a\n    \"a\": {\"command\": \"x\"}, // behind a\n    // end\n    \"new\": {\n      \"command\": \"c\"\n    }\n  }, // behind\n  \"other\": 1,\n}\n",
		},
		{
			"a comma at the end stays",
			"{\"mcpServers\": {\n\t\"a\": {\"command\": \"x\"},\n}}",
			Entry{Command: "c"},
			"{\"mcpServers\": {\n\t\"a\": {\"command\": \"x\"},\n\t\"new\": {\n\t\t\"command\": \"c\"\n\t},\n}}",
		},
		{
			"on one line, with the line ends of Windows",
			"\ufeff{\"mcpServers\": {\"a\": {\"command\": \"x\"}}}\r\n",
			Entry{Command: "c"},
			"\ufeff{\"mcpServers\": {\"a\": {\"command\": \"x\"},\r\n  \"new\": {\r\n    \"command\": \"c\"\r\n  }\r\n}}\r\n",
		},
		{
			"other members only", "{\n  \"inputs\": []\n}\n",
			Entry{Command: "c"},
			"{\n  \"inputs\": [],\n  \"mcpServers\": {\n    \"new\": {\n      \"command\": \"c\"\n    }\n  }\n}\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := world(t, nil)
			if test.old != "" {
				write(t, o, "~/.elyra/agent/mcp.json", test.old)
			}
			path, err := Add(t.Context(), o, User, "new", test.entry, false)
			must(t, err)
			got, err := os.ReadFile(path)
			must(t, err)
			if string(got) != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			o.Getenv = environment(map[string]string{"PKG": "p"})
			set := Load(t.Context(), o)
			if s := set.Servers[len(set.Servers)-1]; s.Name != "new" || len(set.Problems) != 0 {
				t.Errorf("%+v %q", s, o.messages(set))
			}
		})
	}
}

func TestAddRefuses(t *testing.T) {
	t.Parallel()
	const file = "{\n  // mine\n  \"mcpServers\": {\"a\": {\"command\": \"x\"}}\n}\n"
	tests := []struct {
		name, old, server string
		scope             Scope
		entry             Entry
		want              string
	}{
		{"a name that is there", file, "a", User, Entry{Command: "c"}, "mcp.json:3:23: it is defined here"},
		{"a broken file", "{", "b", User, Entry{Command: "c"}, "mcp.json:1:2: the file is no JSON"},
		{"a strange file", `{"mcpServers": 1}`, "b", User, Entry{Command: "c"}, "expected an object, found a number"},
		{"no name", file, "", User, Entry{Command: "c"}, "the name of a server is empty"},
		{"nothing to start", file, "b", User, Entry{Args: []string{"x"}}, "it has neither a command"},
		{"no URL", file, "b", User, Entry{URL: "ftp://h"}, "expected a URL"},
		{"itself", file, "b", User, Entry{Command: "elyra", Args: []string{"--mode", "mcp"}}, "elyra inside elyra"},
		{"an unknown scope", file, "b", "all", Entry{Command: "c"}, `"all" is no scope`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := world(t, map[string]string{"~/.elyra/agent/mcp.json": test.old})
			_, err := Add(t.Context(), o, test.scope, test.server, test.entry, false)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want an error with %q", err, test.want)
			}
			if errors.Is(err, ErrExists) != (test.server == "a") {
				t.Errorf("ErrExists: %v", err)
			}
			if got, _ := os.ReadFile(o.at("~/.elyra/agent/mcp.json")); string(got) != test.old {
				t.Errorf("the file was changed: %s", got)
			}
		})
	}
	t.Run("replace", func(t *testing.T) {
		t.Parallel()
		o := world(t, map[string]string{"~/.elyra/agent/mcp.json": file})
		_, err := Add(t.Context(), o, User, "a", Entry{Command: "c"}, true)
		must(t, err)
		want := "{\n  // mine\n  \"mcpServers\": {\"a\": {\n    \"command\": \"c\"\n  }}\n}\n"
		if got, _ := os.ReadFile(o.at("~/.elyra/agent/mcp.json")); string(got) != want {
			t.Errorf("got %s", got)
		}
	})
}

func TestAddToAProject(t *testing.T) {
	t.Parallel()
	o := world(t, nil)
	path, err := Add(t.Context(), o, Project, "a", Entry{Command: "c"}, false)
	must(t, err)
	if path != o.at("project/.elyra/mcp.json") {
		t.Errorf("wrote %s", path)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("the project has more than the file: %v %v", entries, err)
	}
	t.Run("through a link", func(t *testing.T) {
		t.Parallel()
		for _, link := range []string{"project/.elyra/mcp.json", "project/.elyra"} {
			o := world(t, map[string]string{"~/elsewhere/mcp.json": "{}"})
			target := o.at("~/elsewhere")
			if strings.HasSuffix(link, ".json") {
				must(t, os.MkdirAll(filepath.Dir(o.at(link)), 0o700))
				target = filepath.Join(target, "mcp.json")
			}
			must(t, os.Symlink(target, o.at(link)))
			if _, err := Add(t.Context(), o, Project, "a", Entry{Command: "c"}, false); err == nil || !strings.Contains(err.Error(), "symbolic link") {
				t.Errorf("%s: %v", link, err)
			}
			if got, _ := os.ReadFile(o.at("~/elsewhere/mcp.json")); string(got) != "{}" {
				t.Errorf("%s: the file elsewhere was changed: %s", link, got)
			}
		}
	})
}

func TestRemove(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, old, want string }{
		{
			"the first",
			"{\n  \"mcpServers\": {\n    // about x\n    \"x\": {\n      \"command\": \"c\"\n    }, // behind x\n    \"b\": {} // behind b\n  }\n}\n",
			"{\n  \"mcpServers\": {\n    // about x\n     // behind x\n    \"b\": {} // behind b\n  }\n}\n",
		},
		{
			"the last",
			"{\n  \"mcpServers\": {\n    \"a\": {}, // behind a\n    \"x\": {\n      \"command\": \"c\"\n    }\n  }\n}\n",
			"{\n  \"mcpServers\": {\n    \"a\": {} // behind a\n  }\n}\n",
		},
		{
			"the last before a comma",
			"{\n  \"mcpServers\": {\n    \"a\": {},\n    \"x\": {},\n  },\n}\n",
			"{\n  \"mcpServers\": {\n    \"a\": {},\n  },\n}\n",
		},
		{"the only one", "{\"mcpServers\": {\"x\": {}}}", "{\"mcpServers\": {}}"},
		{"all of a name", "{\"mcpServers\": {\"x\": {}, \"a\": {}, \"x\": {}, }}", "{\"mcpServers\": { \"a\": {},  }}"},
		{"in the middle", "{\"mcpServers\": {\"a\": {}, \"x\": {}, \"b\": {}}}", "{\"mcpServers\": {\"a\": {},  \"b\": {}}}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := world(t, map[string]string{"project/.elyra/mcp.json": test.old})
			path, err := Remove(t.Context(), o, "", "x")
			must(t, err)
			if got, _ := os.ReadFile(path); string(got) != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestRemoveRefuses(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"~/.cursor/mcp.json":      "{\n\"mcpServers\": {\"cursors\": {\"command\": \"c\"}}}",
		"~/.elyra/agent/mcp.json": servers("mcpServers", "both", "c", "mine", "c"),
		"project/.elyra/mcp.json": servers("mcpServers", "both", "c"),
	}
	tests := []struct {
		name     string
		scope    Scope
		want     string
		notFound bool
	}{
		{"none", "", "no such server in any file", true},
		{"cursors", "", filepath.Join(".cursor", "mcp.json") + ":2 defines it, a file of Cursor, which elyra reads and does not change", true},
		{"both", "", "say which scope", false},
		{"mine", Project, "no such server in this scope: ", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := world(t, files)
			_, err := Remove(t.Context(), o, test.scope, test.name)
			if err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, ErrNotFound) != test.notFound {
				t.Errorf("%v, want an error with %q", err, test.want)
			}
			for name, text := range files {
				if got, _ := os.ReadFile(o.at(name)); string(got) != text {
					t.Errorf("%s was changed: %s", name, got)
				}
			}
		})
	}
	t.Run("one of both", func(t *testing.T) {
		t.Parallel()
		o := world(t, files)
		path, err := Remove(t.Context(), o, User, "both")
		if err != nil || path != o.at("~/.elyra/agent/mcp.json") {
			t.Errorf("%s %v", path, err)
		}
	})
}

func TestManyAddAtOnce(t *testing.T) {
	t.Parallel()
	for _, scope := range []Scope{User, Project} {
		o := world(t, nil)
		var wait sync.WaitGroup
		for i := range 8 {
			wait.Go(func() {
				if _, err := Add(t.Context(), o, scope, string(rune('a'+i)), Entry{Command: "c"}, false); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if set := Load(t.Context(), o); len(set.Servers) != 8 {
			t.Errorf("%s: %d servers, want 8", scope, len(set.Servers))
		}
	}
}
