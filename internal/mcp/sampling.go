package mcp

import "github.com/go-json-experiment/json/jsontext"

// MethodSample asks the model of a client. 2026-07-28 deprecates it.
const MethodSample = "sampling/createMessage"

// SampleParams is what the client's model is asked. MaxTokens must be set.
type SampleParams struct {
	Messages     []PromptMessage `json:"messages"`
	SystemPrompt string          `json:"systemPrompt,omitzero"`
	MaxTokens    int             `json:"maxTokens"`
}

// SampleResult is what the client's model said. Since 2025-11-25 its content may be a list of blocks,
// so it is left as it came.
type SampleResult struct {
	Role       string         `json:"role"`
	Content    jsontext.Value `json:"content"`
	Model      string         `json:"model"`
	StopReason string         `json:"stopReason,omitzero"`
}

// Samples reports whether the client lets its model be asked.
func (c ClientCapabilities) Samples() bool { return declared(c.Sampling) }
