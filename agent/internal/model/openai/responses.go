package openai

import (
	"context"
	stdjson "encoding/json"
	"errors"
	"strconv"

	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/packages/ssestream"
	"github.com/openai/openai-go/v3/responses"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/adapter"
)

// responder speaks the Responses API.
type responder struct {
	vendor   string
	exchange *adapter.Exchange
	service  responses.ResponseService
}

func (p *responder) Stream(ctx context.Context, r model.Request, on func(model.Event)) (model.Message, error) {
	a := adapter.NewAnswer(p.vendor, r.Model, on)
	if err := r.Validate(); err != nil {
		return a.End(ctx, "", err)
	}
	stream := p.service.NewStreaming(ctx, responseParams(r))
	defer stream.Close()
	reader := responseReader{answer: a, exchange: p.exchange}
	for reader.stop == "" && reader.err == nil && stream.Next() {
		reader.event(stream.Current())
	}
	err := reader.err
	if err == nil && reader.stop == "" {
		err = p.failure(stream.Err())
	}
	m, err := a.End(ctx, reader.stop, err)
	adapter.NameTool(err, r.Tools)
	return m, err
}

// failure reads an error that came as an event.
func (p *responder) failure(err error) error {
	var said *ssestream.StreamError
	if !errors.As(err, &said) {
		return err
	}
	return p.exchange.Failure(0, said.Event.Data)
}

// responseReader turns the events of a stream into an answer.
type responseReader struct {
	answer   *adapter.Answer
	exchange *adapter.Exchange
	refused  bool
	stop     model.Stop
	err      error
}

func (r *responseReader) event(e responses.ResponseStreamEventUnion) {
	item := strconv.FormatInt(e.OutputIndex, 10)
	part := item + "." + strconv.FormatInt(e.ContentIndex, 10)
	switch e.Type {
	case "response.output_item.added":
		if e.Item.Type == "function_call" {
			r.answer.StartCall(item, e.Item.CallID, e.Item.Name)
		}
	case "response.output_text.delta":
		r.answer.Text(part, e.Delta)
	case "response.refusal.delta":
		r.refused = true
		r.answer.Text(part, e.Delta)
	case "response.reasoning_summary_part.added":
		if e.SummaryIndex > 0 {
			r.answer.Thinking(item, "\n\n")
		}
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		r.answer.Thinking(item, e.Delta)
	case "response.function_call_arguments.delta":
		r.answer.Arguments(item, e.Delta)
	case "response.output_item.done":
		r.done(item, e.Item)
	case "response.completed", "response.incomplete", "response.failed":
		r.finish(e.Response)
	case "error":
		r.err = r.exchange.Because(0, adapter.Reason{Code: e.Code, Param: e.Param, Message: e.Message})
	}
}

// done takes an item that is complete. One that the vendor itself calls incomplete was cut off.
func (r *responseReader) done(key string, item responses.ResponseOutputItemUnion) {
	switch {
	case item.Type == "function_call" && item.Status != "incomplete":
		r.answer.Namespace(key, item.Namespace)
		r.answer.EndCall(key, item.Arguments.OfString)
	case isSearch(item.Type):
		r.answer.Opaque(key, []byte(item.RawJSON()))
	case item.Type == "reasoning" && item.EncryptedContent != "":
		thought := responses.ResponseReasoningItemParam{
			ID: item.ID, EncryptedContent: param.NewOpt(item.EncryptedContent), Summary: []responses.ResponseReasoningItemSummaryParam{},
		}
		for _, s := range item.Summary {
			thought.Summary = append(thought.Summary, responses.ResponseReasoningItemSummaryParam{Text: s.Text})
		}
		if raw, err := stdjson.Marshal(thought); err == nil {
			r.answer.Opaque(key, raw)
		}
	}
}

func (r *responseReader) finish(response responses.Response) {
	if u := response.Usage; response.JSON.Usage.Valid() {
		read, written := u.InputTokensDetails.CachedTokens, u.InputTokensDetails.CacheWriteTokens
		r.answer.Usage(model.Usage{
			Input: u.InputTokens - read - written, Output: u.OutputTokens, CacheRead: read, CacheWrite: written,
			Thinking: u.OutputTokensDetails.ReasoningTokens,
		})
	}
	reason := response.IncompleteDetails.Reason
	switch {
	case response.Status == "failed":
		e := response.Error
		r.err = r.exchange.Because(0, adapter.Reason{Type: e.Type, Code: string(e.Code), Param: e.Param, Message: e.Message})
	case response.Status == "cancelled":
		r.err = &model.Error{Kind: model.ErrServer, Message: r.exchange.Vendor + ": the vendor cancelled the answer"}
	case r.refused, reason == "content_filter":
		r.stop = model.StopRefusal
	case response.Status == "incomplete":
		r.stop = model.StopLength
	default:
		r.stop = model.StopEnd
	}
}
