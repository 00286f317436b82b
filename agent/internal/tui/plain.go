package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/look"
	"github.com/elyra-go/elyra/internal/terminal"
)

// plainWidth is the width of lines that the terminal divides itself.
const plainWidth = 100_000

// plain is the interface of lines only. It shares the state of the one that redraws and paints nothing.
type plain struct {
	*program
	in    io.Reader
	out   io.Writer
	asked asked // what is being asked; nil: nothing
	later []asked

	prompted bool // the last that was written asks for a line
}

func newPlain(ctx context.Context, u *UI, agent Agent, in io.Reader, out io.Writer) *plain {
	p := &plain{in: in, out: out}
	p.program = newProgram(ctx, u, agent, io.Discard)
	p.colors = look.None
	p.width = plainWidth
	p.transcript.width = plainWidth
	return p
}

// run reads lines and writes lines until the input or ctx ends.
func (p *plain) run() error {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	lines := make(chan string)
	failed := make(chan error, 1)
	go func() { failed <- p.read(ctx, lines) }() // Ends with the input; a read from a terminal cannot be woken everywhere.
	p.settle(true)
	p.ready()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case <-interrupts:
			if p.work == nil {
				return nil
			}
			p.cancelWork()
		case line := <-lines:
			if p.line(line) {
				return nil
			}
		case <-p.ui.queue.wake:
			if p.batchPlain(p.ui.queue.take()) {
				return nil
			}
		}
	}
}

func (p *plain) read(ctx context.Context, lines chan<- string) error {
	in := bufio.NewReader(p.in)
	for {
		line, err := in.ReadString('\n')
		if line != "" {
			select {
			case lines <- strings.TrimRight(line, "\r\n"):
			case <-ctx.Done():
				return nil
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read from the terminal: %w", err)
		}
	}
}

// line takes a line of the user's: an answer, or the same as in the editor.
func (p *plain) line(line string) (quit bool) {
	if p.asked != nil {
		p.answer(strings.TrimSpace(line))
		return false
	}
	if len(p.dialogs) > 0 {
		if t, ok := p.dialogs[0].(*talk); ok {
			t.device.answer(line + "\n")
		}
		return false
	}
	p.prompted = false
	p.editor.Set(line)
	cmd := p.enter(true)
	p.ready()
	return cmd != nil
}

// batchPlain takes what has happened.
func (p *plain) batchPlain(items []any) (quit bool) {
	for _, item := range items {
		switch item := item.(type) {
		case loop.Event:
			p.eventPlain(item)
		case question:
			p.put(item)
		case picking:
			p.put(item)
		case talkOutput:
			p.flush()
			fmt.Fprint(p.out, item.text)
		case withdrawn:
			if p.asked != nil && p.asked.id() == item.id {
				fmt.Fprintln(p.out, "\nThe question is not asked any more.")
				p.next()
			}
			p.later = slices.DeleteFunc(p.later, func(q asked) bool { return q.id() == item.id })
			p.withdraw(item.id)
		case commandDone:
			quit = p.commandDone(item) != nil || quit
		case shellProgress:
		default:
			p.batch([]any{item})
		}
	}
	p.ready()
	return quit
}

// eventPlain takes what happens in the conversation; what cannot be shown in its place later is said now.
func (p *plain) eventPlain(e loop.Event) {
	p.event(e)
	if e.Kind == loop.KindCall {
		fmt.Fprintln(p.out, "Running: "+p.transcript.described(e.Call).Plain())
	}
	if p.transcript.retry != "" {
		fmt.Fprintln(p.out, p.transcript.retry)
		p.transcript.retry = ""
	}
}

// put asks a question with numbered answers.
func (p *plain) put(q asked) {
	if p.asked != nil {
		p.later = append(p.later, q)
		return
	}
	p.flush()
	var choices []string
	switch q := q.(type) {
	case question:
		fmt.Fprintln(p.out, "Question: "+terminal.Visible(result.Clean(q.Title)))
		for _, line := range q.Lines {
			fmt.Fprintln(p.out, terminal.Visible(result.Clean(line)))
		}
		if q.Diff != "" {
			fmt.Fprintln(p.out, result.Clean(q.Diff))
		}
		choices = q.Choices
	case picking:
		fmt.Fprintln(p.out, "Question: "+result.OneLine(q.title, 300))
		for _, item := range q.items {
			choices = append(choices, strings.TrimSpace(item.Name+" "+item.Note))
		}
	}
	for i, c := range choices {
		fmt.Fprintf(p.out, "%d. %s\n", i+1, result.OneLine(c, 300))
	}
	fmt.Fprint(p.out, "Number, or an empty line for none: ")
	p.asked = q
}

func (p *plain) answer(line string) {
	most, reply := 0, func(int) {}
	switch q := p.asked.(type) {
	case question:
		most, reply = len(q.Choices), func(n int) { q.reply(n, nil) }
	case picking:
		most, reply = len(q.items), func(n int) { q.reply(n, nil) }
	}
	n, err := strconv.Atoi(line)
	switch {
	case line == "":
		p.asked.refuse(ErrDismissed)
	case err != nil || n < 1 || n > most:
		fmt.Fprintf(p.out, "A number from 1 to %d, or an empty line: ", most)
		return
	default:
		reply(n - 1)
	}
	p.next()
}

// next asks the question that has waited longest.
func (p *plain) next() {
	p.asked = nil
	if len(p.later) > 0 {
		q := p.later[0]
		p.later = p.later[1:]
		p.put(q)
	}
}

// flush writes what is finished.
func (p *plain) flush() {
	lines := p.transcript.take()
	p.prompted = p.prompted && len(lines) == 0 && p.hint == ""
	for _, l := range lines {
		fmt.Fprintln(p.out, l.Plain())
	}
	if p.hint != "" {
		fmt.Fprintln(p.out, p.hint)
		p.hint = ""
	}
}

// ready writes what is finished, and asks for a line when nothing goes on.
func (p *plain) ready() {
	p.flush()
	if p.work == nil && p.asked == nil && len(p.dialogs) == 0 && !p.prompted {
		p.prompted = true
		fmt.Fprint(p.out, "> ")
	}
}
