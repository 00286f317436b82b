package openai

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/adapter"
)

// chat speaks Chat Completions.
type chat struct {
	options  Options
	exchange *adapter.Exchange
	url      string
}

func (p *chat) Stream(ctx context.Context, r model.Request, on func(model.Event)) (model.Message, error) {
	a := adapter.NewAnswer(p.options.Vendor, r.Model, on)
	if err := r.Validate(); err != nil {
		return a.End(ctx, "", err)
	}
	response, err := p.send(ctx, r)
	if err != nil {
		m, err := a.End(ctx, "", err)
		adapter.NameTool(err, r.Tools)
		return m, err
	}
	defer response.Body.Close()
	reader := chatReader{answer: a, exchange: p.exchange, request: r, ids: map[string]string{}}
	events := ssestream.NewDecoder(response)
	for reader.err == nil && !reader.done && events.Next() {
		reader.event(events.Event().Data)
	}
	err = reader.err
	if err == nil && reader.stop == "" {
		err = events.Err()
	}
	m, err := a.End(ctx, reader.stop, err)
	adapter.NameTool(err, r.Tools)
	return m, err
}

func (p *chat) send(ctx context.Context, r model.Request) (*http.Response, error) {
	body, err := json.Marshal(p.body(r), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, &model.Error{Kind: model.ErrInvalid, Message: fmt.Sprintf("%s: write request: %v", p.options.Vendor, err)}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return nil, &model.Error{Kind: model.ErrInvalid, Message: fmt.Sprintf("%s: the base URL is none: %v", p.options.Vendor, err)}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("User-Agent", "elyra")
	if p.options.Key != "" {
		request.Header.Set("Authorization", "Bearer "+p.options.Key)
	}
	return p.exchange.Do(request)
}

// chatReader turns the events of a stream into an answer.
type chatReader struct {
	answer   *adapter.Answer
	exchange *adapter.Exchange
	request  model.Request
	id       string            // of the answer
	ids      map[string]string // of the call under a key, as the vendor has it
	keys     []string          // of calls, in order
	details  []jsontext.Value  // of thinking, as brokers stream it
	refused  bool
	stop     model.Stop
	done     bool
	err      error
}

func (r *chatReader) event(data []byte) {
	data = bytes.TrimSpace(data)
	if bytes.HasPrefix(data, []byte("[DONE]")) {
		if r.done = true; r.stop == "" {
			r.stop = model.StopEnd // some never give a reason
		}
		return
	}
	var c chunk
	if err := json.Unmarshal(data, &c, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		r.err = fmt.Errorf("an event is no JSON of its kind: %w", err)
		return
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		reason := adapter.ParseReason(c.Error)
		status, _ := strconv.Atoi(reason.Code)
		if status < 400 || status > 599 {
			status = 0
		}
		r.err = r.exchange.Because(status, reason)
		return
	}
	if id, ok := textOf(c.ID); ok {
		r.id = id
	}
	for _, choice := range c.Choices[:min(len(c.Choices), 1)] {
		r.delta(choice.Delta)
		r.count(choice.Usage)
		r.finish(choice.FinishReason)
	}
	r.count(c.Usage)
}

func (r *chatReader) delta(d delta) {
	switch {
	case d.ReasoningContent != "":
		r.think("reasoning_content", d.ReasoningContent)
	case d.Reasoning != "":
		r.think("reasoning", d.Reasoning)
	}
	r.details = append(r.details, d.ReasoningDetails...) // joined when all are here
	for _, p := range d.parts() {
		if p.Thinking != "" {
			r.answer.Thinking("thinking", p.Thinking)
		}
		r.answer.Text("text", p.Text)
	}
	if d.Refusal != "" {
		r.refused = true
		r.answer.Text("text", d.Refusal)
	}
	for i, call := range d.ToolCalls {
		r.call(i, call)
	}
}

// think adds to the thinking and keeps under which name it came: some vendors want it back by the same name.
func (r *chatReader) think(field, text string) {
	r.answer.Thinking("thinking", text)
	r.answer.Sign("thinking", field)
}

// call takes a piece of a call. A piece belongs to the call of its index, unless it has another id: some vendors give all
// calls the same index, and some give none.
func (r *chatReader) call(position int, c callDelta) {
	key := "call0"
	switch {
	case c.Index != nil:
		key = "call" + strconv.Itoa(*c.Index)
	case c.ID == "" && len(r.keys) > 0:
		key = r.keys[len(r.keys)-1]
	default:
		key = "call" + strconv.Itoa(position)
	}
	known := r.answer.HasCall(key)
	if known && c.ID != "" && r.ids[key] != "" && c.ID != r.ids[key] {
		r.answer.EndCall(key, "")
		known = false
	}
	if c.ID != "" {
		r.ids[key] = c.ID
	}
	if !known && c.Function.Name != "" {
		id := r.ids[key]
		if id == "" {
			id = r.madeID()
		}
		r.answer.StartCall(key, id, c.Function.Name)
		r.keys = append(r.keys, key)
	}
	r.answer.Arguments(key, c.arguments())
}

// madeID makes the id of a call that has none, of that of the answer or else of its place in the conversation.
func (r *chatReader) madeID() string {
	if r.id != "" {
		return adapter.ID(fmt.Sprintf("%s.%d", r.id, len(r.keys)))
	}
	return fmt.Sprintf("call_%d_%d", len(r.request.Messages), len(r.keys))
}

// finish takes the reason why the answer ends; usage may still follow.
func (r *chatReader) finish(reason string) {
	if reason == "" {
		return
	}
	for _, key := range r.keys {
		r.answer.EndCall(key, "")
	}
	if len(r.details) > 0 {
		if raw, err := json.Marshal(joinDetails(r.details), json.Deterministic(true)); err == nil {
			r.answer.Opaque("thinking", raw)
		}
	}
	switch reason {
	case "length", "max_tokens", "model_length":
		r.stop = model.StopLength
	case "tool_calls", "function_call":
		r.stop = model.StopCalls
	case "content_filter", "refusal", "safety":
		r.stop = model.StopRefusal
	case "error":
		r.err = &model.Error{Kind: model.ErrServer, Message: r.exchange.Vendor + ": the answer ended by an error"}
	default: // stop, and what may come
		r.stop = model.StopEnd
	}
	if r.refused {
		r.stop = model.StopRefusal
	}
}

func (r *chatReader) count(u *chatUsage) {
	if u == nil {
		return
	}
	read, written := max(u.PromptDetails.Cached, u.CacheHit), u.PromptDetails.CacheWrite
	r.answer.Usage(model.Usage{
		Input: u.Prompt - read - written, Output: u.Completion, CacheRead: read, CacheWrite: written,
		Thinking: u.CompletionDetails.Reasoning,
	})
	if u.Cost != nil {
		r.answer.Cost(*u.Cost)
	}
}
