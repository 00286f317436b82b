package swarm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/broker"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// What the two sides say to each other beside what package broker has.
const (
	methodWork  = "work"  // to the child: a Job; its result is an answer
	noticeSaid  = "said"  // from the child: what it does, a line for people
	noticeSpent = "spent" // from the child: what it has used so far
	noticeKept  = "kept"  // from the child: the session in which it is kept
)

// Job is what a child is told.
type Job struct {
	Task  string         `json:"task"`
	Role  Role           `json:"role"`
	Model string         `json:"model"` // provider/id
	Level model.Level    `json:"thinking,omitzero"`
	Tools []broker.Offer `json:"tools"`
	// Owner is the session of the agent that it works for, "" when nothing is kept.
	Owner string `json:"owner,omitzero"`
}

// Spent is what a child has used.
type Spent struct {
	Usage    model.Usage `json:"usage"`
	Cost     float64     `json:"cost"` // US dollars
	Requests int         `json:"requests"`
}

// saidParams are those of noticeSaid.
type saidParams struct {
	Text string `json:"text"`
}

// keptParams are those of noticeKept.
type keptParams struct {
	Session string `json:"session"`
}

// answer is what a child has come to.
type answer struct {
	Text  string `json:"text"`
	Error string `json:"error,omitzero"` // why it ended early
}

// Agent is the agent of a child.
type Agent interface {
	Prompt(ctx context.Context, content ...model.Block) (model.Message, error)
	Totals() loop.Totals
	// Kept is the session in which it is kept, "" for none.
	Kept() string
	Close() error
}

// Opener makes the agent for a job. Tools are those of the parent, and on gets what happens.
type Opener func(ctx context.Context, job Job, tools []loop.Tool, on func(loop.Event)) (Agent, error)

// Serve is a child: it does the one job that comes over in, and returns when in ends, which is when the parent has the answer
// or is gone. Nothing else may write to out.
func Serve(ctx context.Context, in io.Reader, out io.Writer, open Opener) error {
	w := &worker{ctx: ctx, open: open}
	w.conn = broker.New(in, out, broker.ConnOptions{Serve: w.serve, AtOnce: 1})
	return w.conn.Run()
}

// worker is the child's side.
type worker struct {
	ctx  context.Context
	open Opener
	conn *broker.Conn
	busy atomic.Bool
}

func (w *worker) serve(ctx context.Context, method string, params jsontext.Value, _ func(string)) (any, error) {
	var job Job
	if method != methodWork || w.busy.Swap(true) {
		return nil, fmt.Errorf("there is no request %q", method)
	}
	if err := broker.Decode(params, &job); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(w.ctx, func() { cancel(context.Cause(w.ctx)) })()
	return w.work(ctx, job), nil
}

// work does the job.
func (w *worker) work(ctx context.Context, job Job) answer {
	var agent Agent
	agent, err := w.open(ctx, job, broker.Tools(w.conn, job.Tools), func(e loop.Event) { w.tell(agent, e) })
	if err != nil {
		return answer{Error: err.Error()}
	}
	if session := agent.Kept(); session != "" {
		w.conn.Notify(noticeKept, keptParams{session}) //nolint:errcheck // The work itself will tell that the parent is gone.
	}
	last, err := agent.Prompt(ctx, model.Text(job.Task))
	done := answer{Text: last.String()}
	w.spent(agent)
	if err = errors.Join(err, agent.Close()); err != nil {
		done.Error = err.Error()
	} else if done.Error = unfinished[last.Stop]; done.Error == "" && done.Text == "" {
		done.Error = "it has said nothing"
	}
	return done
}

// unfinished are the ways in which a model stops without being done.
var unfinished = map[model.Stop]string{
	model.StopLength:  "its answer was cut off at the longest that the model gives",
	model.StopRefusal: "its model refuses the task",
}

// tell passes on what the parent should know. What is lost because the parent does not read is told with the next.
func (w *worker) tell(agent Agent, e loop.Event) {
	switch e.Kind {
	case loop.KindMessage, loop.KindCompacted:
		w.spent(agent)
	case loop.KindCall:
		w.say(e.Call.Name + " " + string(e.Call.Arguments))
	case loop.KindProgress:
		w.say(e.Call.Name + ": " + e.Text)
	case loop.KindStream:
		if e.Stream.Kind == model.EventRetry {
			w.say("the model is asked again: " + e.Stream.Text)
		}
	case loop.KindNotice:
		w.say(e.Text)
	}
}

func (w *worker) say(text string) {
	if len(text) > 4*maxSaid { // The parent cuts it as it should be.
		text = text[:4*maxSaid]
	}
	w.conn.Notify(noticeSaid, saidParams{text}) //nolint:errcheck // Only what people see is lost.
}

func (w *worker) spent(agent Agent) {
	t := agent.Totals()
	w.conn.Notify(noticeSpent, Spent{t.Usage, t.Cost, t.Requests}) //nolint:errcheck // The next tells it too.
}
