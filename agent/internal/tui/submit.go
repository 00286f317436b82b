package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
)

// enter takes what is written: a command, a line for the shell, or something for the model. While the model works, it hears
// it before its next step, or when it is done if steer is false.
func (p *program) enter(steer bool) tea.Cmd {
	if p.editor.EscapedNewline() {
		return nil
	}
	text := strings.TrimSpace(p.editor.Value())
	if text == "" {
		return nil
	}
	p.editor.Remember(text)
	p.o.Remember(text)
	p.editor.Reset()
	p.menu.close()
	switch {
	case p.isCommand(text):
		return p.command(text)
	case strings.HasPrefix(text, "!") && p.o.Shell != nil && len(text) > 1:
		p.shell(strings.TrimSpace(text[1:]))
	default:
		p.tell(text, steer)
	}
	return nil
}

// begin starts work for the user. Do returns what the program loop is told when it has ended.
func (p *program) begin(name string, prompt bool, do func(ctx context.Context) any) {
	ctx, cancel := context.WithCancel(p.ctx)
	p.work = &work{name: name, cancel: cancel, since: p.o.Now(), prompt: prompt}
	p.ui.work.Go(func() {
		defer cancel()
		p.ui.queue.put(guarded(func() any { return do(ctx) }))
	})
}

// guarded turns a fault of what was started into a message: a program that dies would leave the terminal as it is.
func guarded(do func() any) (told any) {
	defer func() {
		if r := recover(); r != nil {
			told = faulted{fmt.Errorf("a fault of the program: %v", r)}
		}
	}()
	return do()
}

func (p *program) faulted(err error) {
	p.transcript.end()
	p.transcript.fail(err.Error())
	p.work, p.said = nil, nil
}

func (p *program) cancelWork() {
	if p.work != nil {
		p.work.cancel()
	}
}

// prompt gives the model something to do.
func (p *program) prompt(text string) {
	content, err := p.content(text)
	if err != nil {
		p.transcript.fail(err.Error())
		p.editor.Set(text)
		return
	}
	p.ask(content)
}

// ask gives the model content to work on.
func (p *program) ask(content []model.Block) {
	agent := p.agent
	p.begin("Working", true, func(ctx context.Context) any {
		_, err := agent.Prompt(ctx, content...)
		return promptDone{err}
	})
}

// say tells the model something while it works.
func (p *program) say(text string, steer bool) {
	content, err := p.content(text)
	if err != nil {
		p.transcript.fail(err.Error())
		p.editor.Set(text)
		return
	}
	if steer {
		p.agent.Steer(content...)
	} else {
		p.agent.Queue(content...)
	}
	p.said = append(p.said, said{text, steer})
}

// promptDone tells how the work ended. What was said and not heard is said now when it came just too late, and goes back
// into the editor when the work was broken off.
func (p *program) promptDone(err error) {
	p.transcript.end()
	if p.o.Now().Sub(p.work.since) >= bellTime {
		p.bell()
	}
	p.work = nil
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled) || errors.Is(err, loop.ErrStop):
		p.transcript.warn("Interrupted.")
	default:
		p.transcript.fail(err.Error())
	}
	late := p.agent.Unqueue()
	if err == nil && len(late) > 0 {
		var content []model.Block
		for _, m := range late {
			content = append(content, m.Content...)
		}
		p.ask(content)
		return
	}
	var back []string
	for range late {
		if len(p.said) > 0 {
			back = append(back, p.said[0].text)
			p.said = p.said[1:]
		}
	}
	p.said = nil
	if len(back) > 0 {
		if !p.editor.Empty() {
			back = append(back, p.editor.Value())
		}
		p.editor.Set(strings.Join(back, "\n"))
	}
}

// rewind brings back the last prompt.
func (p *program) rewind() {
	if p.agent == nil {
		return
	}
	if c := p.find("rewind"); c != nil {
		p.run(*c, "")
		return
	}
	history := p.agent.History()
	for i := len(history) - 1; i >= 0; i-- {
		if text := history[i].String(); history[i].Role == model.User && text != "" {
			p.editor.Set(text)
			return
		}
	}
	p.hint = "there is no prompt to edit"
}

// maxShell bounds what the model is told of a command of the user's.
const maxShell = 30_000

type shellProgress string

// shell runs a command of the user's.
func (p *program) shell(command string) {
	if p.work != nil {
		p.hint = "a command has to wait until the work has ended"
		p.editor.Set("!" + command)
		return
	}
	p.transcript.put(speech, cells.Cut(cells.Join(p.look.Warn.Text("! "), p.look.Bold.Text(strings.ReplaceAll(command, "\n", " "))), p.width))
	p.transcript.last = shortCall
	call := &model.Call{ID: "!", Name: "!", Raw: command}
	p.transcript.event(loop.Event{Kind: loop.KindCall, Call: call})
	p.begin("Running", false, func(ctx context.Context) any {
		output, err := p.o.Shell(ctx, command, func(text string) { p.ui.queue.put(shellProgress(text)) })
		return shellDone{command, output, err}
	})
}

func (p *program) shellProgress(text string) { p.transcript.progress(&model.Call{ID: "!"}, text) }

func (p *program) shellDone(d shellDone) {
	p.work = nil
	p.transcript.end()
	output := strings.TrimRight(d.output, "\n")
	p.transcript.shellOutput(output)
	if d.err != nil {
		p.transcript.fail(d.err.Error())
		output += "\n" + d.err.Error()
	}
	if len(output) > maxShell {
		output = strings.ToValidUTF8(output[:maxShell], "") + "\n(cut off)"
	}
	p.shells = append(p.shells, "The user ran this command:\n$ "+d.command+"\n"+output)
}

// show takes what a command came to.
func (p *program) show(r Result) tea.Cmd {
	if r.Agent != nil {
		p.agent = r.Agent
		p.said, p.shells = nil, nil
		p.transcript.put(speech, p.look.Dim.Text(strings.Repeat("─", min(p.width, 40))))
		p.transcript.history(r.Agent.History())
	}
	if r.Text != "" {
		p.transcript.markdown(r.Text)
	}
	if r.Edit != "" {
		p.editor.Set(r.Edit)
	}
	if r.Quit {
		return tea.Quit
	}
	switch {
	case r.Content != nil && p.work == nil:
		p.ask(r.Content)
	case r.Content != nil:
		p.agent.Queue(r.Content...)
		p.said = append(p.said, said{model.Message{Content: r.Content}.String(), false})
	case r.Prompt != "":
		p.tell(r.Prompt, true)
	}
	return nil
}

// tell gives the model something to do, now or as soon as it can hear it.
func (p *program) tell(text string, steer bool) {
	switch {
	case p.work == nil:
		p.prompt(text)
	case p.work.prompt:
		p.say(text, steer)
	default:
		p.hint = p.work.name + " is still running; esc stops it"
		p.editor.Set(text)
	}
}
