package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

// Terminal is the device that a person sits at, whatever standard input and output are.
type Terminal interface {
	io.ReadWriteCloser
	SetReadDeadline(time.Time) error // may be refused by a device that knows none
}

// asker puts an app's questions to a person, one at a time.
type asker struct {
	open    func() (Terminal, error)
	notices io.Writer

	mu sync.Mutex
}

// ask puts one question. Without a terminal the answer is no: nobody is there who could say yes.
func (a *asker) ask(ctx context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	decline := mcp.ElicitResult{Action: mcp.ElicitDecline}
	message := visible(strings.TrimSpace(p.Message))
	if fields := arguments(p.RequestedSchema); len(fields) > 0 || p.Mode == mcp.ElicitModeURL {
		fmt.Fprintf(a.notices, "rata: the app asks for more than yes or no, which rata cannot answer, so it declines: %s\n", message)
		return decline, nil
	}
	terminal, err := a.terminal()
	if err != nil {
		fmt.Fprintf(a.notices, "rata: the app asks a question, but there is no terminal to ask it on, so it is declined: %s\n", message)
		return decline, nil
	}
	defer terminal.Close()
	fmt.Fprintf(terminal, "%s\nAllow this? [y/N] ", message)
	line, err := readLine(ctx, terminal)
	if err != nil {
		fmt.Fprintln(terminal)
		return mcp.ElicitResult{Action: mcp.ElicitCancel}, nil
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return mcp.ElicitResult{Action: mcp.ElicitAccept, Content: jsontext.Value(`{}`)}, nil
	}
	return decline, nil
}

func (a *asker) terminal() (Terminal, error) {
	if a.open == nil {
		return nil, errors.New("there is no terminal")
	}
	return a.open()
}

// readLine reads a line until ctx ends. Not every system can wake a read from a terminal. There the
// goroutine that reads outlives this call until a line comes or the process ends; it touches nothing else.
func readLine(ctx context.Context, terminal Terminal) (string, error) {
	type answer struct {
		line string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		line, err := bufio.NewReader(terminal).ReadString('\n')
		answers <- answer{line, err}
	}()
	select {
	case a := <-answers:
		return a.line, a.err
	case <-ctx.Done():
		if terminal.SetReadDeadline(time.Unix(1, 0)) == nil {
			<-answers
		}
		return "", ctx.Err()
	}
}
