package config

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Scope says whose file defines a server.
type Scope string

const (
	User    Scope = "user"
	Project Scope = "project"
)

// The transports of a Server.
const (
	Stdio = "stdio"
	HTTP  = "http"
	SSE   = "sse"
)

// DefaultTimeout is how long a request may take when the entry does not say it.
const DefaultTimeout = 60 * time.Second

// Server is one configured server, with all variables expanded. A disabled one may hold texts that are not expanded.
type Server struct {
	Name  string
	Scope Scope
	File  string // where it was defined
	Line  int

	Transport string // Stdio, HTTP or SSE
	Shown     string // the command with its arguments, or the URL, as it is written: with variables in the place of secrets

	Command string // Stdio
	Args    []string
	Env     map[string]string // on top of what Environment passes on
	Cwd     string            // absolute, or "" for the project's folder

	URL     string // HTTP and SSE: http or https
	Headers map[string]string

	Timeout     time.Duration // of a request, DefaultTimeout if not configured
	DirectTools bool
	Disabled    bool

	// An OAuth client that was registered beforehand, "" and 0 if none was.
	ClientID        string
	ClientSecret    string
	Scopes          []string // what to ask for instead of what the server suggests
	CallbackPort    int
	AuthMetadataURL string // the authorization server's metadata, instead of discovery

	// ShadowsUser says that a project's entry takes the name of a user's server for something else. It must get none of
	// the tokens and approvals that belong to the name.
	ShadowsUser bool
}

// Key identifies the server in caches: a hash of what it is and where, without the values of environment and headers,
// which are secrets and change with the day.
func (s Server) Key() string {
	where := s.Command
	if s.Transport != Stdio {
		where = s.URL
	}
	return hash(s.Transport, []string{where, s.Cwd}, s.Args,
		slices.Sorted(maps.Keys(s.Env)), slices.Sorted(maps.Keys(s.Headers)))
}

// sameTarget reports whether two entries start or reach the same thing in the same way. Environment and headers count:
// they can turn a program into another one.
func (s Server) sameTarget(other Server) bool {
	return s.Transport == other.Transport &&
		s.Command == other.Command && slices.Equal(s.Args, other.Args) && s.Cwd == other.Cwd && maps.Equal(s.Env, other.Env) &&
		s.URL == other.URL && maps.Equal(s.Headers, other.Headers) &&
		s.ClientID == other.ClientID && s.ClientSecret == other.ClientSecret && slices.Equal(s.Scopes, other.Scopes) &&
		s.CallbackPort == other.CallbackPort && s.AuthMetadataURL == other.AuthMetadataURL
}

// hash hashes lists of texts so that no two different ones meet.
func hash(kind string, lists ...[]string) string {
	sum := sha256.New()
	add := func(s string) {
		sum.Write(binary.AppendUvarint(nil, uint64(len(s))))
		sum.Write([]byte(s))
	}
	add(kind)
	for _, list := range lists {
		sum.Write(binary.AppendUvarint(nil, uint64(len(list))))
		for _, s := range list {
			add(s)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Problem is something that is wrong in a file. Line and Column count from 1 and are 0 when the file as a whole is meant.
type Problem struct {
	File         string
	Line, Column int
	Server       string // "" when it is not about one
	Message      string
	// Dropped says that the server, or without one the file, is not used because of it. Otherwise it is a warning.
	Dropped bool
}

// String returns the problem as compilers write one: file:line:column: message.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// The states of a File.
const (
	Read    = "read"
	Missing = "missing"
	Skipped = "skipped"
	Broken  = "broken"
)

// File is one of the places where servers may be defined.
type File struct {
	Path    string
	Scope   Scope
	Format  string // "Claude Code", "Cursor", "VS Code" or "Elyra"
	Status  string // Read, Missing, Skipped or Broken
	Reason  string // why it was skipped or is broken
	Servers int    // entries in it, good or not
}

// Set is what all files say together.
type Set struct {
	Servers  []Server // by name
	Files    []File   // in the order in which they are read: later ones win
	Problems []Problem
}

// Options say where to look. UserHome, AgentHome and Getenv are required.
type Options struct {
	UserHome  string
	AgentHome string
	// Project is the absolute path of the project's folder; "" means that there is no project.
	Project string
	Getenv  func(string) (string, bool)
	// Trusted allows the project's files to define servers.
	Trusted bool
	// GOOS is the system to be configured for, as runtime.GOOS names it.
	GOOS string
	// Executable is the path of this program, so that it is not loaded into itself under another name. Optional.
	Executable string
}
