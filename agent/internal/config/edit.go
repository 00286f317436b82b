package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/jsonc"
	"github.com/go-json-experiment/json"
	"github.com/tailscale/hujson"
)

var (
	// ErrExists is returned by Add for a name that the file has.
	ErrExists = errors.New("the server exists")
	// ErrNotFound is returned by Remove for a name that none of the agent's own files has.
	ErrNotFound = errors.New("no such server")
)

// Entry is a server as it is written to a file: texts may hold ${NAME}. Zero fields are left out.
type Entry struct {
	Type        string            `json:"type,omitempty"`
	Command     string            `json:"command,omitempty"`
	Args        []string          `json:"args,omitempty"`
	Env         map[string]string `json:"env,omitempty"`
	Cwd         string            `json:"cwd,omitempty"`
	URL         string            `json:"url,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"`
	Timeout     int64             `json:"timeout,omitzero"` // milliseconds, as in a file
	DirectTools bool              `json:"directTools,omitzero"`
	OAuth       *OAuth            `json:"oauth,omitzero"`
}

// OAuth is a client that was registered beforehand, as an Entry holds it.
type OAuth struct {
	ClientID        string `json:"clientId,omitempty"`
	ClientSecret    string `json:"clientSecret,omitempty"`
	Scopes          string `json:"scopes,omitempty"` // separated by spaces
	CallbackPort    int    `json:"callbackPort,omitzero"`
	AuthMetadataURL string `json:"authServerMetadataUrl,omitempty"`
}

// Add writes a server to the agent's own file of a scope and returns the file's path. Comments and all other entries stay
// as they are. A name that the file has is refused with [ErrExists] unless replace is set; one in another file is not.
func Add(ctx context.Context, o Options, scope Scope, name string, e Entry, replace bool) (string, error) {
	s, err := o.own(scope)
	if err == nil {
		err = o.check(s, name, e)
	}
	if err != nil {
		return "", fmt.Errorf("add server %q: %w", name, err)
	}
	err = o.edit(ctx, s, func(doc *document) ([]byte, error) {
		servers, ok := jsonc.Member(doc.Root, claudeMember)
		if !ok {
			return doc.Insert(doc.Value, claudeMember, map[string]Entry{name: e})
		}
		object, ok := servers.Value.(*hujson.Object)
		if !ok {
			return nil, fmt.Errorf("%s", doc.problem(servers.StartOffset, "%s: expected an object, found %s", claudeMember, jsonc.KindOf(servers)))
		}
		old, exists := jsonc.Member(object, name)
		if exists && !replace {
			return nil, fmt.Errorf("%w (%s)", ErrExists, doc.problem(old.StartOffset, "it is defined here"))
		}
		if exists {
			return doc.Replace(object, name, e)
		}
		return doc.Insert(servers, name, e)
	})
	if err != nil {
		return "", fmt.Errorf("add server %q: %w", name, err)
	}
	return s.path, nil
}

// Remove takes a server out of the agent's own file of a scope, or with scope "" out of the one that has it, and returns
// the file's path. A server that is defined elsewhere is not removed, and the error says where that is.
func Remove(ctx context.Context, o Options, scope Scope, name string) (string, error) {
	fail := func(err error) (string, error) { return "", fmt.Errorf("remove server %q: %w", name, err) }
	places := o.places(name)
	var s *source
	for _, d := range places {
		mine, err := o.own(d.source.scope)
		if err != nil || mine.path != d.source.path || scope != "" && scope != d.source.scope {
			continue
		}
		if s != nil && s.path != mine.path {
			return fail(fmt.Errorf("both %s and %s define it: say which scope", s.path, mine.path))
		}
		s = &mine
	}
	switch {
	case s == nil && len(places) == 0:
		return fail(fmt.Errorf("%w in any file", ErrNotFound))
	case s == nil:
		d := places[len(places)-1]
		line, _ := d.doc.Position(d.at)
		where := fmt.Sprintf("%s:%d defines it", d.source.path, line)
		if mine, err := o.own(d.source.scope); err == nil && mine.path == d.source.path {
			return fail(fmt.Errorf("%w in this scope: %s", ErrNotFound, where))
		}
		return fail(fmt.Errorf("%w in elyra's own files: %s, a file of %s, which elyra reads and does not change; "+
			"remove it there, or disable the server", ErrNotFound, where, d.source.format))
	}
	err := o.edit(ctx, *s, func(doc *document) ([]byte, error) {
		for {
			servers, _ := jsonc.Member(doc.Root, claudeMember)
			object, ok := servers.Value.(*hujson.Object)
			if !ok {
				return doc.Data, nil // somebody was faster
			}
			data := doc.Remove(object, name)
			if len(data) == len(doc.Data) {
				return data, nil
			}
			// The name may have been there twice.
			next, problem := parse(doc.Path, data, false)
			if problem != nil {
				return nil, fmt.Errorf("the change would break the file: %s", problem)
			}
			doc = next
		}
	})
	if err != nil {
		return fail(err)
	}
	return s.path, nil
}

// own returns the agent's own file of a scope.
func (o Options) own(scope Scope) (source, error) {
	switch {
	case scope == User:
		return source{path: o.userFile(), scope: User, format: elyra}, nil
	case scope == Project && o.Project != "":
		return source{path: o.projectFile(), scope: Project, format: elyra}, nil
	case scope == Project:
		return source{}, errors.New("there is no project")
	}
	return source{}, fmt.Errorf("%q is no scope: it is %s or %s", scope, User, Project)
}

// places finds the entries of a name in all files, also in those of a project that is not trusted.
func (o Options) places(name string) (found []definition) {
	for _, s := range o.sources() {
		if doc, _, _ := s.try(); doc != nil {
			list, _ := o.definitions(s, doc)
			for _, d := range list {
				if d.name == name {
					found = append(found, d)
				}
			}
		}
	}
	return found
}

// check refuses an entry that Load would not use. What depends on variables is not known yet.
func (o Options) check(s source, name string, e Entry) error {
	body, err := json.Marshal(map[string]map[string]Entry{claudeMember: {name: e}}, json.Deterministic(true))
	if err != nil {
		return err
	}
	doc, problem := parse(s.path, body, false)
	if problem != nil {
		return errors.New(problem.Message)
	}
	list, _ := o.definitions(s, doc)
	r := &reader{definition: list[0]}
	if parsed := r.read(); !r.bad {
		r.transport(parsed)
	}
	problems := r.problems
	if !r.bad && !strings.Contains(string(body), "${") {
		_, problems, _ = o.build(list[0])
	}
	for _, p := range problems {
		if p.Dropped {
			return errors.New(p.Message)
		}
	}
	return nil
}

// edit changes one of the agent's own files under a lock. What change returns must be a file that can be read again.
func (o Options) edit(ctx context.Context, s source, change func(*document) ([]byte, error)) error {
	apply := func(old []byte) ([]byte, error) {
		doc, problem := parse(s.path, old, false)
		if problem != nil {
			return nil, fmt.Errorf("%s: mend the file first", problem)
		}
		data, err := change(doc)
		if err != nil {
			return nil, err
		}
		if _, problem := parse(s.path, data, false); problem != nil {
			return nil, fmt.Errorf("the change would break the file: %s", problem)
		}
		return append(old[:len(old)-len(doc.Data):len(old)-len(doc.Data)], data...), nil // the byte order mark stays
	}
	dir, err := home.Open(o.AgentHome)
	if err != nil {
		return err
	}
	if s.scope == User {
		return dir.Update(ctx, filepath.Base(s.path), apply)
	}
	// The lock of a project's file is in the agent's folder, so that it does not become part of the project.
	unlock, err := dir.Lock(ctx, "project-mcp.json")
	if err != nil {
		return err
	}
	defer unlock()
	// A project is foreign: a link in it would have us write somewhere else.
	for _, path := range []string{filepath.Dir(s.path), s.path} {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a symbolic link, which elyra does not write through", path)
		}
	}
	old, err := home.ReadFile(s.path, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	data, err := apply(old)
	if err == nil && string(data) != string(old) {
		if err = os.MkdirAll(filepath.Dir(s.path), 0o755); err == nil {
			err = home.WriteFile(s.path, data, 0o644)
		}
	}
	return err
}
