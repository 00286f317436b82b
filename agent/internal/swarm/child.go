package swarm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/broker"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tools"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/ratelimit"
)

const (
	// maxLine bounds a line of a child: a call with its arguments, or an answer.
	maxLine = 8 << 20
	// maxSaid bounds a line about what a child does, for people.
	maxSaid = 200
	// maxSaids is how many of these lines are shown in a second. More is not read, and costs the parent time.
	maxSaids = 20
)

// child is the parent's side of one child.
type child struct {
	kit      Kit
	progress func(string)
	pace     *ratelimit.Limiter // of progress

	mu      sync.Mutex
	spent   Spent  // what it has used so far, as it says
	session string // where it is kept
}

// outcome is what a child has come to.
type outcome struct {
	text    string
	spent   Spent
	session string
	files   []tools.Change
	lines   []string // the same for the model
}

// work starts a child, has it do its task and ends it. The outcome counts also beside an error.
func (t *Tool) work(ctx context.Context, a args, progress func(string)) (outcome, error) {
	ctx, end := context.WithTimeoutCause(ctx, t.o.Time, fmt.Errorf("it was ended after %v", t.o.Time))
	defer end()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c := &child{kit: t.o.Kit(a.Role, a.who()).withDefaults(), progress: progress, pace: ratelimit.New(maxSaids, time.Second)}
	desk := broker.NewDesk(c.kit.Tools, c.gate(a.Role, stop), 0)
	said := &lastLine{}
	command := mcpclient.Command(t.o.Command, mcpclient.CommandOptions{Stderr: said, Started: t.o.Started, Grace: t.o.Grace})
	process, err := command.Open(ctx, false)
	if err != nil {
		return outcome{}, fmt.Errorf("start another agent: %w", err)
	}
	conn := broker.New(process, process, broker.ConnOptions{Serve: desk.Serve, Hear: c.hear, MaxLine: maxLine})
	ran := make(chan error, 1)
	go func() { ran <- conn.Run() }()
	job := t.o.Job()
	job.Task, job.Role, job.Tools = a.Task, a.Role, broker.Offers(c.kit.Tools)
	var done answer
	err = conn.Request(ctx, methodWork, job, &done, nil)
	closeErr := process.Close()
	<-ran
	switch {
	case ctx.Err() != nil:
		if err = context.Cause(ctx); errors.Is(err, context.Canceled) {
			err = errors.New("it was interrupted")
		}
	case errors.Is(err, broker.ErrEnded):
		err = fmt.Errorf("its process ended before it had answered (%w)%s", err, said.quote())
	case err == nil && done.Error != "":
		err = errors.New(done.Error)
	}
	return c.outcome(done.Text), errors.Join(err, closeErr)
}

// outcome is asked when the child is gone.
func (c *child) outcome(text string) outcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	o := outcome{text: text, spent: c.spent, session: c.session}
	o.files, o.lines = c.kit.Changed()
	return o
}

// who names a child to the user.
func (a args) who() string {
	return result.OneLine(result.Clean(fmt.Sprintf("an agent (%s) at work on: %s", a.Role, a.Task)), maxSaid)
}

// gate decides about the calls of one child: first its role, then the user. A user who ends the work ends the child.
func (c *child) gate(role Role, stop context.CancelCauseFunc) broker.Gate {
	return func(ctx context.Context, tool loop.Tool, call *model.Call) error {
		if err := role.check(tool, call); err != nil {
			return err
		}
		err := c.kit.Permit(ctx, call)
		if errors.Is(err, loop.ErrStop) {
			stop(err)
		}
		return err
	}
}

// hear takes what a child tells while it works.
func (c *child) hear(method string, params jsontext.Value) error {
	switch method {
	case noticeSaid:
		var said saidParams
		if err := broker.Decode(params, &said); err != nil {
			return err
		}
		if ok, _ := c.pace.Allow("", time.Now()); ok {
			c.progress(result.OneLine(result.Clean(said.Text), maxSaid))
		}
		return nil
	case noticeKept:
		var kept keptParams
		if err := broker.Decode(params, &kept); err != nil {
			return err
		}
		return c.keep(kept.Session)
	case noticeSpent:
		var spent Spent
		if err := broker.Decode(params, &spent); err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.count(spent)
	}
	return fmt.Errorf("there is no notice %q", method)
}

// keep notes in which session the child is kept, which it says once.
func (c *child) keep(session string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != "" || session == "" {
		return errors.New("an agent is kept in one session")
	}
	if err := c.kit.Kept(session); err != nil {
		return err
	}
	c.session = session
	return nil
}

// count takes what a child has used. It can only become more. The caller holds mu.
func (c *child) count(s Spent) error {
	is, was := s.Usage, c.spent.Usage
	less := is.Input < was.Input || is.Output < was.Output || is.CacheRead < was.CacheRead || is.CacheWrite < was.CacheWrite || is.Thinking < was.Thinking
	if less || s.Requests < c.spent.Requests || !(s.Cost >= c.spent.Cost) {
		return errors.New("what an agent has used cannot become less")
	}
	c.spent = s
	return nil
}

// lastLine keeps the end of what a child writes to standard error, for the error when it fails.
type lastLine struct {
	mu   sync.Mutex
	text string
}

func (l *lastLine) Write(b []byte) (int, error) {
	const most = 2 << 10
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text += string(b)
	if over := len(l.text) - most; over > 0 {
		l.text = l.text[over:]
	}
	return len(b), nil
}

func (l *lastLine) quote() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(l.text), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return "; the last that it said: " + result.OneLine(result.Clean(last), maxSaid)
	}
	return ""
}
