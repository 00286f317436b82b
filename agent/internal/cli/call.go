package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/internal/terminal"
)

// maxArguments is the most that is read from standard input, what a server takes in one message.
const maxArguments = 16 << 20

type callCommand struct {
	projectFlags

	Server    string `arg:"" help:"Name of the server."`
	Tool      string `arg:"" help:"Name of the tool, as the server has it."`
	Arguments string `arg:"" optional:"" default:"{}" name:"json" help:"Arguments as a JSON object, or - to read them from standard input."`
	JSON      bool   `name:"json" help:"Print the whole result as JSON."`
}

func (c *callCommand) Run(r *run) error {
	arguments, err := c.arguments(r.Stdin)
	if err != nil {
		return err
	}
	s, err := c.open(r)
	if err != nil {
		return err
	}
	return s.with(func(ctx context.Context, h *host.Host) error {
		got, err := h.Call(ctx, c.Server, c.Tool, arguments, host.CallOptions{Progress: c.progress(r)})
		if err != nil {
			return err
		}
		if c.JSON {
			if err := printJSON(r.Stdout, got); err != nil || !got.IsError {
				return err
			}
			return &exitError{code: exitFailed}
		}
		shown, err := result.Render(got, result.Options{Limits: result.Limits{Bytes: maxArguments, Lines: maxArguments}})
		if err != nil {
			return err
		}
		for _, image := range shown.Images {
			r.say("the result has a picture (%s, %d bytes): --json prints it", image.MIMEType, len(image.Data))
		}
		if got.IsError {
			fmt.Fprintln(r.Stderr, terminal.Visible(shown.Text))
			return &exitError{code: exitFailed}
		}
		_, err = fmt.Fprintln(r.Stdout, terminal.Visible(shown.Text))
		return err
	})
}

// arguments checks the JSON before anything is started.
func (c *callCommand) arguments(stdin io.Reader) (jsontext.Value, error) {
	text := c.Arguments
	if text == "-" {
		all, err := io.ReadAll(io.LimitReader(stdin, maxArguments+1))
		if err != nil {
			return nil, usageError("read the arguments from standard input: %w", err)
		}
		if len(all) > maxArguments {
			return nil, usageError("the arguments on standard input are longer than %d MiB", maxArguments>>20)
		}
		text = string(all)
	}
	value := jsontext.Value(strings.TrimSpace(text))
	if err := value.Compact(); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("they end too early")
		}
		return nil, usageError("the arguments are no JSON: %w", err)
	}
	if value.Kind() != '{' {
		return nil, usageError(`the arguments are no JSON object: write them by name, like {"id": 1}`)
	}
	return value, nil
}

func (c *callCommand) progress(r *run) func(done, total float64, message string) {
	return func(done, total float64, message string) {
		of := ""
		if total > 0 {
			of = fmt.Sprintf(" of %g", total)
		}
		r.say("progress: %g%s %s", done, of, terminal.OneLine(message))
	}
}

// visibleWriter passes text on with its control characters made visible.
type visibleWriter struct{ to io.Writer }

func (w visibleWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.to, terminal.Visible(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
