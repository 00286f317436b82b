package permission

import (
	"fmt"
	"slices"
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
	// Unconfined says that the command asks to run outside of the sandbox that there is.
	Unconfined bool
	Host       string // for fetch

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
	if s.Unconfined {
		return "it wants to run outside of the sandbox, with all that you may do"
	}
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
