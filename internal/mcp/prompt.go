package mcp

// Methods and notifications about prompts, and about completing what a person types.
const (
	MethodListPrompts    = "prompts/list"
	MethodGetPrompt      = "prompts/get"
	MethodComplete       = "completion/complete"
	NotifyPromptsChanged = "notifications/prompts/list_changed"
)

// Roles of a [PromptMessage], and types of a [CompletionRef].
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RefPrompt     = "ref/prompt"
	RefResource   = "ref/resource"
)

// Prompt describes a template for the beginning of a conversation.
type Prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title,omitzero"` // since 2025-06-18
	Description string           `json:"description,omitzero"`
	Arguments   []PromptArgument `json:"arguments,omitempty"`
}

// PromptArgument is a text that a prompt is filled in with.
type PromptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitzero"` // since 2025-06-18
	Description string `json:"description,omitzero"`
	Required    bool   `json:"required,omitzero"`
}

// ListPromptsResult is one page of prompts.
type ListPromptsResult struct {
	Prompts    []Prompt `json:"prompts"`
	NextCursor *string  `json:"nextCursor,omitzero"`
}

// GetPromptResult is a prompt that was filled in.
type GetPromptResult struct {
	Description string          `json:"description,omitzero"`
	Messages    []PromptMessage `json:"messages"`
}

// PromptMessage is one message of a conversation.
type PromptMessage struct {
	Role    string  `json:"role"`
	Content Content `json:"content"`
}

// CompletionRef names what is being filled in: a prompt by Name, or a resource template by URI.
type CompletionRef struct {
	Type string `json:"type"`
	Name string `json:"name,omitzero"`
	URI  string `json:"uri,omitzero"`
}

// Completion is what may be meant by what was typed so far, the best first. Total 0 is unknown.
type Completion struct {
	Values  []string `json:"values"`
	Total   int      `json:"total,omitzero"`
	HasMore bool     `json:"hasMore,omitzero"`
}

// CompleteResult answers a request for completions.
type CompleteResult struct {
	Completion Completion `json:"completion"`
}
