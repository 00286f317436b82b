package mcp

import "github.com/go-json-experiment/json/jsontext"

// Implementation names the software of one side. It is reported by that side about itself:
// good for logs and for showing to people, never for a decision.
type Implementation struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitzero"` // for people; since 2025-06-18
	Version string `json:"version"`
}

// ClientCapabilities are the optional features of a client. Unknown ones are ignored.
// A raw capability is declared when it is an object.
type ClientCapabilities struct {
	Elicitation *Elicitation   `json:"elicitation,omitzero"`
	Sampling    jsontext.Value `json:"sampling,omitzero"` // deprecated since 2026-07-28
}

// Elicitation declares how a client can ask its user. Both fields nil, the JSON {}, means
// forms; each set field is an object of settings.
type Elicitation struct {
	Form jsontext.Value `json:"form,omitzero"`
	URL  jsontext.Value `json:"url,omitzero"`
}

// ElicitsForm reports whether the client can show a form. An elicitation capability that
// names no mode means forms, as it did before there were modes.
func (c ClientCapabilities) ElicitsForm() bool {
	e := c.Elicitation
	return e != nil && (declared(e.Form) || !declared(e.URL))
}

// ElicitsURL reports whether the client can send its user to a web address.
func (c ClientCapabilities) ElicitsURL() bool {
	return c.Elicitation != nil && declared(c.Elicitation.URL)
}

// declared reports whether a capability is an object, as opposed to absent, null or false.
func declared(v jsontext.Value) bool { return v.Kind() == '{' }

// ServerCapabilities are the optional features of a server.
type ServerCapabilities struct {
	Tools       *ListCapability     `json:"tools,omitzero"`
	Prompts     *ListCapability     `json:"prompts,omitzero"`
	Resources   *ResourceCapability `json:"resources,omitzero"`
	Completions *struct{}           `json:"completions,omitzero"`
	Logging     *struct{}           `json:"logging,omitzero"` // deprecated since 2026-07-28
}

// ListCapability declares a list and whether changes of it are announced.
type ListCapability struct {
	ListChanged bool `json:"listChanged,omitzero"`
}

// ResourceCapability declares resources, whether changes of their list are announced, and
// whether changes of single resources can be subscribed to.
type ResourceCapability struct {
	ListChanged bool `json:"listChanged,omitzero"`
	Subscribe   bool `json:"subscribe,omitzero"`
}

// InitializeParams opens a legacy connection.
type InitializeParams struct {
	ProtocolVersion string             `json:"protocolVersion"`
	Capabilities    ClientCapabilities `json:"capabilities"`
	ClientInfo      Implementation     `json:"clientInfo"`
}

// InitializeResult answers [InitializeParams].
type InitializeResult struct {
	ProtocolVersion string             `json:"protocolVersion"`
	Capabilities    ServerCapabilities `json:"capabilities"`
	ServerInfo      Implementation     `json:"serverInfo"`
	Instructions    string             `json:"instructions,omitzero"`
}

// DiscoverResult answers server/discover.
type DiscoverResult struct {
	SupportedVersions []string           `json:"supportedVersions"`
	Capabilities      ServerCapabilities `json:"capabilities"`
	Instructions      string             `json:"instructions,omitzero"`
	TTLMs             int64              `json:"ttlMs"`
	CacheScope        string             `json:"cacheScope"`
}

// SubscriptionFilter names the notifications a subscription wants or gets.
type SubscriptionFilter struct {
	ToolsListChanged      bool     `json:"toolsListChanged,omitzero"`
	PromptsListChanged    bool     `json:"promptsListChanged,omitzero"`
	ResourcesListChanged  bool     `json:"resourcesListChanged,omitzero"`
	ResourceSubscriptions []string `json:"resourceSubscriptions,omitempty"`
}

// UnsupportedVersion is the data of a [CodeUnsupportedVersion] error.
type UnsupportedVersion struct {
	Supported []string `json:"supported"`
	Requested string   `json:"requested"`
}

// MissingCapability is the data of a [CodeMissingCapability] error.
type MissingCapability struct {
	RequiredCapabilities ClientCapabilities `json:"requiredCapabilities"`
}

// Progress is the parameters of a progress notification. Total 0 means unknown.
type Progress struct {
	Token    jsontext.Value `json:"progressToken"`
	Progress float64        `json:"progress"`
	Total    float64        `json:"total,omitzero"`
	Message  string         `json:"message,omitzero"`
}
