package mcpserver

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// maxCompletions is how many values an answer may have.
const maxCompletions = 100

// Completer knows what may be meant by the beginning of an argument. Its method is called
// concurrently.
type Completer interface {
	// Complete returns the values that may be meant, the best first, all of them: the server
	// cuts a long list. An error that is a *wire.Error reaches the client as that, any other
	// as an internal error.
	Complete(ctx context.Context, q *CompletionQuery) ([]string, error)
}

// CompletionQuery is what was typed so far.
type CompletionQuery struct {
	Peer
	// Ref names the prompt or the resource template.
	Ref mcp.CompletionRef
	// Argument is the argument's name and Value the beginning that was typed.
	Argument, Value string
	// Others are the arguments that were filled in before.
	Others map[string]string
}

// completion accepts a request for completions.
func (c *conn) completion(r *request) *wire.Error {
	q := &CompletionQuery{Peer: r.peer}
	var argument struct {
		Name  *string `json:"name"`
		Value *string `json:"value"`
	}
	var given struct {
		Arguments jsontext.Value `json:"arguments"`
	}
	if err := r.params.into("ref", &q.Ref); err != nil {
		return err
	}
	if err := r.params.into("argument", &argument); err != nil {
		return err
	}
	if err := r.params.into("context", &given); err != nil {
		return err
	}
	if argument.Name == nil || argument.Value == nil || q.Ref.Type != mcp.RefPrompt && q.Ref.Type != mcp.RefResource {
		return wire.Errorf(wire.CodeInvalidParams, `%s needs params.ref, of type %q or %q, and params.argument with name and value`, r.method, mcp.RefPrompt, mcp.RefResource)
	}
	q.Argument, q.Value = *argument.Name, *argument.Value
	if given.Arguments != nil {
		var err *wire.Error
		if q.Others, err = (params{{[]byte("arguments"), given.Arguments}}).texts("arguments"); err != nil {
			return err
		}
	}
	return c.launch(r, func(f *flight) []byte {
		return c.answerFor(f, asked{"completion", q.Ref.Name + q.Ref.URI, func(ctx context.Context) ([]byte, error) {
			values, err := c.s.o.Completer.Complete(ctx, q)
			if err != nil {
				return nil, err
			}
			return encodeCompletion(values)
		}})
	})
}

// encodeCompletion encodes the members of the result.
func encodeCompletion(values []string) ([]byte, error) {
	found := mcp.Completion{Values: values, Total: len(values)}
	if len(values) > maxCompletions {
		found.Values, found.HasMore = values[:maxCompletions], true
	}
	encoded, err := json.Marshal(found, jsontext.AllowInvalidUTF8(true), json.FormatNilSliceAsNull(false))
	if err != nil {
		return nil, err
	}
	return append([]byte(`"completion":`), wire.OneLine(encoded)...), nil
}
