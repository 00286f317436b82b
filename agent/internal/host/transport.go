package host

import (
	"cmp"
	"context"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"

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
		o.Auth = patient{s.auth, &s.person}
	}
	return streamable.New(o)
}

// patient is an Authorizer while whose user logs in nothing runs out.
type patient struct {
	Authorizer
	person *mcpclient.Hold
}

func (p patient) Refused(ctx context.Context, status int, challenges []string, used string) error {
	p.person.Begin()
	defer p.person.End()
	return p.Authorizer.Refused(ctx, status, challenges, used)
}

// process makes the transport of a local server. The program is looked up in the PATH that the server itself will have.
func (s *server) process() (mcpclient.Transport, error) {
	environ := config.Inside(config.Environment(s.h.opts.Environ, runtime.GOOS, s.Env), s.h.opts.Environ, s.h.opts.Dir)
	dir := cmp.Or(s.Cwd, s.h.opts.Dir)
	look := lookup{goos: runtime.GOOS, environ: environ, check: func(path string) error {
		_, err := exec.LookPath(path)
		return err
	}}
	program, err := look.find(s.Command, dir)
	if err != nil {
		return nil, err
	}
	line := ""
	if runtime.GOOS == "windows" && isBatch(program) {
		if line, err = batchLine(program, s.Args); err != nil {
			return nil, err
		}
	}
	log, err := s.h.openLog(s.Name)
	if err != nil {
		return nil, err
	}
	newCmd := func() *exec.Cmd {
		cmd := exec.Command(program, s.Args...)
		cmd.Args[0] = s.Command
		if line != "" {
			cmd = batchCommand(filepath.Join(look.variable("SystemRoot"), "System32", "cmd.exe"), line)
		}
		cmd.Dir, cmd.Env = dir, environ
		return cmd
	}
	return mcpclient.Command(newCmd, mcpclient.CommandOptions{Stderr: log, Started: s.h.opts.Keeper.Watch}), nil
}
