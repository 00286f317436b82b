package openai

import (
	"strings"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/adapter"
)

// body makes the body of a request.
func (p *chat) body(r model.Request) chatBody {
	b := chatBody{Model: r.Model.ID, MaxTokens: r.MaxOutput, Stream: true}
	b.StreamOptions.IncludeUsage = true
	for _, t := range r.Tools {
		tool := chatTool{Type: "function"}
		tool.Function.Name, tool.Function.Description, tool.Function.Parameters = t.Name, t.Description, t.InputSchema
		b.Tools = append(b.Tools, tool)
	}
	if effort := r.Model.Effort(r.Level); effort != "" && (effort == "none" || r.Level != model.LevelOff && r.Level != "") {
		if p.isBroker() {
			b.Reasoning = &chatReasoning{Effort: effort}
		} else {
			b.ReasoningEffort = effort
		}
	}
	if r.System != "" {
		b.Messages = append(b.Messages, chatMessage{Role: "system", Content: r.System})
	}
	for _, m := range r.Messages {
		b.Messages = append(b.Messages, chatMessages(r, m)...)
	}
	// Of those behind a broker, only Anthropic's models cache nothing unless they are told what.
	if p.isBroker() && strings.HasPrefix(r.Model.ID, "anthropic/") {
		mark(b.Messages)
	}
	return b
}

func (p *chat) isBroker() bool { return p.options.Vendor == "openrouter" }

// chatMessages makes the messages of one: each result is a message of its own, and since those hold only text, the images of
// results follow in a message of the user.
func chatMessages(r model.Request, m model.Message) []chatMessage {
	blocks := adapter.Sendable(r, m, func(t *model.Thinking) bool { return own(r, m, t) })
	if m.Role == model.Assistant {
		return assistantMessage(blocks)
	}
	var messages []chatMessage
	var said []chatPart
	for _, b := range blocks {
		switch {
		case b.Result != nil:
			content := adapter.ResultContent(r, b.Result)
			text, onlyText := onlyText(content, b.Result.IsError)
			if !onlyText {
				text = strings.TrimPrefix(text+"\n(images follow)", "\n")
				for _, c := range content {
					if c.Image != nil {
						said = append(said, imagePart(c.Image))
					}
				}
			}
			messages = append(messages, chatMessage{Role: "tool", Content: text, ToolCallID: adapter.ID(b.Result.CallID)})
		case b.Image != nil:
			said = append(said, imagePart(b.Image))
		default:
			said = append(said, chatPart{Type: "text", Text: b.Text})
		}
	}
	switch {
	case len(said) == 0:
	case len(said) == 1 && said[0].Type == "text":
		messages = append(messages, chatMessage{Role: "user", Content: said[0].Text})
	default:
		messages = append(messages, chatMessage{Role: "user", Content: said})
	}
	return messages
}

func imagePart(i *model.Image) chatPart {
	return chatPart{Type: "image_url", ImageURL: &chatImage{URL: dataURL(i)}}
}

func assistantMessage(blocks []model.Block) []chatMessage {
	if len(blocks) == 0 {
		return nil
	}
	m := chatMessage{Role: "assistant"}
	var texts []string
	for _, b := range blocks {
		switch {
		case b.Thinking != nil && len(b.Thinking.Redacted) > 0:
			m.ReasoningDetails = b.Thinking.Redacted
		case b.Thinking != nil && b.Thinking.Signature == "reasoning_content":
			m.ReasoningContent += b.Thinking.Text
		case b.Thinking != nil && b.Thinking.Signature == "reasoning":
			m.Reasoning += b.Thinking.Text
		case b.Thinking != nil:
		case b.Call != nil:
			call := chatCall{ID: adapter.ID(b.Call.ID), Type: "function"}
			call.Function.Name, call.Function.Arguments = adapter.CallName(b.Call.Name), string(b.Call.Sendable())
			m.ToolCalls = append(m.ToolCalls, call)
		default:
			texts = append(texts, b.Text)
		}
	}
	if len(texts) > 0 {
		m.Content = strings.Join(texts, "\n")
	}
	return []chatMessage{m}
}

// mark says what is to be cached: the system prompt and the last two messages of the user or of tools.
func mark(messages []chatMessage) {
	marked := 0
	for i := len(messages) - 1; i >= 0; i-- {
		m := &messages[i]
		if m.Role == "assistant" || m.Role != "system" && marked == 2 {
			continue
		}
		parts, ok := m.Content.([]chatPart)
		if !ok {
			text, _ := m.Content.(string)
			parts = []chatPart{{Type: "text", Text: text}}
		}
		last := len(parts) - 1
		for last >= 0 && parts[last].Type != "text" {
			last-- // only texts take a mark
		}
		if last < 0 {
			continue
		}
		parts[last].Cache = &chatCache{Type: "ephemeral"}
		if m.Content = parts; m.Role != "system" {
			marked++
		}
	}
}
