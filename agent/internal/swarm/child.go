package swarm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/broker"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

const (
	// maxLine bounds a line of a child: a call with its arguments, or an answer.
	maxLine = 8 << 20
	// maxSaid bounds a line about what a child does, for people.
	maxSaid = 200
)

// child is the parent's side of one child.
type child struct {
	desk     *broker.Desk
	progress func(string)

	mu    sync.Mutex
	spent Spent // what it has used so far, as it says
}

// work starts a child, has it do its task and ends it.
func (t *Tool) work(ctx context.Context, a args, progress func(string)) (string, Spent, error) {
	ctx, end := context.WithTimeoutCause(ctx, t.o.Time, fmt.Errorf("it was ended after %v", t.o.Time))
	defer end()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	tools := t.o.Observe(t.o.Tools)
	c := &child{progress: progress, desk: broker.NewDesk(tools, t.gate(a, stop), 0)}
	said := &lastLine{}
	command := mcpclient.Command(t.o.Command, mcpclient.CommandOptions{Stderr: said, Started: t.o.Started, Grace: t.o.Grace})
	process, err := command.Open(ctx, false)
	if err != nil {
		return "", c.spent, fmt.Errorf("start another agent: %w", err)
	}
	conn := broker.New(process, process, broker.ConnOptions{Serve: c.desk.Serve, Hear: c.hear, MaxLine: maxLine})
	ran := make(chan error, 1)
	go func() { ran <- conn.Run() }()
	job := t.o.Job()
	job.Task, job.Role, job.Tools = a.Task, a.Role, broker.Offers(tools)
	var done answer
	err = conn.Request(ctx, methodWork, job, &done, nil)
	closeErr := process.Close()
	<-ran
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.Is(err, broker.ErrEnded):
		err = fmt.Errorf("its process ended before it had answered (%w)%s", err, said.quote())
	case err == nil && done.Error != "":
		err = errors.New(done.Error)
	}
	if closeErr != nil {
		err = errors.Join(err, closeErr)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return done.Text, c.spent, err
}

// gate decides about the calls of one child: first its role, then the user. A user who ends the work ends the child.
func (t *Tool) gate(a args, stop context.CancelCauseFunc) broker.Gate {
	who := result.OneLine(result.Clean(fmt.Sprintf("an agent (%s) at work on: %s", a.Role, a.Task)), maxSaid)
	return func(ctx context.Context, tool loop.Tool, call *model.Call) error {
		if err := a.Role.check(tool, call); err != nil {
			return err
		}
		err := t.o.Permit(ctx, who, call)
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
		c.progress(result.OneLine(result.Clean(said.Text), maxSaid))
		return nil
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

// count takes what a child has used. It can only become more. The caller holds mu.
func (c *child) count(s Spent) error {
	if s.Requests < c.spent.Requests || !(s.Cost >= c.spent.Cost) {
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
