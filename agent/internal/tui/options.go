package tui

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// Agent is a conversation, such as loop.Agent.
type Agent interface {
	Prompt(ctx context.Context, content ...model.Block) (model.Message, error)
	Steer(content ...model.Block)
	Queue(content ...model.Block)
	Unqueue() []model.Message
	History() []model.Message
	Totals() loop.Totals
}

// State is what the footer shows beside the totals of the conversation.
type State struct {
	Model   string // its name for people
	Context int64  // tokens that fit into it; 0: unknown
	Level   model.Level
	Mode    string // such as "plan", "" for the usual one
	Session string // its name, "" for none
}

// Command is what the user may order with a line that begins with a slash.
type Command struct {
	Name string // without the slash
	Args string // what it takes, for people: "[focus]"
	Help string // a line
	// Complete returns what may stand as argument, nil when that is not known. It is called for each key.
	Complete func(prefix string) []string
	// Run carries it out. It may take its time and ask the user; ctx ends when the user presses escape.
	Run func(ctx context.Context, args string) (Result, error)
	// Anytime says that it may run while the agent works.
	Anytime bool
}

// Result is what a command came to. All of it may be empty.
type Result struct {
	Text   string // Markdown for the user
	Prompt string // said to the model
	// Content is said to the model in the place of Prompt when there is more to say than a text.
	Content []model.Block
	Edit    string // put into the editor
	Agent   Agent  // the conversation from now on; its history is shown
	Quit    bool
}

// Item is one of several things to pick from.
type Item struct {
	ID   string // what Choose is called with
	Name string
	Note string // shown dimmed behind the name
	// Always keeps it in the list whatever is typed to narrow that.
	Always bool
}

// Picker offers things to pick from.
type Picker struct {
	Title  string
	Items  func(ctx context.Context) ([]Item, error)
	Choose func(ctx context.Context, id string) (Result, error)
}

// Outcome is what is shown of a call's result.
type Outcome struct {
	Summary string // one line: "12 lines", "exit 1"
	Diff    string // unified
	Text    string // the rest, folded
}

// Options configure New. Dir, Input, Output and Environ are needed.
type Options struct {
	Dir     string   // the project
	Home    string   // the user's home folder, which paths are shown without; "": none
	Input   *os.File // the keyboard
	Output  *os.File // the screen
	Environ []string

	// Plain shows lines only and redraws nothing, for screen readers and terminals that can do no more. ELYRA_PLAIN=1 and
	// TERM=dumb have the same effect.
	Plain bool

	// Bell rings the terminal's bell when a question comes, and when work has ended that took long.
	Bell bool

	Title   string // the first line, such as the program's name with its version
	Welcome string // Markdown below it

	State    func() State  // nil: nothing is known
	Branch   func() string // of the project's repository; nil: none
	Commands []Command     // beside help, copy, queue and quit; one with the name "rewind" is what esc esc runs
	// More are commands that come and go, beside Commands. It is called for each key. Nil: none.
	More     func() []Command
	Models   *Picker           // /model; nil: there is no choice
	Sessions *Picker           // /resume; nil: there is none
	Keys     map[string]string // keys that run commands: "shift+tab": "/plan"

	// Files lists the project's files with slashes, for @. Nil: none.
	Files func(ctx context.Context) ([]string, error)
	// Content makes what the model gets of what the user wrote: files that are named with @ come along. Nil: the text.
	Content func(text string) ([]model.Block, error)
	// Shell runs a command that the user wrote behind an exclamation mark, and passes on what it prints. What it printed is
	// told the model with the next prompt. Nil: there is no such thing.
	Shell func(ctx context.Context, command string, progress func(text string)) (output string, err error)
	// Describe says in one line for people what a call would do. Nil: its name and arguments.
	Describe func(c *model.Call) string
	// Outcome says what to show of a result. Nil: the beginning of its text.
	Outcome func(c *model.Call, out *loop.Output) Outcome

	Past     []string               // what the user said earlier, oldest first, for the arrow keys
	Remember func(text string)      // stores what the user says; nil: nothing is stored
	Browse   func(url string) error // opens a web address that the user agreed to; nil: it is only shown
	Prompt   string                 // said to the model at the start, or a command; "" for nothing

	Now func() time.Time // nil: time.Now
}

func (o Options) withDefaults() Options {
	if o.State == nil {
		o.State = func() State { return State{} }
	}
	if o.Branch == nil {
		o.Branch = func() string { return "" }
	}
	if o.Content == nil {
		o.Content = func(text string) ([]model.Block, error) { return []model.Block{model.Text(text)}, nil }
	}
	if o.Describe == nil {
		o.Describe = describe
	}
	if o.Outcome == nil {
		o.Outcome = outcome
	}
	if o.Remember == nil {
		o.Remember = func(string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// Question is what the user is asked for an approval.
type Question struct {
	Title   string
	Lines   []string // what it is about
	Diff    string   // unified, what would change; "" for nothing
	Choices []string // the first is chosen by default
}

// ErrDismissed is returned by Ask and Pick when the user turned away from the question with escape.
var ErrDismissed = errors.New("the user turned away from the question")

// ErrClosed is returned by Ask, Pick and Elicit when there is nobody to be asked, before Run and after it.
var ErrClosed = errors.New("the terminal interface is not running")

// ErrNoTerminal is returned by Run when input or output is no terminal.
var ErrNoTerminal = errors.New(`no terminal to talk at: use elyra -p "…" for one answer, or --mode json`)
