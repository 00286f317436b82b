package openai

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// chunk is an event of a stream of Chat Completions.
type chunk struct {
	ID      jsontext.Value `json:"id"`
	Choices []struct {
		Delta        delta      `json:"delta"`
		FinishReason string     `json:"finish_reason"`
		Usage        *chatUsage `json:"usage"` // Moonshot has it here
	} `json:"choices"`
	Usage *chatUsage     `json:"usage"`
	Error jsontext.Value `json:"error"`
}

type delta struct {
	Content          jsontext.Value   `json:"content"`
	Refusal          string           `json:"refusal"`
	ReasoningContent string           `json:"reasoning_content"` // DeepSeek, Moonshot, xAI, older vLLM
	Reasoning        string           `json:"reasoning"`         // OpenRouter, Ollama, Groq, newer vLLM
	ReasoningDetails []jsontext.Value `json:"reasoning_details"` // OpenRouter: what has to go back
	ToolCalls        []callDelta      `json:"tool_calls"`
}

// part is a piece of content.
type part struct {
	Text     string
	Thinking string
}

// parts reads content, which is a text or, with Mistral, a list of texts and of thinking.
func (d delta) parts() []part {
	if text, ok := textOf(d.Content); ok {
		return []part{{Text: text}}
	}
	var list []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Thinking []struct {
			Text string `json:"text"`
		} `json:"thinking"`
	}
	if d.Content.Kind() != '[' || json.Unmarshal(d.Content, &list) != nil {
		return nil
	}
	var parts []part
	for _, p := range list {
		parts = append(parts, part{Text: p.Text})
		for _, t := range p.Thinking {
			parts = append(parts, part{Thinking: t.Text})
		}
	}
	return parts
}

type callDelta struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string         `json:"name"`
		Arguments jsontext.Value `json:"arguments"`
	} `json:"function"`
}

// arguments are a piece of JSON in a string; some vendors have the JSON itself, whole.
func (c callDelta) arguments() string {
	if text, ok := textOf(c.Function.Arguments); ok {
		return text
	}
	if c.Function.Arguments.Kind() == '{' {
		return string(c.Function.Arguments)
	}
	return ""
}

func textOf(v jsontext.Value) (string, bool) {
	var s string
	if v.Kind() != '"' || json.Unmarshal(v, &s, jsontext.AllowInvalidUTF8(true)) != nil {
		return "", false
	}
	return s, true
}

type chatUsage struct {
	Prompt        int64 `json:"prompt_tokens"`
	Completion    int64 `json:"completion_tokens"`
	PromptDetails struct {
		Cached     int64 `json:"cached_tokens"`
		CacheWrite int64 `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	CacheHit          int64 `json:"prompt_cache_hit_tokens"` // DeepSeek
	CompletionDetails struct {
		Reasoning int64 `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
	Cost *float64 `json:"cost"` // OpenRouter, in US dollars
}

// joinDetails joins what was streamed of thinking into whole entries: texts of the same index and type are one.
func joinDetails(pieces []jsontext.Value) []map[string]jsontext.Value {
	var whole []map[string]jsontext.Value
	for _, raw := range pieces {
		var piece map[string]jsontext.Value
		if json.Unmarshal(raw, &piece) != nil {
			continue
		}
		last := len(whole) - 1
		if last < 0 || string(whole[last]["type"]) != string(piece["type"]) || string(whole[last]["index"]) != string(piece["index"]) {
			whole = append(whole, piece)
			continue
		}
		for name, value := range piece {
			before, grows := textOf(whole[last][name])
			more, ok := textOf(value)
			if (name == "text" || name == "summary" || name == "data") && grows && ok {
				value, _ = json.Marshal(before + more)
			}
			if string(value) != "null" {
				whole[last][name] = value
			}
		}
	}
	return whole
}

// chatBody is the body of a request.
type chatBody struct {
	Model           string         `json:"model"`
	Messages        []chatMessage  `json:"messages"`
	Tools           []chatTool     `json:"tools,omitzero"`
	MaxTokens       int64          `json:"max_tokens,omitzero"`
	ReasoningEffort string         `json:"reasoning_effort,omitzero"`
	Reasoning       *chatReasoning `json:"reasoning,omitzero"` // OpenRouter's own
	Stream          bool           `json:"stream"`
	StreamOptions   struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

type chatReasoning struct {
	Effort string `json:"effort"`
}

type chatTool struct {
	Type     string `json:"type"`
	Function struct {
		Name        string         `json:"name"`
		Description string         `json:"description,omitzero"`
		Parameters  jsontext.Value `json:"parameters"`
	} `json:"function"`
}

type chatMessage struct {
	Role             string         `json:"role"`
	Content          any            `json:"content"` // text, []chatPart or null
	ReasoningContent string         `json:"reasoning_content,omitzero"`
	Reasoning        string         `json:"reasoning,omitzero"`
	ReasoningDetails jsontext.Value `json:"reasoning_details,omitzero"`
	ToolCalls        []chatCall     `json:"tool_calls,omitzero"`
	ToolCallID       string         `json:"tool_call_id,omitzero"`
}

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type chatPart struct {
	Type     string     `json:"type"`
	Text     string     `json:"text,omitzero"`
	ImageURL *chatImage `json:"image_url,omitzero"`
	Cache    *chatCache `json:"cache_control,omitzero"`
}

type chatImage struct {
	URL string `json:"url"`
}

type chatCache struct {
	Type string `json:"type"`
}
