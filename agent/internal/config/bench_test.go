package config

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkLoad reads all seven files, of normal size and with three servers each; ~/.claude.json has 100 KB of history.
func BenchmarkLoad(b *testing.B) { benchmarkLoad(b, 100<<10) }

// BenchmarkLoadLarge does so with 5 MB of history.
func BenchmarkLoadLarge(b *testing.B) { benchmarkLoad(b, 5<<20) }

func benchmarkLoad(b *testing.B, history int) {
	const entries = `
    "github-N": {"type": "http", "url": "https://api.example.com/mcp/", "headers": {"Authorization": "Bearer ${TOKEN}"}},
    // a database
    "postgres-N": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-postgres", "${URL}"], "env": {"A": "${TOKEN:-x}"}},
    "linear-N": {"url": "https://mcp.example.com/sse", "directTools": true}`
	files := map[string]string{}
	for i, name := range []string{
		"~/.cursor/mcp.json", "~/.elyra/agent/mcp.json", "project/.vscode/mcp.json", "project/.cursor/mcp.json",
		"project/.mcp.json", "project/.elyra/mcp.json",
	} {
		member := claudeMember
		if strings.Contains(name, "vscode") {
			member = vscodeMember
		}
		files[name] = fmt.Sprintf("{\n  %q: {%s\n  }\n}\n", member, strings.ReplaceAll(entries, "-N", fmt.Sprint(i)))
	}
	const said = `{"display":"please mend the thing that broke in the other file, and run the tests","pastedContents":{}}`
	all := strings.TrimSuffix(strings.Repeat(said+",\n", history/len(said)), ",\n")
	files["~/.claude.json"] = `{"numStartups": 7, "projects": {"/elsewhere": {"history": [` + all + `], "mcpServers": {}},
		"PROJECT": {"mcpServers": {"a": {"command": "c"}}}}, "mcpServers": {"b": {"command": "c"}}}`
	o := world(b, files)
	o.Getenv = environment(map[string]string{"TOKEN": "t", "URL": "postgres://h/d"})
	b.ReportAllocs()
	for b.Loop() {
		if set := Load(b.Context(), o); len(set.Servers) != 20 || len(set.Problems) != 0 {
			b.Fatalf("%d servers, %v", len(set.Servers), o.messages(set))
		}
	}
}
