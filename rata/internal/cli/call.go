package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/nearest"
	"github.com/elyra-go/elyra/internal/terminal"
)

// maxArguments is the most that is read from standard input, what a server takes in one message.
const maxArguments = 16 << 20

type callCommand struct {
	agentFlags

	Tool      string `arg:"" help:"Name of the tool."`
	Arguments string `arg:"" optional:"" default:"{}" name:"json" help:"Arguments as a JSON object, or - to read them from standard input."`
}

func (c *callCommand) Run(r *run) error {
	arguments, err := c.arguments(r.Stdin)
	if err != nil {
		return err
	}
	return usage(c.connect(r, mcpclient.Options{}, func(ctx context.Context, client *mcpclient.Client) error {
		result, err := client.CallTool(ctx, c.Tool, arguments, mcpclient.CallOptions{Progress: c.progress(r)})
		if err != nil {
			return c.explain(ctx, client, err)
		}
		return show(r, result)
	}))
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
	decoder := jsontext.NewDecoder(strings.NewReader(text))
	value, err := decoder.ReadValue()
	if err == nil {
		value = value.Clone()
		if _, more := decoder.ReadToken(); more != io.EOF {
			err = errors.New("there is more after the first value")
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("they end too early")
	}
	if err != nil {
		return nil, usageError("the arguments are no JSON: %w", err)
	}
	if value.Kind() != '{' {
		return nil, usageError(`the arguments are no JSON object: write them by name, like {"id": 1}`)
	}
	return value, nil
}

func (c *callCommand) progress(r *run) func(done, total float64, message string) {
	if !c.Verbose {
		return nil
	}
	return func(done, total float64, message string) {
		of := ""
		if total > 0 {
			of = fmt.Sprintf(" of %g", total)
		}
		fmt.Fprintf(r.Stderr, "progress: %g%s %s\n", done, of, terminal.Visible(message))
	}
}

// explain adds the nearest name when the tool is none that the app offers.
func (c *callCommand) explain(ctx context.Context, client *mcpclient.Client, err error) error {
	tools, listErr := client.ListTools(ctx)
	if listErr != nil {
		return err
	}
	names := make([]string, len(tools))
	for i, t := range tools {
		if names[i] = t.Name; t.Name == c.Tool {
			return err
		}
	}
	return fmt.Errorf("the app offers no tool %q to agents%s; rata mcp inspect says why not", c.Tool, nearest.Hint(c.Tool, names))
}

// show prints a result: its JSON when it has some, else its text.
func show(r *run, result *mcp.CallToolResult) error {
	var texts []string
	for _, content := range result.Content {
		if content.Type == mcp.ContentText {
			texts = append(texts, content.Text)
		} else {
			texts = append(texts, fmt.Sprintf("[%s %s %s]", content.Type, content.MIMEType, content.URI))
		}
	}
	text := strings.Join(texts, "\n")
	if result.IsError {
		fmt.Fprintln(r.Stderr, terminal.Visible(text))
		return &exitError{code: exitFailed}
	}
	pretty := result.StructuredContent
	if len(pretty) == 0 && jsontext.Value(text).IsValid() {
		pretty = jsontext.Value(text)
	}
	if len(pretty) > 0 {
		pretty = pretty.Clone()
		if err := pretty.Indent(jsontext.WithIndent("  ")); err != nil {
			return fmt.Errorf("read the result: %w", err)
		}
		text = string(pretty)
	}
	_, err := fmt.Fprintln(r.Stdout, terminal.Visible(text))
	return err
}

// visibleWriter passes text on with its control characters made visible.
type visibleWriter struct{ to io.Writer }

func (w visibleWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.to, terminal.Visible(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
