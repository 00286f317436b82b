package mcpserver

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// ErrCannotSample says that the model of the client cannot be asked during a call: the client did
// not declare it, or it is a modern one, which is asked with [InputRequired].
var ErrCannotSample = errors.New("sample: the model of this client cannot be asked during a call")

// Sample asks the model of a legacy client and waits for what it says; the call does not count as
// in flight meanwhile, because clients let their user decide. It fails with [ErrCannotSample] when
// the client cannot be asked. What the model says is as untrusted as anything a client sends.
func (x *Exchange) Sample(ctx context.Context, p mcp.SampleParams) (mcp.SampleResult, error) {
	if x.f == nil || x.Modern() || !x.Capabilities.Samples() {
		return mcp.SampleResult{}, ErrCannotSample
	}
	params, err := json.Marshal(p, json.FormatNilSliceAsNull(false), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return mcp.SampleResult{}, fmt.Errorf("sample: encode the question: %w", err)
	}
	answer, err := x.f.ask(ctx, mcp.MethodSample, wire.OneLine(params))
	if err != nil {
		return mcp.SampleResult{}, fmt.Errorf("sample: %w", err)
	}
	return sampled(answer)
}

// sampled reads the answer to a sampling request. As with elicited, an error of the client must
// not pass for one of ours.
func sampled(m wire.Message) (mcp.SampleResult, error) {
	if m.Error != nil {
		return mcp.SampleResult{}, fmt.Errorf("sample: the client refused: %s", clip(m.Error.Error()))
	}
	var result mcp.SampleResult
	err := decode(m.Result, &result)
	kind := result.Content.Kind()
	if err != nil || result.Role != mcp.RoleAssistant && result.Role != mcp.RoleUser || kind != '{' && kind != '[' {
		return mcp.SampleResult{}, errors.New("sample: the client's answer is malformed")
	}
	return result, nil
}
