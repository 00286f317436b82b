package mcptools

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
)

const callSchema = `{"type":"object","properties":{` +
	`"server":{"type":"string"},"tool":{"type":"string"},` +
	`"arguments":{"type":"object","description":"as the tool's input schema says"}` +
	`},"required":["server","tool"],"additionalProperties":false}`

type callTool struct{ o Options }

// callArguments are those of mcp_call.
type callArguments struct {
	Server    string         `json:"server"`
	Tool      string         `json:"tool"`
	Arguments jsontext.Value `json:"arguments"`
}

func (a callArguments) object() jsontext.Value {
	if len(a.Arguments) == 0 || a.Arguments.Kind() == 'n' {
		return jsontext.Value(`{}`)
	}
	return a.Arguments
}

func (t *callTool) Spec() model.Tool {
	return model.Tool{Name: CallName, Description: strings.TrimSpace(callPrompt), InputSchema: jsontext.Value(callSchema)}
}

// Concurrent is false: what a server does is not known.
func (*callTool) Concurrent(jsontext.Value) bool { return false }

// Subject tells which tool of which server is meant.
func (t *callTool) Subject(arguments jsontext.Value) (Subject, bool) {
	var args callArguments
	if decode(arguments, &args) != nil || args.Server == "" || args.Tool == "" {
		return Subject{}, false
	}
	return subject(t.o.Host, args.Server, args.Tool, args.object()), true
}

func (t *callTool) Run(ctx context.Context, c *model.Call, progress func(string)) (loop.Output, error) {
	var args callArguments
	if err := decode(c.Arguments, &args); err != nil {
		return failed(fmt.Sprintf("the arguments do not fit: %v", err)), nil
	}
	if args.object().Kind() != '{' {
		return failed(`"arguments" is no JSON object: write the tool's arguments by name`), nil
	}
	return call(ctx, t.o, args.Server, args.Tool, args.object(), progress), nil
}

// subject looks a tool up in what is known.
func subject(h *host.Host, server, tool string, arguments jsontext.Value) Subject {
	s := Subject{Server: server, Tool: tool, Arguments: arguments}
	if known, ok := h.Known(server, tool); ok {
		s.Hash = known.Hash
		s.ReadOnly = known.Annotations != nil && known.Annotations.ReadOnlyHint != nil && *known.Annotations.ReadOnlyHint
	}
	return s
}

// call runs a tool of a server and makes the result for the model.
func call(ctx context.Context, o Options, server, tool string, arguments jsontext.Value, progress func(string)) loop.Output {
	options := host.CallOptions{Progress: func(done, total float64, message string) {
		text := fmt.Sprintf("%g", done)
		if total > 0 {
			text = fmt.Sprintf("%g of %g", done, total)
		}
		progress(strings.TrimSpace(text + " " + result.OneLine(result.Clean(message), 200)))
	}}
	got, err := o.Host.Call(ctx, server, tool, arguments, options)
	if err != nil {
		return failed(result.Clean(err.Error()))
	}
	var schema jsontext.Value
	if known, ok := o.Host.Known(server, tool); ok {
		schema = known.OutputSchema
	}
	shown, err := result.Render(got, result.Options{Folder: o.Results, OutputSchema: schema})
	out := loop.Output{IsError: shown.IsError, Details: shown}
	text := data("result", attribute("server", result.Clean(server))+attribute("tool", result.Clean(tool)), shown.Text)
	if shown.Warning != "" {
		text += "\n" + shown.Warning
	}
	if err != nil {
		text += "\n" + err.Error()
	}
	out.Content = append(out.Content, model.Text(text))
	for _, image := range shown.Images {
		out.Content = append(out.Content, model.Block{Image: &model.Image{MIMEType: image.MIMEType, Data: image.Data}})
	}
	return out
}
