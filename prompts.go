package elyra

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/internal/ability"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
	"github.com/elyra-go/elyra/internal/nearest"
	"github.com/elyra-go/elyra/internal/ratelimit"
	"github.com/elyra-go/elyra/internal/wire"
)

// Prompt is the beginning of a conversation that a user chooses in the MCP client, often as a slash
// command, and that the app fills in.
type Prompt struct {
	// Name is lower-case ASCII letters, digits and _, like that of a command.
	Name string
	// Title is the prompt's name for people. Default: the first sentence of Doc.
	Title string
	// Doc says what the prompt is for.
	Doc string
	// Can is the ability that must be granted to agents for the prompt to be offered. Without one it
	// never is.
	Can string
	// Args are what the user fills in, in the order in which a client asks for them.
	Args []PromptArg
	// Run returns the messages of the conversation. args has an entry for each argument that was
	// given; those that are required are there. Its text of an error reaches the client.
	Run func(ctx context.Context, args map[string]string) ([]PromptMessage, error)
}

// PromptArg is a text that a prompt is filled in with.
type PromptArg struct {
	// Name identifies the argument, Doc describes it.
	Name, Doc string
	// Required arguments have to be given.
	Required bool
	// Values are the only values that are allowed; a client offers them while the user types. Nil:
	// any text.
	Values []string
}

// PromptMessage is one message of the conversation that a prompt begins.
type PromptMessage struct {
	// Assistant marks what the model is to have said; the others are the user's.
	Assistant bool
	// Text is the message.
	Text string
}

// Prompt offers a prompt to agents, if its ability is granted.
func (m *MCP) Prompt(p Prompt) *MCP {
	m.prompts = append(m.prompts, p)
	return m
}

// checkPrompts reports mistakes in the declarations of prompts.
func (m *MCP) checkPrompts() error {
	var errs []error
	seen := map[string]bool{}
	for _, p := range m.prompts {
		fail := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("mcp: prompt %q: %s", p.Name, fmt.Sprintf(format, args...)))
		}
		switch {
		case !validName(p.Name):
			fail("a name is lower-case ASCII letters, digits and _, at most 128 and a letter first")
		case seen[p.Name]:
			fail("two prompts have this name")
		}
		seen[p.Name] = true
		if p.Run == nil {
			fail("it has no Run")
		}
		if p.Can != "" {
			if err := ability.Check(p.Can); err != nil {
				fail("%v", err)
			}
		}
		args := map[string]bool{}
		for _, a := range p.Args {
			if a.Name == "" || args[a.Name] {
				fail("its arguments need names that differ, got %q", a.Name)
			}
			args[a.Name] = true
		}
	}
	return errors.Join(errs...)
}

// promptAbilities are the abilities that prompts declare.
func (m *MCP) promptAbilities() (list []string) {
	for _, p := range m.prompts {
		if p.Can != "" {
			list = append(list, p.Can)
		}
	}
	return list
}

// grantedPrompts returns the prompts whose ability is granted, sorted by name.
func (m *MCP) grantedPrompts() (list []*Prompt) {
	for i := range m.prompts {
		if p := &m.prompts[i]; m.grants.Covers(p.Can) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *Prompt) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// projection is the prompt as the protocol describes it.
func (p *Prompt) projection() mcp.Prompt {
	title := p.Title
	if title == "" {
		title = firstSentence(p.Doc)
	}
	shown := mcp.Prompt{Name: p.Name, Title: title, Description: p.Doc}
	for _, a := range p.Args {
		shown.Arguments = append(shown.Arguments, mcp.PromptArgument{Name: a.Name, Description: a.Doc, Required: a.Required})
	}
	return shown
}

// promptCatalog offers the granted prompts.
type promptCatalog struct {
	tools  *toolCatalog
	byName map[string]*grantedPrompt
	names  []string
	list   []mcp.Prompt
}

// grantedPrompt is a prompt with its limit, in the form that activities know.
type grantedPrompt struct {
	*Prompt
	limited *tool
}

// newPromptCatalog returns nil when there is no prompt to offer.
func newPromptCatalog(tools *toolCatalog) *promptCatalog {
	m := tools.instance.app.mcp
	c := &promptCatalog{tools: tools, byName: map[string]*grantedPrompt{}}
	for _, p := range m.grantedPrompts() {
		t := &tool{command: &command{Command: Command{name: p.Name, options: CommandOptions{Can: p.Can, ReadOnly: true}}}}
		t.limitN, t.per = m.limitOf(p.Can)
		t.limit = ratelimit.New(t.limitN, t.per)
		c.byName[p.Name] = &grantedPrompt{p, t}
		c.names = append(c.names, p.Name)
		c.list = append(c.list, p.projection())
	}
	if len(c.names) == 0 {
		return nil
	}
	return c
}

// Prompts implements mcpserver.PromptCatalog.
func (c *promptCatalog) Prompts() []mcp.Prompt { return c.list }

// GetPrompt implements mcpserver.PromptCatalog. The order is that of a call: limit, arguments, Run.
func (c *promptCatalog) GetPrompt(ctx context.Context, call *mcpserver.PromptCall) (*mcp.GetPromptResult, error) {
	p := c.byName[call.Name]
	if p == nil {
		return nil, &mcp.Error{Code: wire.CodeInvalidParams, Message: fmt.Sprintf("unknown prompt %q%s", visible(call.Name, 128), nearest.Hint(call.Name, c.names))}
	}
	done, err := c.tools.instance.enter()
	if err != nil {
		return nil, resourceError(err)
	}
	defer done()
	a := c.tools.begin(kindPrompt, p.limited, call.Peer)
	messages, err := c.admitAndFill(ctx, a, p, call)
	a.finish(ctx, err)
	if err != nil {
		return nil, resourceError(err)
	}
	result := &mcp.GetPromptResult{Description: p.Doc}
	for _, m := range messages {
		role := mcp.RoleUser
		if m.Assistant {
			role = mcp.RoleAssistant
		}
		result.Messages = append(result.Messages, mcp.PromptMessage{Role: role, Content: mcp.Text(m.Text)})
	}
	return result, nil
}

func (c *promptCatalog) admitAndFill(ctx context.Context, a *activity, p *grantedPrompt, call *mcpserver.PromptCall) ([]PromptMessage, error) {
	in := c.tools.instance
	if err := in.admitsAgents(p.limited.command); err != nil {
		return nil, err
	}
	if err := p.limited.throttle(in.env.Now()); err != nil {
		return nil, &mcp.Error{Code: mcp.CodeBusy, Message: err.Error()}
	}
	if problems := p.problems(call.Arguments); len(problems) > 0 {
		return nil, problems
	}
	a.start()
	return in.fill(ctx, p, a.origin, call)
}

// problems is what is wrong with the arguments, by name.
func (p *Prompt) problems(args map[string]string) ValidationError {
	found := ValidationError{}
	known := map[string]bool{}
	var names []string
	for _, a := range p.Args {
		known[a.Name] = true
		names = append(names, a.Name)
		text, given := args[a.Name]
		switch {
		case !given && a.Required:
			found[a.Name] = []string{"is missing"}
		case given && a.Values != nil && !slices.Contains(a.Values, text):
			found[a.Name] = []string{fmt.Sprintf("must be one of %s, got %q", strings.Join(a.Values, ", "), visible(text, nameLimit))}
		}
	}
	for name := range args {
		if !known[name] {
			found[visible(name, nameLimit)] = []string{"is no argument of " + p.Name + nearest.Hint(name, names)}
		}
	}
	return found
}

// fill runs the prompt under the deadline of a call.
func (in *Instance) fill(ctx context.Context, p *grantedPrompt, origin Agent, x *mcpserver.PromptCall) (messages []PromptMessage, err error) {
	tooLong := fmt.Errorf("%s took longer than %v and was stopped", p.Name, agentTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, agentTimeout, tooLong)
	defer cancel()
	r := &Request{Name: p.Name, Origin: origin, TraceParent: x.TraceParent, TraceState: x.TraceState}
	ctx = context.WithValue(database.WithCall(ctx), callKey{}, &call{in, p.limited.command, r, x.Progress})
	err = recovered(func() (err error) {
		messages, err = p.Run(ctx, maps.Clone(x.Arguments))
		return err
	})
	switch {
	case err != nil && errors.Is(context.Cause(ctx), tooLong):
		return nil, tooLong
	case err != nil:
		return nil, in.hide(p.Name, err)
	}
	return messages, nil
}
