package permission

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Kind says what a call does at most.
type Kind string

// The kinds of calls.
const (
	Read    Kind = "read"
	Write   Kind = "write"
	Run     Kind = "run"
	Network Kind = "network"
	MCP     Kind = "mcp"
)

// Request is a call that wants to run.
type Request struct {
	Tool string // the tool's name, "mcp" for one of an MCP server
	Kind Kind

	Paths   []string // files and folders that it reads or writes
	Command string   // for bash
	Host    string   // for fetch

	// Of an MCP tool: its identity, and the hash of its description and schema.
	Server, Name, Hash string
	// Project is the project whose files define the server, "" if the user's do. Shadows says that it took the name of a
	// server of the user's for something else.
	Project  string
	Shadows  bool
	ReadOnly bool // what the server says of the tool

	// For the person who is asked.
	Title string
	Lines []string
	Diff  string
}

// Identity names an MCP tool, so that a project's server is never taken for the user's or another project's.
func (r Request) Identity() string {
	if r.Project != "" {
		return r.Server + "/" + r.Name + " of " + r.Project
	}
	return r.Server + "/" + r.Name
}

// Command is what is known of a command line before it runs.
type Command struct {
	Parsed   bool // all of it is understood
	ReadOnly bool
	Programs []string // what is started; "?" for what only running tells
	Prefixes []string // what each part can be covered by, such as "git commit"; "?" for nothing
	Reads    []string // files that a read-only command may look at
	Writes   []string // files that output goes to
}

// Effect is what happens to a call.
type Effect int

// The effects.
const (
	Ask Effect = iota
	Allow
	Deny
)

// Decision says what happens to a call, and why.
type Decision struct {
	Effect  Effect
	Reason  string // in words that the model can act on, for Deny
	Warning string // for the person who is asked
	Offer   []Rule // what the person may allow beyond this call; none for an MCP tool, which is approved as it is
	Once    bool   // it can be allowed for this call only
}

// Decide judges a request without asking.
func (g *Gate) Decide(r Request) Decision {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.look(r)
	if g.plan && !s.reads {
		return Decision{Effect: Deny, Reason: "plan mode is on: nothing may be changed or run yet. Read what you need and present a plan"}
	}
	if d, stop := g.refused(s); stop {
		return d
	}
	warning := g.warning(s)
	switch {
	case g.o.AllowAll:
		return Decision{Effect: Allow}
	case warning != "":
		return Decision{Effect: Ask, Warning: warning, Once: true}
	case g.anyMeant(g.o.Ask, s):
		return Decision{Effect: Ask, Once: true}
	case g.allowed(s), s.reads && s.free:
		return Decision{Effect: Allow}
	}
	return Decision{Effect: Ask, Offer: g.offer(s)}
}

// seen is a request with what was found out about it.
type seen struct {
	Request
	command  Command
	lexical  []string // the paths as they were given, absolute
	resolved []string // the same with links followed
	writes   []string // paths that are written to
	reads    bool     // it does nothing but read
	free     bool     // all that it reads is in the project
}

func (g *Gate) look(r Request) seen {
	s := seen{Request: r, reads: r.Kind == Read}
	paths := r.Paths
	if r.Kind == Run {
		s.command = Command{Programs: []string{"?"}, Prefixes: []string{"?"}}
		if g.o.Judge != nil {
			s.command = g.o.Judge(r.Command)
		}
		s.reads = s.command.ReadOnly && s.command.Parsed && len(s.command.Writes) == 0
		paths = slices.Concat(paths, s.command.Reads, s.command.Writes)
	}
	if r.Kind == MCP {
		s.reads = r.ReadOnly && !r.Shadows && r.Project == "" && slices.Contains(g.o.TrustHints, r.Server)
	}
	s.free = r.Kind != Run || g.o.FreeCommands
	for _, name := range paths {
		real := g.places.resolve(name)
		s.lexical, s.resolved = append(s.lexical, g.places.absolute(name)), append(s.resolved, real)
		inside := g.places.in(g.places.project, real)
		for _, folder := range g.places.readable {
			inside = inside || g.places.in(folder, real)
		}
		s.free = s.free && inside && name != "?"
	}
	switch r.Kind {
	case Write:
		s.writes = s.resolved
	case Run:
		for _, name := range s.command.Writes {
			s.writes = append(s.writes, g.places.resolve(name))
		}
	}
	return s
}

// refused applies what no answer can allow: deny rules and the agent's own folder.
func (g *Gate) refused(s seen) (Decision, bool) {
	for _, rule := range g.o.Deny {
		if g.meant(rule, s) {
			return Decision{Effect: Deny, Reason: fmt.Sprintf("the user's rule %q denies this", rule)}, true
		}
	}
	for _, name := range append(slices.Clone(s.resolved), s.lexical...) {
		if g.places.secret(name) {
			return Decision{Effect: Deny, Reason: "this file holds the agent's keys, and no tool may use it"}, true
		}
	}
	for _, name := range s.writes {
		if g.places.in(g.places.agentHome, name) {
			return Decision{Effect: Deny, Reason: "the agent's own folder is not for tools: the user changes settings with elyra config"}, true
		}
	}
	return Decision{}, false
}

// warning says why a call is asked about whatever the rules allow.
func (g *Gate) warning(s seen) string {
	for _, name := range s.writes {
		if why := g.places.protected(name); why != "" {
			return why
		}
	}
	if s.Kind == Write {
		for _, name := range s.lexical {
			if why := g.places.protected(name); why != "" {
				return why
			}
		}
	}
	return ""
}

func (g *Gate) anyMeant(rules []Rule, s seen) bool {
	return slices.ContainsFunc(rules, func(r Rule) bool { return g.meant(r, s) })
}

// meant reports whether a rule that denies or asks may be about a request.
func (g *Gate) meant(rule Rule, s seen) bool {
	if rule.tool == "*" {
		return true
	}
	files := append(slices.Clone(s.resolved), s.lexical...)
	onFiles := func(list []string) bool {
		return slices.ContainsFunc(list, func(name string) bool {
			return rule.pattern == "" || g.places.covers(rule.pattern, name, true)
		})
	}
	switch {
	case rule.tool == "read" && s.Kind == Read:
		return rule.pattern == "" || onFiles(files)
	case rule.tool == "read" && s.Kind == Run, rule.tool == "edit" && s.Kind == Run:
		if rule.tool == "edit" {
			files = s.writes
		}
		return rule.pattern != "" && onFiles(files)
	case rule.tool == "edit":
		return s.Kind == Write && (rule.pattern == "" || onFiles(files))
	case rule.tool == "bash":
		if s.Kind != Run || rule.pattern == "" {
			return s.Kind == Run
		}
		return rule.mayMean(s.Command, s.command)
	}
	return g.sameTool(rule, s)
}

// sameTool is about the tools for which a rule that denies and one that allows mean the same.
func (g *Gate) sameTool(rule Rule, s seen) bool {
	switch rule.tool {
	case "fetch":
		return s.Kind == Network && (rule.pattern == "" || matchHost(rule.pattern, s.Host))
	case "mcp":
		if s.Kind != MCP || rule.pattern == "" {
			return s.Kind == MCP
		}
		server, name, _ := strings.Cut(rule.pattern, "/")
		okServer, _ := path.Match(server, s.Server)
		okName, _ := path.Match(name, s.Name)
		return okServer && (okName || name == "*")
	}
	return rule.pattern == "" && rule.tool == s.Tool && s.Kind != MCP
}

// allowed reports whether a rule or an approval covers a request as a whole.
func (g *Gate) allowed(s seen) bool {
	rules := slices.Concat(g.o.Allow, g.session)
	if s.Kind == MCP {
		id := s.Identity()
		return s.Hash != "" && (g.approved[id] == s.Hash || !s.Shadows && g.o.Approved[id] == s.Hash) ||
			!s.Shadows && slices.ContainsFunc(rules, func(r Rule) bool { return r.tool == "*" || g.sameTool(r, s) })
	}
	if s.Kind == Run {
		return g.commandAllowed(rules, s)
	}
	for _, rule := range rules {
		if rule.tool == "*" && rule.pattern == "" {
			return true
		}
		files := rule.tool == "read" && s.Kind == Read || rule.tool == "edit" && s.Kind == Write
		if !files {
			if g.sameTool(rule, s) {
				return true
			}
			continue
		}
		if rule.pattern == "" {
			return true
		}
	}
	return len(s.resolved) > 0 && !slices.ContainsFunc(s.resolved, func(name string) bool { return !g.fileAllowed(rules, s.Kind, name) })
}

// fileAllowed reports whether a rule covers one file.
func (g *Gate) fileAllowed(rules []Rule, kind Kind, name string) bool {
	if kind == Read && g.places.in(g.places.project, name) {
		return true
	}
	return slices.ContainsFunc(rules, func(r Rule) bool {
		return (r.tool == "read" && kind == Read || r.tool == "edit" && kind == Write) && r.pattern != "" &&
			g.places.covers(r.pattern, name, false)
	})
}

// commandAllowed reports whether rules cover all parts of a command line. One that is not understood is only covered by a
// rule for all commands, and not even by that when others deny or ask, since it may be what they mean.
func (g *Gate) commandAllowed(rules []Rule, s seen) bool {
	odd := func(program string) bool { return program == "?" || strings.ContainsFunc(program, unicode.IsSpace) }
	opaque := !s.command.Parsed || slices.ContainsFunc(s.command.Programs, odd)
	restricted := slices.ContainsFunc(slices.Concat(g.o.Deny, g.o.Ask), func(r Rule) bool { return r.tool == "bash" || r.tool == "edit" || r.tool == "read" })
	left := slices.Clone(s.command.Prefixes)
	for _, rule := range rules {
		switch {
		case rule.tool != "bash" && rule.tool != "*":
			continue
		case rule.pattern == "":
			if !opaque || !restricted {
				return true
			}
			continue
		case strings.HasPrefix(rule.pattern, "="):
			if strings.TrimSpace(rule.pattern[1:]) == strings.TrimSpace(s.Command) {
				return true
			}
			continue
		}
		left = slices.DeleteFunc(left, rule.coversPart)
	}
	if spaced := strings.ContainsFunc(strings.Join(s.command.Programs, ""), unicode.IsSpace); spaced || !s.command.Parsed || len(left) > 0 || len(s.command.Prefixes) == 0 {
		return false
	}
	// Output that goes to files is a write like any other.
	return !slices.ContainsFunc(s.command.Writes, func(name string) bool {
		return name == "?" || !g.places.in(g.places.project, g.places.resolve(name)) || !g.fileAllowed(rules, Write, g.places.resolve(name))
	})
}
