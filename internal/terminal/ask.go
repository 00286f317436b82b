package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

// Asker puts servers' questions to a person, one at a time, whichever server they come from.
type Asker struct {
	// Program is the name that notices begin with.
	Program string
	// Open opens the terminal for one question. Nil, or an error: there is none, and questions are declined.
	Open func() (Device, error)
	// Notices gets a line about each question that could not be asked.
	Notices io.Writer
	// Browse opens a web address that the person agreed to. Nil: the address is only shown.
	Browse func(url string) error

	mu sync.Mutex
}

// Ask puts one question of the named server. A form is filled in field by field and shown once more before it is sent.
// The answer is cancel when the person ends the terminal's input or ctx ends, and decline when the person says no or
// nobody can be asked. The error is about a question that cannot be understood.
func (a *Asker) Ask(ctx context.Context, server string, p mcp.ElicitParams) (mcp.ElicitResult, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	message := Visible(strings.TrimSpace(p.Message))
	form, err := parseForm(p.RequestedSchema)
	if err != nil {
		return mcp.ElicitResult{}, fmt.Errorf("the form that %s asks for cannot be shown: %w", server, err)
	}
	device, err := a.device()
	if err != nil {
		fmt.Fprintf(a.Notices, "%s: %s asks a question, but there is no terminal to ask it on, so it is declined: %s\n",
			a.Program, Visible(server), message)
		return mcp.ElicitResult{Action: mcp.ElicitDecline}, nil
	}
	defer device.Close()
	c := &conversation{ctx: ctx, Writer: device, lines: newLines(device)}
	switch {
	case p.Mode == mcp.ElicitModeURL:
		fmt.Fprintf(c, "%s: %s\n", Visible(server), message)
		return c.result(c.web(p.URL, a.Browse))
	case len(form) == 0:
		fmt.Fprintf(c, "%s: %s\n", Visible(server), message)
		yes, err := c.yes("Allow this? [y/N] ")
		return c.result(jsontext.Value(`{}`), yes, err)
	}
	fmt.Fprintf(c, "%s: %s\n", Visible(server), message)
	return c.result(c.fill(form))
}

func (a *Asker) device() (Device, error) {
	if a.Open == nil {
		return nil, errors.New("there is no terminal")
	}
	return a.Open()
}

// conversation is the asking of one question.
type conversation struct {
	io.Writer

	ctx   context.Context
	lines *lines
}

// result makes the answer for the server of what a part of the conversation came to. An error means that the person, or
// whoever waits for the answer, ended it.
func (c *conversation) result(content jsontext.Value, yes bool, err error) (mcp.ElicitResult, error) {
	switch {
	case err != nil:
		fmt.Fprintln(c)
		return mcp.ElicitResult{Action: mcp.ElicitCancel}, nil //nolint:nilerr // The end of the input is the answer.
	case !yes:
		return mcp.ElicitResult{Action: mcp.ElicitDecline}, nil
	}
	return mcp.ElicitResult{Action: mcp.ElicitAccept, Content: content}, nil
}

// read shows a prompt and reads a line, without the spaces around it.
func (c *conversation) read(prompt string) (string, error) {
	fmt.Fprint(c, prompt)
	line, err := c.lines.next(c.ctx)
	return strings.TrimSpace(line), err
}

// yes asks a question that yes and no answer; anything but a clear yes is a no.
func (c *conversation) yes(prompt string) (bool, error) {
	line, err := c.read(prompt)
	if err != nil {
		return false, err
	}
	return isYes(line), nil
}

// Confirm asks a question of this program's own that yes and no answer. Anything but a clear yes is a no. Without a
// terminal, or when its input ends, that is the error.
func (a *Asker) Confirm(ctx context.Context, prompt string) (yes bool, err error) {
	line, err := a.Line(ctx, prompt)
	if err != nil {
		return false, err
	}
	return isYes(line), nil
}

// Line asks for a line of text, without the spaces around it.
func (a *Asker) Line(ctx context.Context, prompt string) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	device, err := a.device()
	if err != nil {
		return "", fmt.Errorf("ask at the terminal: %w", err)
	}
	defer device.Close()
	c := &conversation{ctx: ctx, Writer: device, lines: newLines(device)}
	line, err := c.read(prompt)
	if err != nil {
		return "", fmt.Errorf("ask at the terminal: %w", err)
	}
	return line, nil
}

func isYes(line string) bool {
	switch strings.ToLower(line) {
	case "y", "yes":
		return true
	}
	return false
}
