package modeltest

import (
	"fmt"
	"strings"
)

// total is what went in, however it was billed.
func (e event) total() int64 { return e.usage["input"] + e.usage["read"] + e.usage["write"] }

func usageOf(events []event) event { return events[len(events)-2] }

func messagesReply(w *writer, events []event) {
	u := usageOf(events)
	input := fmt.Sprintf(`"input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d`,
		u.usage["input"], u.usage["read"], u.usage["write"])
	w.event(`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],`+
		`"stop_reason":null,"stop_sequence":null,"usage":{%s,"output_tokens":1}}}`, input)
	w.event(`{"type":"ping"}`)
	index := 0
	block := func(start string, deltas []string) {
		w.event(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, start)
		for _, d := range deltas {
			w.event(`{"type":"content_block_delta","index":%d,"delta":%s}`, index, d)
		}
		w.event(`{"type":"content_block_stop","index":%d}`, index)
		index++
	}
	for _, e := range events {
		switch e.kind {
		case "text":
			block(`{"type":"text","text":""}`, each(e.text, `{"type":"text_delta","text":%s}`))
		case "thinking":
			deltas := append(each(e.text, `{"type":"thinking_delta","thinking":%s}`), `{"type":"signature_delta","signature":"c2lnbmVk"}`)
			block(`{"type":"thinking","thinking":"","signature":""}`, deltas)
		case "call":
			block(fmt.Sprintf(`{"type":"tool_use","id":%s,"name":%s,"input":{}}`, quote(e.id), quote(e.name)),
				append([]string{`{"type":"input_json_delta","partial_json":""}`}, each(e.text, `{"type":"input_json_delta","partial_json":%s}`)...))
		case "usage":
		case "stop":
			reason := map[string]string{"end": "end_turn", "calls": "tool_use", "length": "max_tokens", "refusal": "refusal"}[e.text]
			if reason == "" {
				reason = e.text
			}
			w.event(`{"type":"message_delta","delta":{"stop_reason":%s,"stop_sequence":null},"usage":{"output_tokens":%d,`+
				`"output_tokens_details":{"thinking_tokens":%d}}}`, quote(reason), u.usage["output"], u.usage["thinking"])
			w.event(`{"type":"message_stop"}`)
		default:
			w.steps = append(w.steps, e.step)
		}
	}
}

func each(text, format string) []string {
	var all []string
	for _, p := range pieces(text) {
		all = append(all, fmt.Sprintf(format, quote(p)))
	}
	return all
}

func responsesReply(w *writer, events []event) {
	w.event(`{"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress","model":"m","output":[]}}`)
	stop := events[len(events)-1].text
	index := 0
	for i, e := range events {
		last := i == len(events)-3
		switch e.kind {
		case "text":
			w.event(`{"type":"response.output_item.added","output_index":%d,"item":{"type":"message","id":"msg_%d","role":"assistant","status":"in_progress","content":[]}}`, index, index)
			kind := "output_text"
			if stop == "refusal" {
				kind = "refusal"
			}
			for _, p := range pieces(e.text) {
				w.event(`{"type":"response.%s.delta","output_index":%d,"content_index":0,"item_id":"msg_%d","delta":%s}`, kind, index, index, quote(p))
			}
			w.event(`{"type":"response.output_item.done","output_index":%d,"item":{"type":"message","id":"msg_%d","role":"assistant","status":"completed","content":[]}}`, index, index)
			index++
		case "thinking":
			w.event(`{"type":"response.output_item.added","output_index":%d,"item":{"type":"reasoning","id":"rs_%d","summary":[]}}`, index, index)
			for _, p := range pieces(e.text) {
				w.event(`{"type":"response.reasoning_summary_text.delta","output_index":%d,"summary_index":0,"item_id":"rs_%d","delta":%s}`, index, index, quote(p))
			}
			w.event(`{"type":"response.output_item.done","output_index":%d,"item":{"type":"reasoning","id":"rs_%d","summary":[{"type":"summary_text","text":%s}],"encrypted_content":"c2VjcmV0"}}`, index, index, quote(e.text))
			index++
		case "call":
			w.event(`{"type":"response.output_item.added","output_index":%d,"item":{"type":"function_call","id":"fc_%d","call_id":%s,"name":%s,"arguments":"","status":"in_progress"}}`, index, index, quote(e.id), quote(e.name))
			for _, p := range pieces(e.text) {
				w.event(`{"type":"response.function_call_arguments.delta","output_index":%d,"item_id":"fc_%d","delta":%s}`, index, index, quote(p))
			}
			status := "completed"
			if stop == "length" && last {
				status = "incomplete"
			}
			w.event(`{"type":"response.output_item.done","output_index":%d,"item":{"type":"function_call","id":"fc_%d","call_id":%s,"name":%s,"arguments":%s,"status":%s}}`, index, index, quote(e.id), quote(e.name), quote(e.text), quote(status))
			index++
		case "usage":
		case "stop":
			responsesStop(w, e, usageOf(events))
		default:
			w.steps = append(w.steps, e.step)
		}
	}
}

func responsesStop(w *writer, stop, u event) {
	usage := fmt.Sprintf(`{"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d,"cache_write_tokens":%d},"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":%d},"total_tokens":%d}`,
		u.total(), u.usage["read"], u.usage["write"], u.usage["output"], u.usage["thinking"], u.total()+u.usage["output"])
	if stop.text == "length" {
		w.event(`{"type":"response.incomplete","response":{"id":"resp_1","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[],"usage":%s}}`, usage)
		return
	}
	w.event(`{"type":"response.completed","response":{"id":"resp_1","status":"completed","output":[],"usage":%s}}`, usage)
}

func chatReply(w *writer, events []event) {
	chunk := func(delta, finish string) {
		w.event(`{"id":"chatcmpl-1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`, delta, finish)
	}
	chunk(`{"role":"assistant","content":""}`, "null")
	calls := 0
	for _, e := range events {
		switch e.kind {
		case "text":
			for _, d := range each(e.text, `{"content":%s}`) {
				chunk(d, "null")
			}
		case "thinking":
			for _, d := range each(e.text, `{"reasoning_content":%s}`) {
				chunk(d, "null")
			}
		case "call":
			chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":%s,"type":"function","function":{"name":%s,"arguments":""}}]}`, calls, quote(e.id), quote(e.name)), "null")
			for _, p := range pieces(e.text) {
				chunk(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]}`, calls, quote(p)), "null")
			}
			calls++
		case "usage":
		case "stop":
			reason := map[string]string{"end": "stop", "calls": "tool_calls", "length": "length", "refusal": "content_filter"}[e.text]
			if reason == "" {
				reason = e.text
			}
			chunk(`{}`, quote(reason))
			u := usageOf(events)
			w.event(`{"id":"chatcmpl-1","object":"chat.completion.chunk","model":"m","choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,`+
				`"prompt_tokens_details":{"cached_tokens":%d,"cache_write_tokens":%d},"completion_tokens_details":{"reasoning_tokens":%d}}}`,
				u.total(), u.usage["output"], u.total()+u.usage["output"], u.usage["read"], u.usage["write"], u.usage["thinking"])
			w.steps = append(w.steps, step{send: "data: [DONE]\n\n"})
		default:
			w.steps = append(w.steps, e.step)
		}
	}
}

// Text returns the lines of a reply that says a text, for scripts that are put together in code.
func Text(s string) string { return "text " + quote(s) + "\n" }

// Call returns the line of a reply that calls a tool with arguments of one line.
func Call(id, name, arguments string) string {
	return strings.Join([]string{"call", id, name, arguments}, " ") + "\n"
}
