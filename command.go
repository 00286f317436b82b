package elyra

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/elyra-go/elyra/internal/ability"
)

// Command is a typed function of the app that a window, an agent or a test may call by name. Make
// one with [NewCommand], or let `rata generate` write them from doc comments and directives.
type Command struct {
	name    string
	options CommandOptions
	in, out reflect.Type
	run     func(ctx context.Context, in any) (any, error) // in is a pointer to a value of type in
	err     error
}

// CommandOptions say what a command is. The zero value is a command that only windows may call,
// and that may change anything.
type CommandOptions struct {
	// Can is the ability that a caller needs, such as "customers.view". Without one every window
	// may call the command, and no agent ever may.
	Can string
	// Doc describes the command to the model and in the reference: what it does and when to use
	// it. Its first sentence is shown when the user is asked to confirm.
	Doc string
	// Title is the command's name for people. Default: the first sentence of Doc.
	Title string
	// Live marks a command that only reads, and whose result is pushed again whenever what it
	// read has changed.
	Live bool
	// ReadOnly marks a command that only reads but is not live.
	ReadOnly bool
	// Additive marks a command that creates and never changes or destroys.
	Additive bool
	// Idempotent marks a command for which a repeated call changes nothing more.
	Idempotent bool
	// OpenWorld marks a command that reaches beyond the app, such as the network.
	OpenWorld bool
	// Timeout is how long the command may run. Default: 60 s for an agent, no limit for a window.
	Timeout time.Duration
	// Types are the doc comments of the types in the command's arguments and result.
	Types TypeDocs
}

// None is the result of a command that returns nothing: the empty JSON object.
type None struct{}

// TypeDocs documents types by the path of their package, a dot and their name without type
// arguments: "example.com/crm/customers.CustomerInput".
type TypeDocs map[string]TypeDoc

// TypeDoc is what the source says about one type and reflection cannot.
type TypeDoc struct {
	// Doc is the type's doc comment.
	Doc string
	// Fields holds the comments of a struct's fields, by Go field name.
	Fields map[string]string
	// Enum holds the constants declared of the type, which are then its only valid values.
	Enum []any
}

// validName reports whether name may name a command: it is then a valid tool name in every revision
// of the protocol, too.
func validName(name string) bool {
	if name == "" || len(name) > maxName || name[0] < 'a' || name[0] > 'z' || strings.HasSuffix(name, "_") || strings.Contains(name, "__") {
		return false
	}
	other := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' }
	return !strings.ContainsFunc(name, other)
}

// maxName is half of what the protocol allows: clients put a prefix before a tool's name.
const maxName = 64

// NewCommand returns the command name, which runs fn. In is a struct whose exported fields are the
// arguments, each under its JSON name; Out is anything that has a JSON form, or [None]. A mistake in
// the declaration is reported by [App.Start].
func NewCommand[In, Out any](name string, fn func(context.Context, In) (Out, error), o CommandOptions) Command {
	c := Command{
		name: name, options: o, in: reflect.TypeFor[In](), out: reflect.TypeFor[Out](),
		run: func(ctx context.Context, in any) (any, error) { return fn(ctx, *in.(*In)) },
	}
	c.err = c.check(fn == nil)
	return c
}

// Name returns the name that callers use.
func (c Command) Name() string { return c.name }

func (c Command) check(noFunc bool) error {
	var errs []error
	if !validName(c.name) {
		errs = append(errs, fmt.Errorf("a name is snake_case of ASCII letters and digits, a letter first and at most %d", maxName))
	}
	if noFunc {
		errs = append(errs, errors.New("the function is nil"))
	}
	if c.in.Kind() != reflect.Struct {
		errs = append(errs, fmt.Errorf("the argument type %s is no struct: its fields are the arguments", c.in))
	}
	if o := c.options; o.Can != "" {
		if err := ability.Check(o.Can); err != nil {
			errs = append(errs, err)
		}
	}
	if o := c.options; o.Additive && (o.Live || o.ReadOnly) {
		errs = append(errs, errors.New("it cannot both create (Additive) and only read (Live, ReadOnly)"))
	}
	if c.options.Timeout < 0 {
		errs = append(errs, fmt.Errorf("timeout %v is negative", c.options.Timeout))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("command %q: %w", c.name, err)
	}
	return nil
}

// readOnly reports whether the command promises to change nothing.
func (c Command) readOnly() bool { return c.options.Live || c.options.ReadOnly }

// summary is the first sentence of the doc comment without its leading Go identifier, capitalised:
// "Store adds a customer. Use it …" → "Adds a customer".
func (c Command) summary() string {
	s := firstSentence(c.options.Doc)
	word, rest, _ := strings.Cut(s, " ")
	last := c.name[strings.LastIndexByte(c.name, '_')+1:]
	if rest != "" && (strings.EqualFold(strings.ReplaceAll(c.name, "_", ""), word) || strings.EqualFold(last, word)) {
		s = strings.ToUpper(rest[:1]) + rest[1:]
	}
	return s
}

// title is what people read in place of the name.
func (c Command) title() string {
	if c.options.Title != "" {
		return c.options.Title
	}
	return c.summary()
}

// firstSentence returns the text up to the first full stop that ends a sentence, or the first
// paragraph, with line breaks folded and the full stop dropped.
func firstSentence(doc string) string {
	paragraph, _, _ := strings.Cut(strings.TrimSpace(doc), "\n\n")
	s := strings.Join(strings.Fields(paragraph), " ")
	for i := range len(s) {
		if s[i] == '.' && (i+1 == len(s) || s[i+1] == ' ') && !strings.HasSuffix(s[:i], "e.g") && !strings.HasSuffix(s[:i], "i.e") {
			return s[:i]
		}
	}
	return s
}

// argumentName is the JSON name of an argument: that of its tag, or the field's own.
func argumentName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		return f.Name
	}
	return name
}
