package tui

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/internal/nearest"
)

// commands are all commands: those of this package, which the given ones replace, and the given ones, by name.
func (p *program) commands() []Command {
	all := slices.Clone(p.o.Commands)
	more := p.own()
	if p.o.More != nil {
		more = append(more, p.o.More()...)
	}
	for _, c := range more {
		if !slices.ContainsFunc(all, func(o Command) bool { return o.Name == c.Name }) {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b Command) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// own are the commands that need nothing but what is at hand here.
func (p *program) own() []Command {
	own := []Command{
		{Name: "help", Help: "commands and keys", Anytime: true, Run: func(context.Context, string) (Result, error) { return Result{Text: p.help()}, nil }},
		{Name: "quit", Help: "leave", Anytime: true, Run: func(context.Context, string) (Result, error) { return Result{Quit: true}, nil }},
	}
	if p.o.Models != nil {
		own = append(own, p.picker("model", "choose the model", *p.o.Models))
	}
	if p.o.Sessions != nil {
		own = append(own, p.picker("resume", "go on with an earlier session", *p.o.Sessions))
	}
	return own
}

func (p *program) find(name string) *Command {
	for _, c := range p.commands() {
		if c.Name == name {
			return &c
		}
	}
	return nil
}

// isCommand reports whether a text orders something. A path at the beginning does not.
func (p *program) isCommand(text string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(text, "/"), " ")
	return strings.HasPrefix(text, "/") && name != "" && !strings.ContainsAny(name, "/\n")
}

// command carries out a line such as "/compact focus".
func (p *program) command(line string) tea.Cmd {
	name, args, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	args = strings.TrimSpace(args)
	switch name { // What has to do with the screen itself.
	case "copy":
		p.copy()
		return nil
	case "queue":
		if args != "" {
			p.tell(args, false)
		}
		return nil
	}
	c := p.find(name)
	if c == nil {
		var names []string
		for _, c := range p.commands() {
			names = append(names, c.Name)
		}
		p.transcript.fail(fmt.Sprintf("there is no command /%s%s", name, nearest.Hint(name, names)))
		return nil
	}
	if p.work != nil {
		if !c.Anytime {
			p.hint = "/" + name + " has to wait until the work has ended; esc stops it"
			p.editor.Set(line)
			return nil
		}
		p.ui.work.Go(func() {
			p.ui.queue.put(guarded(func() any { return p.outcome(p.ctx, *c, args) }))
		})
		return nil
	}
	p.run(*c, args)
	return nil
}

func (p *program) run(c Command, args string) {
	p.begin("/"+c.Name, false, func(ctx context.Context) any { return p.outcome(ctx, c, args) })
}

func (p *program) outcome(ctx context.Context, c Command, args string) commandDone {
	result, err := c.Run(ctx, args)
	return commandDone{c.Name, result, err}
}

func (p *program) commandDone(d commandDone) tea.Cmd {
	if p.work != nil && p.work.name == "/"+d.name {
		p.work = nil
		p.transcript.end()
	}
	switch {
	case errors.Is(d.err, ErrDismissed):
	case errors.Is(d.err, context.Canceled):
		p.transcript.warn("/" + d.name + " was interrupted.")
	case d.err != nil:
		p.transcript.fail(d.err.Error())
	}
	return p.show(d.result)
}

// picker is the command that lets the user pick from what somebody offers.
func (p *program) picker(name, help string, from Picker) Command {
	return Command{Name: name, Args: "[" + name + "]", Help: help, Run: func(ctx context.Context, args string) (Result, error) {
		items, err := from.Items(ctx)
		if err != nil {
			return Result{}, err
		}
		if args != "" {
			for _, i := range items {
				if i.ID == args || strings.EqualFold(i.Name, args) {
					return from.Choose(ctx, i.ID)
				}
			}
			return from.Choose(ctx, args)
		}
		if len(items) == 0 {
			return Result{Text: "There is nothing to choose from."}, nil
		}
		n, err := p.ui.Pick(ctx, from.Title, items)
		if err != nil {
			return Result{}, err
		}
		return from.Choose(ctx, items[n].ID)
	}}
}

// copy puts the model's last answer into the clipboard, by way of the terminal.
func (p *program) copy() {
	history := p.agent.History()
	for i := len(history) - 1; i >= 0; i-- {
		if text := history[i].String(); history[i].Role == model.Assistant && text != "" {
			_ = p.paint.Raw("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x07")
			p.hint = "the last answer was handed to the clipboard"
			return
		}
	}
	p.hint = "there is no answer to copy"
}

// help is the text about commands and keys.
func (p *program) help() string {
	var b strings.Builder
	b.WriteString("**Commands**\n\n")
	line := func(name, args, help string) {
		fmt.Fprintf(&b, "- `/%s` %s\n", strings.TrimSpace(name+" "+args), help)
	}
	line("copy", "", "the last answer into the clipboard")
	line("queue", "text", "say something when the work has ended")
	for _, c := range p.commands() {
		line(c.Name, c.Args, c.Help)
	}
	b.WriteString(`
**Keys**

- ` + "`enter`" + ` sends; while the model works, it hears it before its next step
- ` + "`tab`" + ` completes; while the model works, it queues what is written until the work has ended
- ` + "`shift+enter`, `alt+enter`, `ctrl+j`" + ` or a backslash at the end begin a new line
- ` + "`esc`" + ` interrupts; twice, it edits the last prompt
- ` + "`ctrl+o`" + ` shows at length what was shortened, the latest first
- ` + "`up` and `down`" + ` go through what was written before
- ` + "`ctrl+c`" + ` twice or ` + "`ctrl+d`" + ` quit; ` + "`ctrl+z`" + ` suspends; ` + "`ctrl+l`" + ` draws anew
- ` + "`ctrl+w`, `ctrl+u`, `ctrl+k`, `ctrl+y`, `ctrl+_`" + ` kill a word or a line, bring it back, undo
- ` + "`@`" + ` names a file, ` + "`!`" + ` at the beginning runs a command
`)
	for _, k := range slices.Sorted(maps.Keys(p.o.Keys)) {
		fmt.Fprintf(&b, "- `%s` runs `%s`\n", k, p.o.Keys[k])
	}
	return b.String()
}
