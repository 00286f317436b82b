package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/workspace"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
)

const (
	// drainTime is how long calls may take to end, and settleTime how long what they started may take beyond it. Together
	// with what the connection needs for its last lines they stay below two seconds.
	drainTime  = 1400 * time.Millisecond
	settleTime = 300 * time.Millisecond
	// usualBeat is well below the ten seconds after which a host may wonder.
	usualBeat = 5 * time.Second
)

// Options configure New. Core.Workspace, Core.Environ, Core.Version and Open are needed.
type Options struct {
	// Core is what every task is given; its session, mode, events and questions are the server's business.
	Core core.Options
	// Open reads the project's configuration anew, for each task.
	Open func(ctx context.Context) (*workspace.Workspace, error)
	// ReadOnly takes the mode edit away from the host.
	ReadOnly bool
	// Parent is the number of the process that started this one. Nil: it is not watched.
	Parent func() int
	// Beat is the time between two reports of a task about which there is nothing new. 0: 5 s.
	Beat time.Duration
	Now  func() time.Time // nil: time.Now
	Log  *slog.Logger     // nil: nothing is logged
}

// Server serves one project to one host.
type Server struct {
	o     Options
	tasks *tasks
	line  line
	mcp   *mcpserver.Server

	stopping context.Context // ends when no more work is to be done
	stop     context.CancelCauseFunc
	working  sync.WaitGroup
}

// Why work ends before it is done.
var (
	errHostGone = errors.New("the host has closed the connection")
	errOrphan   = errors.New("the program that started this server is gone")
)

// CheckFolder refuses to work in the root of a file system, where hosts start servers that they have no folder for.
func CheckFolder(dir string) error {
	if dir != filepath.Dir(dir) {
		return nil
	}
	return fmt.Errorf(`elyra --mode mcp was started in %s, which is no project: start it in the project's folder ("cwd" in the host's configuration). `+
		`For hosts without a cwd option, use a wrapper such as "command": "sh", "args": ["-c", "cd /path/to/project && exec elyra --mode mcp"], `+
		`or name the folder: "args": ["--mode", "mcp", "--project", "/path/to/project"]`, dir)
}

// New returns a server. It starts nothing.
func New(o Options) *Server {
	if o.Beat <= 0 {
		o.Beat = usualBeat
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{o: o}
	s.tasks = newTasks(func() { s.mcp.ResourcesChanged() })
	s.mcp = mcpserver.New(mcpserver.Options{
		Info:         mcp.Implementation{Name: "elyra", Title: "Elyra", Version: o.Core.Version},
		Instructions: s.instructions(), Catalog: s, Resources: s, Log: o.Log, DrainTimeout: drainTime,
	})
	return s
}

// instructions are for the host's model.
func (s *Server) instructions() string {
	return fmt.Sprintf("Elyra is a coding agent at work in %s. Delegate work in that project to it with elyra_task, have uncommitted changes reviewed with "+
		"elyra_review, and look up why the project is as it is with elyra_decisions. It does not see your conversation: say in a task all that it needs to know.",
		s.o.Core.Workspace.Project)
}

// Serve speaks to a host until in ends, ctx ends, the parent is gone or out fails: then it ends all work and returns within
// two seconds. None of that is an error.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) {
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	s.stopping, s.stop = context.WithCancelCause(ctx)
	defer s.stop(errHostGone)
	var watching sync.WaitGroup
	if s.o.Parent != nil {
		watching.Go(func() { watchParent(ctx, s.o.Parent, leave) })
	}
	err := s.mcp.Serve(ctx, ending{in, func() { s.stop(errHostGone) }}, out)
	s.o.Log.Debug("the connection has ended", "reason", err)
	s.stop(errHostGone)
	leave(nil)
	watching.Wait()
	settled := make(chan struct{})
	go func() {
		s.working.Wait()
		close(settled)
	}()
	select {
	case <-settled:
	case <-time.After(settleTime):
		s.o.Log.Error("work did not end in time and was left behind")
	}
}

// watchParent calls gone when this process has got another parent.
func watchParent(ctx context.Context, parent func() int, gone context.CancelCauseFunc) {
	const look = 250 * time.Millisecond
	first := parent()
	if first <= 1 { // The first process of a container starts no servers and outlives them.
		return
	}
	ticks := time.NewTicker(look)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			if parent() != first {
				gone(errOrphan)
				return
			}
		}
	}
}

// ending is an input that tells when it is over: a host that is gone wants no more work, whether or not answers are still
// being written.
type ending struct {
	io.Reader
	over func()
}

func (e ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err != nil {
		e.over()
	}
	return n, err
}

// SetReadDeadline interrupts a read where the input can be interrupted.
func (e ending) SetReadDeadline(at time.Time) error {
	if d, ok := e.Reader.(interface{ SetReadDeadline(time.Time) error }); ok {
		return d.SetReadDeadline(at)
	}
	return errors.ErrUnsupported
}

// Close ends the input.
func (e ending) Close() error {
	if c, ok := e.Reader.(io.Closer); ok {
		return c.Close()
	}
	return errors.ErrUnsupported
}

// begin counts work, which ends with ctx and when the server stops.
func (s *Server) begin(ctx context.Context) (context.Context, func()) {
	s.working.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	unhook := context.AfterFunc(s.stopping, func() { cancel(context.Cause(s.stopping)) })
	return ctx, func() {
		unhook()
		cancel(nil)
		s.working.Done()
	}
}
