package adapter

import (
	"strings"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// kindOf judges by status and by the words that vendors use for the same thing.
func kindOf(status int, r Reason) model.ErrorKind {
	words := strings.ToLower(r.Type + " " + r.Code + " " + r.Message)
	if (status == 0 || status == 400 || status == 413 || status == 422 || status == 500) && isOverflow(words) {
		return model.ErrOverflow
	}
	if (status == 0 || status >= 400 && status < 500) && mentions(words, "spend_limit", "insufficient_quota", "billing", "credit balance",
		"content filtering policy", "content_policy", "content_filter") {
		return model.ErrRefused
	}
	if k := kindOfStatus(status, words); k != "" {
		return k
	}
	switch {
	case mentions(words, "overloaded", "unavailable"):
		return model.ErrOverloaded
	case mentions(words, "rate_limit", "resource_exhausted"):
		return model.ErrRateLimit
	case mentions(words, "authentication_error", "invalid_api_key"):
		return model.ErrAuth
	case mentions(words, "permission"):
		return model.ErrRefused
	case mentions(words, "invalid_request", "invalid_prompt", "not_found", "invalid_image"):
		return model.ErrInvalid
	}
	return model.ErrServer
}

func kindOfStatus(status int, words string) model.ErrorKind {
	aboutKey := mentions(words, "api key", "api_key", "authentication", "credentials")
	switch {
	case status < 300: // what counts are the words
		return ""
	case status == 401, (status == 400 || status == 403) && aboutKey:
		return model.ErrAuth
	case status == 402, status == 403, status == 451:
		return model.ErrRefused
	case status == 408:
		return model.ErrNetwork
	case status == 409:
		return model.ErrServer
	case status == 413:
		return model.ErrOverflow
	case status == 429:
		return model.ErrRateLimit
	case status == 503, status == 529:
		return model.ErrOverloaded
	case status >= 500:
		return model.ErrServer
	}
	return model.ErrInvalid
}

func mentions(words string, any ...string) bool {
	for _, w := range any {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

// isOverflow knows the words of vendors and of the programs that people run models with.
func isOverflow(words string) bool {
	return mentions(words,
		"prompt is too long", "exceed context limit", "request_too_large", // Anthropic
		"context_length_exceeded", "maximum context length", "exceeds the context window", // OpenAI, vLLM, DeepSeek, OpenRouter
		"exceeds the maximum number of tokens",                      // Gemini
		"maximum prompt length",                                     // xAI
		"reduce the length of the messages",                         // Groq
		"input is too long",                                         // Bedrock
		"exceeds the available context size", "exceed_context_size", // llama.cpp
		"exceeded max context length", "context length exceeded", // Ollama
		"longer than the maximum model length",                          // vLLM
		"greater than the context length",                               // LM Studio
		"exceeded model token limit", "exceeds the model's token limit", // Kimi
		"context window exceeds limit", // MiniMax
		"too large for model with",     // Mistral
	)
}
