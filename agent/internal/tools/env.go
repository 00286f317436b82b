package tools

import (
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/elyra-go/elyra/agent/internal/result"
)

// Env is where tools work.
type Env struct {
	Dir      string   // the project: absolute, links resolved
	UserHome string   // what ~ stands for, "" for nothing
	Home     string   // the agent's folder, which no tool writes to; "" for none
	Overflow string   // the folder for what was cut; "" loses it
	Environ  []string // of commands, as os.Environ gives it; keys that are the agent's own are taken out
	Hide     []string // more variables to take out: names, or beginnings that end with *

	Shell   []string // what a command is appended to; nil means bash -c, else sh -c, from PATH
	Sandbox *Sandbox // nil: commands run with all that the user may do

	Limits   result.Limits // of a text; zero means 2000 lines, 50 KB
	ReadOnly bool          // New returns only what cannot change anything

	// Transport has the certificates and the proxy for web pages; nil means the system's and none.
	Transport *http.Transport
	// Allowed reports whether the user has allowed this very host: then it may be on this machine or in a private network. It
	// may be nil.
	Allowed func(host string) bool

	// Changed is told what a file was before a tool changed it, right before an edit or a write and right after a command. It
	// may be nil, and is called from one goroutine at a time.
	Changed func(path string, before []byte, existed bool)

	// Started is told the process group of each command, and what it returns when the group is gone, so that somebody can end
	// it when this program is killed. It may be nil.
	Started func(group int) (ended func())

	Now func() time.Time // nil means time.Now
}

// New returns the tools of a session: read, bash, edit, write, grep, find, ls and fetch, in this order, or the reading
// ones of them. They share what the model has read.
func New(e Env) []Tool {
	if e.Started == nil {
		e.Started = func(int) func() { return func() {} }
	}
	if e.Now == nil {
		e.Now = time.Now
	}
	for _, folder := range []*string{&e.Dir, &e.Overflow, &e.Home} {
		*folder = resolved(*folder)
	}
	s := &session{Env: e, seen: map[string]sum{}, kept: map[string]keptFile{}}
	if e.Home != "" {
		for _, name := range secretFiles() {
			s.secrets = append(s.secrets, resolved(filepath.Join(e.Home, name)))
		}
	}
	if e.ReadOnly {
		return []Tool{readTool{s}, grepTool{s}, findTool{s}, lsTool{s}}
	}
	return []Tool{readTool{s}, bashTool{s}, editTool{s}, writeTool{s}, grepTool{s}, findTool{s}, lsTool{s}, newFetch(s)}
}

// resolved returns a path without links, or as it is when it has none that lead anywhere.
func resolved(path string) string {
	if real, err := follow(path); path != "" && err == nil {
		return real
	}
	return path
}

// session is what the tools of one session share.
type session struct {
	Env
	secrets []string // resolved: the files with the agent's keys

	mu   sync.Mutex
	seen map[string]sum // by resolved path: the files as the model knows them

	changing sync.Mutex // one write, edit or command at a time
	kept     map[string]keptFile
}
