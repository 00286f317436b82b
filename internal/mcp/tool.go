package mcp

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Tool describes a tool. The schemas are JSON Schema 2020-12; the root of InputSchema has
// the type object.
type Tool struct {
	Name         string           `json:"name"`
	Title        string           `json:"title,omitzero"` // since 2025-06-18
	Description  string           `json:"description,omitzero"`
	InputSchema  jsontext.Value   `json:"inputSchema"`
	OutputSchema jsontext.Value   `json:"outputSchema,omitzero"` // since 2025-06-18; any root type since 2026-07-28
	Annotations  *ToolAnnotations `json:"annotations,omitzero"`
}

// ToolAnnotations are hints about what a tool does. A nil hint means the protocol's
// default: not read-only, destructive, not idempotent, open world.
type ToolAnnotations struct {
	Title           string `json:"title,omitzero"`
	ReadOnlyHint    *bool  `json:"readOnlyHint,omitzero"`
	DestructiveHint *bool  `json:"destructiveHint,omitzero"`
	IdempotentHint  *bool  `json:"idempotentHint,omitzero"`
	OpenWorldHint   *bool  `json:"openWorldHint,omitzero"`
}

// ListToolsResult is one page of tools. A NextCursor that is not nil, even an empty one,
// means that there are more.
type ListToolsResult struct {
	Tools      []Tool  `json:"tools"`
	NextCursor *string `json:"nextCursor,omitzero"`
	TTLMs      *int64  `json:"ttlMs,omitzero"`
	CacheScope string  `json:"cacheScope,omitzero"`
}

// CallToolParams asks for a tool to be run.
type CallToolParams struct {
	Name           string                    `json:"name"`
	Arguments      jsontext.Value            `json:"arguments,omitzero"`
	InputResponses map[string]jsontext.Value `json:"inputResponses,omitempty"`
	RequestState   string                    `json:"requestState,omitzero"`
}

// CallToolResult is what a tool produced. IsError means that the content says what went
// wrong, in words the model can act on.
type CallToolResult struct {
	Content           []Content      `json:"content"`
	StructuredContent jsontext.Value `json:"structuredContent,omitzero"` // since 2025-06-18; any JSON since 2026-07-28, before that an object
	IsError           bool           `json:"isError,omitzero"`
}

// Content is one block of a result; Type decides which fields it has.
type Content struct {
	Type        string            `json:"type"`
	Text        string            `json:"text,omitzero"`     // text
	Data        []byte            `json:"data,omitzero"`     // image, audio
	MIMEType    string            `json:"mimeType,omitzero"` // image, audio, resource_link
	URI         string            `json:"uri,omitzero"`      // resource_link
	Name        string            `json:"name,omitzero"`     // resource_link
	Title       string            `json:"title,omitzero"`    // resource_link
	Description string            `json:"description,omitzero"`
	Size        int64             `json:"size,omitzero"`     // resource_link, in bytes
	Resource    *ResourceContents `json:"resource,omitzero"` // resource
}

// ResourceContents is a resource as text or, when Blob is not nil, as bytes.
type ResourceContents struct {
	URI      string `json:"uri"`
	MIMEType string `json:"mimeType,omitzero"`
	Text     string `json:"text"`
	Blob     []byte `json:"blob,omitzero"`
}

// MarshalJSON writes text or blob, never both and never neither: that is how a reader
// tells the two kinds apart.
func (r ResourceContents) MarshalJSON() ([]byte, error) {
	if r.Blob == nil {
		type text ResourceContents
		return json.Marshal(text(r), jsontext.AllowInvalidUTF8(true))
	}
	return json.Marshal(struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType,omitzero"`
		Blob     []byte `json:"blob"`
	}{r.URI, r.MIMEType, r.Blob}, jsontext.AllowInvalidUTF8(true))
}

// Text returns a block of text.
func Text(s string) Content { return Content{Type: ContentText, Text: s} }

// ElicitParams asks the user of a client for input. Mode "" means a form.
type ElicitParams struct {
	Mode            string         `json:"mode,omitzero"`
	Message         string         `json:"message"`
	RequestedSchema jsontext.Value `json:"requestedSchema,omitzero"`
	URL             string         `json:"url,omitzero"` // mode url
}

// ElicitResult is the user's answer. Action is accept, decline or cancel; Content is the
// object the user filled in, present only with accept.
type ElicitResult struct {
	Action  string         `json:"action"`
	Content jsontext.Value `json:"content,omitzero"`
}

// InputRequest is something a server wants to know before it completes a modern request.
type InputRequest struct {
	Method string         `json:"method"`
	Params jsontext.Value `json:"params,omitzero"`
}

// InputRequiredResult is the interim result that carries input requests, by a name that
// the responses repeat, and a state that the client returns unread.
type InputRequiredResult struct {
	ResultType    string                  `json:"resultType"`
	InputRequests map[string]InputRequest `json:"inputRequests,omitempty"`
	RequestState  string                  `json:"requestState,omitzero"`
}
