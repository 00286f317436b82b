package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/elyra-go/elyra/internal/mcp"
)

// filesystem is the reference server that reads and writes files below the folders that it is started with.
func filesystem() server {
	return server{name: "secure-filesystem-server", version: mcp.V2025_11_25, args: func(folder string) []string { return []string{folder} }, drive: func(s *session) {
		path, content := filepath.Join(s.folder, "note.txt"), "one\ntwö\n"
		s.call("write_file", map[string]any{"path": path, "content": content})
		written, err := os.ReadFile(path)
		s.check("the written file", err == nil && string(written) == content, string(written))
		said := s.call("read_text_file", map[string]any{"path": path})
		s.check("the same file read", said == content, said)
		s.call("edit_file", map[string]any{"path": path, "edits": []any{map[string]any{"oldText": "one", "newText": "three"}}})
		written, err = os.ReadFile(path)
		s.check("the edited file", err == nil && strings.HasPrefix(string(written), "three\n"), string(written))
		said = s.call("list_directory", map[string]any{"path": s.folder})
		s.check("the folder", strings.Contains(said, "note.txt"), said)
		s.fails("a file outside", "read_text_file", map[string]any{"path": filepath.Join(s.folder, "..", "..", "etc", "passwd")})
		s.fails("a file that does not exist", "read_text_file", map[string]any{"path": filepath.Join(s.folder, "none")})
		s.fails("a call without arguments", "write_file", nil)
	}}
}

// memory is the reference server that keeps a graph of what it is told, in a file.
func memory() server {
	return server{name: "memory-server", version: mcp.V2025_11_25, env: func(folder string) []string {
		return []string{"MEMORY_FILE_PATH=" + filepath.Join(folder, "memory.jsonl")}
	}, drive: func(s *session) {
		entity := func(name string) map[string]any {
			return map[string]any{"name": name, "entityType": "person", "observations": []any{name + " programs"}}
		}
		s.call("create_entities", map[string]any{"entities": []any{entity("Ada"), entity("Grace")}})
		s.call("create_relations", map[string]any{"relations": []any{map[string]any{"from": "Ada", "to": "Grace", "relationType": "precedes"}}})
		said := s.call("search_nodes", map[string]any{"query": "Grace"})
		s.check("what is found", strings.Contains(said, "Grace programs"), said)
		s.fails("an argument that is missing", "create_entities", map[string]any{})

		// What it was told is there after it was started again.
		s.close()
		if !s.open() {
			return
		}
		said = s.call("read_graph", nil)
		s.check("the graph", strings.Contains(said, "Ada programs") && strings.Contains(said, "precedes"), said)
	}}
}
