package mode

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// maxCommand is the length of the longest command in bytes.
const maxCommand = 32 << 20

// Agent is what a program drives.
type Agent interface {
	Say(ctx context.Context, content ...model.Block) (model.Message, error)
	Steer(content ...model.Block)
	Queue(content ...model.Block)
	Compact(ctx context.Context, focus string) error
	History() []model.Message
	Totals() loop.Totals
	SetModel(name string, level model.Level) (model.Spec, error)
	Model() (model.Spec, model.Level)
}

// command is a line that a program writes.
type command struct {
	ID    string      `json:"id"` // repeated in the response
	Type  string      `json:"type"`
	Text  string      `json:"text"`  // prompt, steer, queue; compact: what to keep
	Model string      `json:"model"` // set_model
	Level model.Level `json:"thinking"`
}

// rpc is one conversation with a program.
type rpc struct {
	agent Agent
	out   *Lines

	mu    sync.Mutex
	abort context.CancelFunc // of the work under way
	work  sync.WaitGroup
}

// RPC takes commands, a JSON object a line, until in ends, and answers each with a response line; what happens is told as
// in JSON mode. Commands: prompt, steer, queue, abort, compact, set_model, get_state, get_messages, get_session_stats. What
// is under way when in ends is finished.
func RPC(ctx context.Context, agent Agent, in io.Reader, out *Lines) error {
	r := &rpc{agent: agent, out: out}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 64<<10), maxCommand)
	for lines.Scan() && ctx.Err() == nil {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var c command
		if err := json.Unmarshal(lines.Bytes(), &c, jsontext.AllowInvalidUTF8(true)); err != nil {
			out.Write(Line{Type: "response", Error: fmt.Sprintf("the line is no command: %v", err)})
			continue
		}
		data, err := r.do(ctx, c)
		response := Line{Type: "response", ID: c.ID, Command: c.Type, Data: data}
		if err != nil {
			response.Error = err.Error()
		}
		out.Write(response)
	}
	r.work.Wait()
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read commands: %w", err)
	}
	return context.Cause(ctx)
}

// do carries out a command. Prompt and compact go on after the response.
func (r *rpc) do(ctx context.Context, c command) (data any, err error) {
	switch c.Type {
	case "prompt":
		return nil, r.begin(ctx, func(ctx context.Context) error {
			_, err := r.agent.Say(ctx, model.Text(c.Text))
			return err
		})
	case "compact":
		return nil, r.begin(ctx, func(ctx context.Context) error { return r.agent.Compact(ctx, c.Text) })
	case "steer":
		r.agent.Steer(model.Text(c.Text))
	case "queue":
		r.agent.Queue(model.Text(c.Text))
	case "abort":
		r.mu.Lock()
		if r.abort != nil {
			r.abort()
		}
		r.mu.Unlock()
	case "set_model":
		spec, err := r.agent.SetModel(c.Model, c.Level)
		return map[string]string{"model": spec.String()}, err
	case "get_state":
		spec, level := r.agent.Model()
		r.mu.Lock()
		defer r.mu.Unlock()
		return map[string]any{"model": spec.String(), "thinking": level, "busy": r.abort != nil}, nil
	case "get_messages":
		return r.agent.History(), nil
	case "get_session_stats":
		return TotalsOf(r.agent.Totals()), nil
	default:
		return nil, fmt.Errorf("there is no command %q", c.Type)
	}
	return nil, nil
}

// begin starts work that ends with a line of its own.
func (r *rpc) begin(ctx context.Context, work func(context.Context) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.abort != nil {
		return loop.ErrBusy
	}
	ctx, cancel := context.WithCancel(ctx)
	r.abort = cancel
	r.work.Go(func() {
		err := work(ctx)
		r.mu.Lock()
		r.abort = nil
		r.mu.Unlock()
		cancel()
		r.out.Write(End(r.agent, err))
	})
	return nil
}

// End is the line that ends the work on a prompt.
func End(agent interface{ Totals() loop.Totals }, err error) Line {
	line := Line{Type: "end", Totals: TotalsOf(agent.Totals())}
	switch {
	case errors.Is(err, context.Canceled):
		line.Error = "aborted"
	case err != nil:
		line.Error = err.Error()
	}
	return line
}
