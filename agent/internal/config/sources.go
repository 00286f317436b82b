package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/jsonc"
	"github.com/tailscale/hujson"
)

const (
	maxFile    = 1 << 20  // bytes of a file
	maxHistory = 10 << 20 // bytes of ~/.claude.json, which holds a history too
	maxServers = 1000     // definitions in all files
	tornPause  = 20 * time.Millisecond
)

// The formats of files, and the members that hold their servers.
const (
	claude = "Claude Code"
	cursor = "Cursor"
	vscode = "VS Code"
	elyra  = "Elyra"

	claudeMember   = "mcpServers"
	vscodeMember   = "servers"
	claudeProjects = "projects"
)

// source is one of the seven files.
type source struct {
	path   string
	scope  Scope
	format string
	// rewritten says that another program writes the file while we read, so that it may be seen torn.
	rewritten bool
}

func (s source) member() string {
	if s.format == vscode {
		return vscodeMember
	}
	return claudeMember
}

// sources lists the files in the order in which they are read: later ones win.
func (o Options) sources() []source {
	list := []source{
		{path: filepath.Join(o.UserHome, ".claude.json"), scope: User, format: claude, rewritten: true},
		{path: filepath.Join(o.UserHome, ".cursor", "mcp.json"), scope: User, format: cursor},
		{path: o.userFile(), scope: User, format: elyra},
	}
	if o.Project == "" {
		return list
	}
	list = append(list, source{path: filepath.Join(o.Project, ".vscode", "mcp.json"), scope: Project, format: vscode})
	if !sameFolder(o.Project, o.UserHome) { // there, this file is the user's
		list = append(list, source{path: filepath.Join(o.Project, ".cursor", "mcp.json"), scope: Project, format: cursor})
	}
	return append(list,
		source{path: filepath.Join(o.Project, ".mcp.json"), scope: Project, format: claude},
		source{path: o.projectFile(), scope: Project, format: elyra},
	)
}

func (o Options) userFile() string    { return filepath.Join(o.AgentHome, "mcp.json") }
func (o Options) projectFile() string { return filepath.Join(o.Project, ".elyra", "mcp.json") }

// definition is one entry of a file, as it stands there.
type definition struct {
	source source
	doc    *document
	name   string
	path   string // its JSON path
	at     int    // the offset of its name
	value  hujson.Value
}

// problem reports something about the definition; path is relative to it and may be "".
func (d definition) problem(at int, path, format string, args ...any) Problem {
	p := d.doc.problem(at, "%s: %s", d.path+path, fmt.Sprintf(format, args...))
	p.Server = d.name
	return p
}

// open reads and parses one file. The document is nil when the file is missing or broken.
func (s source) open(ctx context.Context) (*document, File, *Problem) {
	file := File{Path: s.path, Scope: s.scope, Format: s.format, Status: Read}
	doc, data, problem := s.try()
	torn := problem != nil && problem.Line > 0 || problem == nil && doc != nil && len(data) == 0
	if s.rewritten && torn && pause(ctx, tornPause) {
		doc, _, problem = s.try()
	}
	switch {
	case problem != nil:
		file.Status, file.Reason = Broken, problem.Message
	case doc == nil:
		file.Status = Missing
	}
	return doc, file, problem
}

// try reads the file once. A file that is absent is neither a document nor a problem.
func (s source) try() (*document, []byte, *Problem) {
	limit := int64(maxFile)
	if s.rewritten {
		limit = maxHistory
	}
	data, err := home.ReadFile(s.path, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, &Problem{File: s.path, Message: err.Error(), Dropped: true}
	}
	doc, problem := parse(s.path, data, s.rewritten)
	return doc, data, problem
}

// pause waits and reports whether ctx has let it.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// definitions lists the entries of a document in the order in which later ones win, maxServers and one at most.
func (o Options) definitions(s source, doc *document) (list []definition, problems []Problem) {
	add := func(parent *hujson.Object, name, path string) {
		value, ok := jsonc.Member(parent, name)
		if !ok || value.Value.Kind() == 'n' {
			return
		}
		servers, ok := value.Value.(*hujson.Object)
		if !ok {
			p := doc.problem(value.StartOffset, "%s: expected an object of servers by name, found %s", path, jsonc.KindOf(value))
			p.Dropped = true
			problems = append(problems, p)
			return
		}
		for _, m := range servers.Members {
			if len(list) > maxServers {
				return // more than Load takes; it says so
			}
			d := definition{source: s, doc: doc, name: jsonc.NameOf(m), path: jsonc.Child(path, jsonc.NameOf(m)), at: m.Name.StartOffset, value: m.Value}
			list = append(list, d)
		}
	}
	add(doc.Root, s.member(), s.member())
	if s.format == claude && s.scope == User {
		for _, project := range o.claudeProjects(doc) {
			add(project.entry, claudeMember, jsonc.Child(jsonc.Child(claudeProjects, project.key), claudeMember))
		}
	}
	if len(list) == 0 && len(problems) == 0 {
		problems = append(problems, otherMember(s, doc)...)
	}
	return list, problems
}

// otherMember warns of a file whose servers stand under the name that another host uses.
func otherMember(s source, doc *document) []Problem {
	other := vscodeMember
	if s.format == vscode {
		other = claudeMember
	}
	value, ok := jsonc.Member(doc.Root, other)
	if _, object := value.Value.(*hujson.Object); !ok || !object {
		return nil
	}
	return []Problem{doc.problem(value.StartOffset, "%s is not read in a file of %s: call it %s", other, s.format, s.member())}
}

// claudeProject is an entry of "projects" in ~/.claude.json that is the current project.
type claudeProject struct {
	key   string
	entry *hujson.Object
}

// claudeProjects finds the entries of the current project. Claude Code writes the path that it was started with, so links,
// a slash at the end and, where the file system ignores it, letter case must not matter.
func (o Options) claudeProjects(doc *document) (found []claudeProject) {
	value, _ := jsonc.Member(doc.Root, claudeProjects)
	projects, ok := value.Value.(*hujson.Object)
	if !ok || o.Project == "" {
		return nil
	}
	for _, m := range projects.Members {
		entry, ok := m.Value.Value.(*hujson.Object)
		if !ok {
			continue
		}
		if servers, ok := jsonc.Member(entry, claudeMember); !ok || len(jsonc.ObjectOf(servers).Members) == 0 {
			continue // most have none, and each look at the disk costs time
		}
		key := jsonc.NameOf(m)
		path := filepath.FromSlash(key)
		if filepath.Clean(path) == filepath.Clean(o.Project) || filepath.IsAbs(path) && sameFolder(path, o.Project) {
			found = append(found, claudeProject{key, entry})
		}
	}
	return found
}

// sameFolder reports whether two paths lead to one folder.
func sameFolder(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// exists reports whether something lies at the path of a source.
func (s source) exists() bool {
	_, err := os.Lstat(s.path)
	return err == nil
}

// short writes a path for a person: below the user's home with ~.
func (o Options) short(path string) string {
	if rest, ok := strings.CutPrefix(path, strings.TrimRight(o.UserHome, `/\`)+string(filepath.Separator)); ok && o.UserHome != "" {
		return "~" + string(filepath.Separator) + rest
	}
	return path
}
