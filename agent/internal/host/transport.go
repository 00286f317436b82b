package host

import (
	"cmp"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpclient/streamable"
)

// transport makes what opens connections to the server.
func (s *server) transport() (mcpclient.Transport, error) {
	if s.Transport == config.Stdio {
		return s.process()
	}
	header := http.Header{}
	for name, value := range s.Headers {
		header.Set(name, value)
	}
	o := streamable.Options{URL: s.URL, Header: header, Log: s.h.opts.Log.With("server", s.Name), SSE: s.Transport == config.SSE}
	if s.auth != nil {
		o.Auth = s.auth
	}
	return streamable.New(o)
}

// process makes the transport of a local server. The program is looked up in the PATH that the server itself will have.
func (s *server) process() (mcpclient.Transport, error) {
	environ := config.Environment(s.h.opts.Environ, runtime.GOOS, s.Env)
	dir := cmp.Or(s.Cwd, s.h.opts.Dir)
	program, err := lookPath(s.Command, dir, environ)
	if err != nil {
		return nil, err
	}
	log, err := s.h.openLog(s.Name)
	if err != nil {
		return nil, err
	}
	newCmd := func() *exec.Cmd {
		cmd := exec.Command(program, s.Args...)
		cmd.Args[0] = s.Command
		cmd.Dir, cmd.Env = dir, environ
		return cmd
	}
	return mcpclient.Command(newCmd, mcpclient.CommandOptions{Stderr: log, Started: s.h.opts.Keeper.Watch}), nil
}

// lookPath finds a program in the PATH of an environment. A path with a folder in it is relative to cwd.
func lookPath(command, cwd string, environ []string) (string, error) {
	if filepath.Base(command) != command {
		if !filepath.IsAbs(command) {
			command = filepath.Join(cwd, command)
		}
		found, err := exec.LookPath(command) // Adds what PATHEXT has on Windows.
		if err != nil {
			return "", fmt.Errorf("start MCP server: %w", err)
		}
		return found, nil
	}
	path := ""
	for _, v := range environ {
		if name, value, _ := strings.Cut(v, "="); strings.EqualFold(name, "PATH") {
			path = value
		}
	}
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) { // A relative folder would run what the project put there.
			continue
		}
		if found, err := exec.LookPath(filepath.Join(folder, command)); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("start MCP server: there is no program %q in PATH=%s; write its absolute path as the command "+
		"(a version manager's programs are often only in the PATH of a shell)", command, path)
}
