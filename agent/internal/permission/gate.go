package permission

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// Choice is what a person answers.
type Choice int

// The choices.
const (
	No      Choice = iota // not now; Answer.Text may say why
	Once                  // this call
	Session               // this and what is like it, until the session ends
	Forever               // the same, and it is written to the user's settings
	Stop                  // no, and the work ends: the person wants to say something
)

// Question is what a person is asked.
type Question struct {
	Request
	Warning string
	Rules   []Rule   // what Session and Forever would allow
	Choices []Choice // those that can be made
}

// Answer is what a person says.
type Answer struct {
	Choice Choice
	Text   string // for the model, with No
}

// Asker puts questions to a person, one at a time. When ctx ends, nobody waits for the answer any more.
type Asker func(ctx context.Context, q Question) (Answer, error)

// Options configure New.
type Options struct {
	Project   string   // the project's folder
	AgentHome string   // the agent's folder
	UserHome  string   // the user's
	Readable  []string // folders outside the project that may be read: where long results are, skills

	Allow, Ask, Deny []Rule            // the user's rules, and those of --allow
	AllowAll         bool              // --allow-all: nothing is asked. Dangerous: a model may then do all that its user can
	Approved         map[string]string // MCP tools that were allowed for ever: hash by identity
	TrustHints       []string          // MCP servers of the user's whose word that a tool only reads is believed
	// FreeCommands lets commands that only look at files of the project run without a question.
	FreeCommands bool

	Asker Asker                        // nil: nobody can be asked
	Judge func(command string) Command // nil: no command is understood
	// Describe says what a call would do.
	Describe func(call *model.Call) (Request, error)
	// SaveRule and SaveTool keep for ever what was allowed. Nil: it cannot be.
	SaveRule func(ctx context.Context, rule string) error
	SaveTool func(ctx context.Context, identity, hash string) error
	Notice   func(text string) // tells the user; nil: nobody
	Stop     error             // is wrapped by the error of a call at which the person ended the work
}

// Gate decides about the calls of a session. Its methods may be called from many goroutines.
type Gate struct {
	o      Options
	places places
	asking chan struct{} // holds a token while a question is open

	mu       sync.Mutex
	plan     bool
	session  []Rule
	approved map[string]string
}

// New returns a gate.
func New(o Options) *Gate {
	if o.Stop == nil {
		o.Stop = errors.New("stopped by the user")
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	p := places{fold: runtime.GOOS == "windows" || runtime.GOOS == "darwin"}
	p.project = p.resolve(filepath.Clean(o.Project))
	for into, folder := range map[*string]string{&p.agentHome: o.AgentHome, &p.userHome: o.UserHome} {
		if folder != "" {
			*into = p.resolve(folder)
		}
	}
	for _, folder := range o.Readable {
		p.readable = append(p.readable, p.resolve(folder))
	}
	return &Gate{o: o, places: p, asking: make(chan struct{}, 1), approved: map[string]string{}}
}

// absolute is a path as it was given.
func (p places) absolute(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.project, path)
	}
	return filepath.Clean(path)
}

// SetPlan turns plan mode on or off: only what reads may run.
func (g *Gate) SetPlan(on bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.plan = on
}

// Planning reports whether plan mode is on.
func (g *Gate) Planning() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.plan
}

// Allow returns nil when a call may run, otherwise why not, in words that the model can act on.
func (g *Gate) Allow(ctx context.Context, call *model.Call) error {
	r, err := g.o.Describe(call)
	if err != nil {
		return err
	}
	return g.Permit(ctx, r)
}

// Permit is Allow for a request.
func (g *Gate) Permit(ctx context.Context, r Request) error {
	d := g.Decide(r)
	if d.Effect == Ask && g.o.Asker != nil {
		select {
		case g.asking <- struct{}{}:
			defer func() { <-g.asking }()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		d = g.Decide(r) // the answer to another question may be one to this
	}
	switch d.Effect {
	case Allow:
		return nil
	case Deny:
		return errors.New(d.Reason)
	}
	if g.o.Asker == nil {
		return g.nobody(r, d)
	}
	return g.ask(ctx, r, d)
}

// nobody is why a call that has to be asked about does not run where nobody can be.
func (g *Gate) nobody(r Request, d Decision) error {
	var flags []string
	for _, rule := range d.Offer {
		flags = append(flags, fmt.Sprintf("--allow '%s'", strings.ReplaceAll(rule.String(), "'", `'\''`)))
	}
	if r.Kind == MCP && !d.Once {
		flags = append(flags, fmt.Sprintf("--allow 'mcp:%s/%s'", r.Server, r.Name))
	}
	if len(flags) == 0 || r.Shadows {
		return errors.New("this needs the user's consent and nobody can be asked here: it was not done (the user can start elyra with --allow-all, which allows everything)")
	}
	return fmt.Errorf("this needs the user's consent and nobody can be asked here: it was not done (the user can start elyra with %s)",
		strings.Join(flags, " "))
}

func (g *Gate) ask(ctx context.Context, r Request, d Decision) error {
	q := Question{Request: r, Warning: d.Warning, Rules: d.Offer, Choices: []Choice{Once}}
	if !d.Once && (len(d.Offer) > 0 || r.Kind == MCP && r.Hash != "") {
		q.Choices = append(q.Choices, Session)
		if r.Kind == MCP && g.o.SaveTool != nil && !r.Shadows || r.Kind != MCP && g.o.SaveRule != nil {
			q.Choices = append(q.Choices, Forever)
		}
	}
	q.Choices = append(q.Choices, No, Stop)
	a, err := g.o.Asker(ctx, q)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("the user could not be asked, so this was not done: %w", err)
	}
	switch {
	case a.Choice == Stop:
		return fmt.Errorf("the user did not allow this: %w", g.o.Stop)
	case a.Choice == Once:
		return nil
	case (a.Choice == Session || a.Choice == Forever) && !d.Once:
		g.remember(ctx, q, a.Choice == Forever)
		return nil
	case a.Text != "":
		return fmt.Errorf("the user did not allow this, and says: %s", a.Text)
	}
	return errors.New("the user did not allow this: do not try it in another way; ask what to do instead, or go on without it")
}

// remember keeps an answer for the session, and with forever in the settings.
func (g *Gate) remember(ctx context.Context, q Question, forever bool) {
	g.mu.Lock()
	if q.Kind == MCP {
		g.approved[q.Identity()] = q.Hash
	} else {
		g.session = append(g.session, q.Rules...)
	}
	g.mu.Unlock()
	if !forever {
		return
	}
	var err error
	switch {
	case q.Kind == MCP && g.o.SaveTool != nil:
		err = g.o.SaveTool(ctx, q.Identity(), q.Hash)
	case q.Kind != MCP && g.o.SaveRule != nil:
		for _, rule := range q.Rules {
			err = errors.Join(err, g.o.SaveRule(ctx, rule.String()))
		}
	}
	if err != nil {
		g.o.Notice(fmt.Sprintf("what you allowed holds for this session only: %v", err))
	}
}
