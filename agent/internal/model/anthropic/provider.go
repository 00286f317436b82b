// Package anthropic speaks Anthropic's Messages API, to Anthropic and to those who offer the same.
//
// It promises what package adapter does. The SDK reads no environment here and sends nothing twice: model.Retry does.
// It must not import other adapters.
package anthropic

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/adapter"
)

// Options say whom to speak to.
type Options struct {
	Vendor  string            // names the vendor in messages and in Thinking.Provider
	BaseURL string            // without /v1
	Key     string            // "": none is sent
	HTTP    *http.Client      // nil: the default transport, which obeys the environment's proxies
	Headers map[string]string // set on every request
	Idle    time.Duration     // how long the server may be silent; 0: adapter.DefaultIdle
}

// New returns a provider.
func New(o Options) model.Provider {
	headers := map[string]string{}
	if o.Vendor != "anthropic" {
		// The others offer the API as it was, with the key where it was.
		headers["anthropic-version"] = "2023-06-01"
		if o.Key != "" {
			headers["x-api-key"] = o.Key
		}
	}
	maps.Copy(headers, o.Headers)
	x := &adapter.Exchange{Vendor: o.Vendor, Key: o.Key, HTTP: o.HTTP, Idle: o.Idle, Header: headers}
	base := strings.TrimSuffix(strings.TrimRight(o.BaseURL, "/"), "/v1")
	settings := []option.RequestOption{option.WithBaseURL(base), option.WithHTTPClient(x), option.WithMaxRetries(0)}
	if o.Key != "" {
		settings = append(settings, option.WithAPIKey(o.Key))
	}
	return &provider{options: o, exchange: x, service: sdk.NewMessageService(settings...)}
}

type provider struct {
	options  Options
	exchange *adapter.Exchange
	service  sdk.MessageService
}

func (p *provider) Stream(ctx context.Context, r model.Request, on func(model.Event)) (model.Message, error) {
	a := adapter.NewAnswer(p.options.Vendor, r.Model, on)
	if err := r.Validate(); err != nil {
		return a.End(ctx, "", err)
	}
	stream := p.service.NewStreaming(ctx, p.params(r))
	defer stream.Close()
	reader := reader{answer: a, opaque: map[string]*opaque{}}
	for !reader.ended && stream.Next() {
		reader.event(stream.Current())
	}
	err := stream.Err()
	if reader.stop != "" {
		err = nil // all of the answer is here
	}
	m, err := a.End(ctx, reader.stop, p.failure(err))
	adapter.NameTool(err, r.Tools)
	return m, err
}

// failure reads the error event of a stream.
func (p *provider) failure(err error) error {
	var said *sdk.Error
	if !errors.As(err, &said) {
		return err
	}
	e := p.exchange.Failure(0, []byte(said.RawJSON()))
	if e.RequestID == "" {
		e.RequestID = adapter.Plain(said.RequestID, 128)
	}
	return e
}

// reader turns the events of a stream into an answer.
type reader struct {
	answer *adapter.Answer
	opaque map[string]*opaque
	usage  model.Usage
	stop   model.Stop
	ended  bool
}

// opaque is a block that only the vendor understands, and the input that it streams for it.
type opaque struct {
	raw   string
	input strings.Builder
}

func (r *reader) event(e sdk.MessageStreamEventUnion) {
	key := strconv.FormatInt(e.Index, 10)
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		r.usage = model.Usage{
			Input: u.InputTokens, Output: u.OutputTokens, CacheRead: u.CacheReadInputTokens, CacheWrite: u.CacheCreationInputTokens,
		}
		r.answer.Usage(r.usage)
	case "content_block_start":
		r.begin(key, e.ContentBlock)
	case "content_block_delta":
		r.more(key, e.Delta)
	case "content_block_stop":
		r.answer.EndCall(key, "")
		r.close(key)
	case "message_delta":
		r.count(e.Usage)
		if reason := string(e.Delta.StopReason); reason != "" {
			r.stop = stopOf(reason)
		}
	case "message_stop":
		r.ended = true
	}
}

func (r *reader) begin(key string, b sdk.ContentBlockStartEventContentBlockUnion) {
	switch b.Type {
	case "text":
		r.answer.Text(key, b.Text)
	case "thinking":
		r.answer.Thinking(key, b.Thinking)
		r.answer.Sign(key, b.Signature)
	case "tool_use":
		r.answer.StartCall(key, b.ID, b.Name)
		// Some who offer the same API send the arguments here and not in pieces.
		if whole := strings.TrimSpace(b.JSON.Input.Raw()); whole != "" && whole != "{}" && whole != "null" {
			r.answer.Arguments(key, whole)
		}
	default:
		r.opaque[key] = &opaque{raw: b.RawJSON()}
	}
}

func (r *reader) more(key string, d sdk.MessageStreamEventUnionDelta) {
	switch d.Type {
	case "text_delta":
		r.answer.Text(key, d.Text)
	case "thinking_delta":
		r.answer.Thinking(key, d.Thinking)
	case "signature_delta":
		r.answer.Sign(key, d.Signature)
	case "input_json_delta":
		if o := r.opaque[key]; o != nil {
			o.input.WriteString(d.PartialJSON)
			return
		}
		r.answer.Arguments(key, d.PartialJSON)
	}
}

// close keeps an opaque block that is whole.
func (r *reader) close(key string) {
	o := r.opaque[key]
	if o == nil {
		return
	}
	delete(r.opaque, key)
	r.answer.Opaque(key, o.block())
}

// count takes the later numbers of usage, which are totals; those that are missing stay.
func (r *reader) count(u sdk.MessageDeltaUsage) {
	for _, n := range []struct {
		to    *int64
		value int64
	}{
		{&r.usage.Input, u.InputTokens},
		{&r.usage.Output, u.OutputTokens},
		{&r.usage.CacheRead, u.CacheReadInputTokens},
		{&r.usage.CacheWrite, u.CacheCreationInputTokens},
		{&r.usage.Thinking, u.OutputTokensDetails.ThinkingTokens},
	} {
		if n.value > 0 {
			*n.to = n.value
		}
	}
	r.answer.Usage(r.usage)
}

func stopOf(reason string) model.Stop {
	switch reason {
	case "tool_use":
		return model.StopCalls
	case "max_tokens", "model_context_window_exceeded":
		return model.StopLength
	case "refusal":
		return model.StopRefusal
	}
	return model.StopEnd // end_turn, stop_sequence, and what may come
}
