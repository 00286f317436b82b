package config

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// build turns a definition into a server. It fails with problems, one of which says so.
func (o Options) build(d definition) (Server, []Problem, bool) {
	r := &reader{definition: d}
	e := r.read()
	line, _ := d.doc.Position(d.at)
	s := Server{
		Name: d.name, Scope: d.source.scope, File: d.source.path, Line: line,
		Timeout: e.timeout, DirectTools: e.direct, Disabled: e.disabled,
		Scopes: e.scopes, CallbackPort: e.callbackPort,
	}
	if s.Timeout == 0 {
		s.Timeout = DefaultTimeout
	}
	if !r.bad {
		s.Transport = r.transport(e)
	}
	if r.bad {
		return s, r.problems, false
	}
	f := filler{reader: r, expander: expander{o.Getenv, o.Project, o.UserHome, o.GOOS}, raw: e.disabled}
	f.fill(&s, e, o)
	return s, r.problems, !r.bad
}

// transport says how to reach the server: what type says, or else what the other members suggest.
func (r *reader) transport(e entry) string {
	kind := strings.Map(func(c rune) rune {
		if c == '-' || c == '_' || c == ' ' {
			return -1
		}
		return c
	}, strings.ToLower(e.kind.value))
	switch kind {
	case "stdio", "local": // "local" is what Copilot writes
		kind = Stdio
	case "http", "streamablehttp":
		kind = HTTP
	case "sse":
		kind = SSE
	case "":
		kind = r.inferred(e)
	default:
		r.fail(e.kind.at, e.kind.path, "%q is no transport that elyra knows: write stdio, http or sse", clip(e.kind.value, 40))
		return ""
	}
	switch {
	case kind == Stdio && e.command.value == "":
		r.fail(r.value.StartOffset, "", "a local server needs a command")
	case (kind == HTTP || kind == SSE) && e.url.value == "":
		r.fail(r.value.StartOffset, "", "a remote server needs a url")
	}
	return kind
}

func (r *reader) inferred(e entry) string {
	switch {
	case e.command.value != "" && e.url.value != "":
		r.fail(r.value.StartOffset, "", "it has a command and a url: take one away, or say which one counts with type")
	case e.command.value != "":
		return Stdio
	case e.url.value == "":
		r.fail(r.value.StartOffset, "", "it has neither a command (a local server) nor a url (a remote one)")
	default:
		return HTTP // or SSE, which the URL says once its variables are expanded
	}
	return ""
}

// endsInSSE reports whether the path of a URL ends in /sse, which is how servers of the old transport are reached.
func endsInSSE(address string) bool {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	return strings.HasSuffix(strings.TrimRight(address, "/"), "/sse")
}

// filler puts expanded texts into a server.
type filler struct {
	*reader
	expander
	raw bool // leaves texts as they are: the server is disabled, so nothing of it has to be known
}

// text expands one text. It returns what variables were used.
func (f *filler) text(t text) (string, []variable) {
	if f.raw {
		return t.value, nil
	}
	value, used, err := f.expand(t.value)
	if err != nil {
		f.fail(t.at, t.path, "%s", err)
	}
	if strings.ContainsRune(value, 0) {
		f.fail(t.at, t.path, "a variable has a NUL character")
	}
	return value, used
}

func (f *filler) members(list []named) map[string]string {
	if len(list) == 0 {
		return nil
	}
	values := make(map[string]string, len(list))
	for _, m := range list {
		values[m.name], _ = f.text(m.text)
	}
	return values
}

func (f *filler) fill(s *Server, e entry, o Options) {
	if s.Transport == Stdio {
		shown := []string{e.command.value}
		for _, arg := range e.args {
			shown = append(shown, arg.value)
		}
		s.Shown = strings.Join(shown, " ")
		s.Command, _ = f.text(e.command)
		s.Args = f.args(e.args)
		s.Env = f.members(e.env)
		s.Cwd = f.folder(e.cwd)
		if !f.bad && !f.raw && s.Command == "" {
			f.fail(e.command.at, e.command.path, "the command is empty when its variables are expanded")
		}
		if !f.bad && !f.raw && RunsThisAgent(*s, o.Executable) {
			if err := o.refusal(*s); err != nil {
				f.fail(f.at, "", "%s", err)
			}
		}
		return
	}
	s.Shown = e.url.value
	s.URL, _ = f.text(e.url)
	if e.kind.value == "" && endsInSSE(s.URL) {
		s.Transport = SSE
	}
	s.Headers = f.members(e.headers)
	s.ClientID, _ = f.text(e.clientID)
	s.ClientSecret, _ = f.text(e.clientSecret)
	s.AuthMetadataURL, _ = f.text(e.metadata)
	if f.bad || f.raw {
		return
	}
	f.checkURL(s.URL, e.url)
	if e.metadata.value != "" {
		f.checkURL(s.AuthMetadataURL, e.metadata)
	}
	for _, h := range e.headers {
		if !headerName(h.name) || strings.ContainsAny(s.Headers[h.name], "\r\n\x00") {
			f.fail(h.at, h.path, "no such header can be sent")
		}
	}
}

// args expands arguments and warns of secrets in them: everybody on the machine can list the arguments of programs.
func (f *filler) args(list []text) []string {
	if len(list) == 0 {
		return nil
	}
	args := make([]string, len(list))
	for i, t := range list {
		var used []variable
		args[i], used = f.text(t)
		if i := slices.IndexFunc(used, variable.secret); i >= 0 {
			f.warn(t.at, t.path, "${%s} looks like a secret, and all programs of this machine can read arguments: "+
				"pass it under env if the server can take it from there", used[i].name)
		}
	}
	return args
}

// folder makes the working directory absolute: ~ is the user's home, and the rest is relative to the project.
func (f *filler) folder(t text) string {
	path, _ := f.text(t)
	switch {
	case path == "" || f.raw || filepath.IsAbs(path):
		return path
	case path == "~":
		return f.userHome
	case strings.HasPrefix(path, "~/"):
		return filepath.Join(f.userHome, path[2:])
	case f.project == "":
		f.fail(t.at, t.path, "the folder is relative, and there is no project")
		return ""
	}
	return filepath.Join(f.project, path)
}

func (f *filler) checkURL(address string, t text) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		f.fail(t.at, t.path, "it is no URL")
	case u.Scheme != "http" && u.Scheme != "https":
		f.fail(t.at, t.path, "expected a URL that begins with https:// or http://")
	case u.Host == "":
		f.fail(t.at, t.path, "the URL names no host")
	}
}

// headerName reports whether a name is one that HTTP allows.
func headerName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", c)
	}) < 0
}
