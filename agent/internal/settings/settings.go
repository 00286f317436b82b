package settings

import "github.com/elyra-go/elyra/agent/internal/model"

// Settings are what is in force. The zero value is not: see [Default]. The tag user marks what only the user's own file can
// set, one lists what a text may be.
type Settings struct {
	// Model is provider/id or a part of it that is unique. "" takes the best one that there is a key for.
	Model string `json:"model"`
	// Thinking is how much the model is to think before it answers. Default medium.
	Thinking model.Level `json:"thinking" one:"off minimal low medium high xhigh"`
	// Providers are endpoints beside those that are known, and changes to these, by name.
	Providers map[string]Provider `json:"providers" user:"only"`
	// Permissions say what tools may do without a question.
	Permissions Permissions `json:"permissions" user:"only"`
	// MCP switches the use of MCP servers. Default true.
	MCP bool `json:"mcp"`
	// Extensions switches bundled extensions by name. All are on by default.
	Extensions map[string]bool `json:"extensions"`
	// Sandbox says whether commands run in one: auto if the system has one (the default), on (else they do not run), off.
	Sandbox string `json:"sandbox" one:"auto on off" user:"only"`
	// Theme is how the terminal looks. Default auto: as the terminal's background suggests.
	Theme string `json:"theme" one:"auto dark light none"`
	// EditorMode is how the prompt is edited: emacs (the default) or vi.
	EditorMode string `json:"editorMode" one:"emacs vi"`
	// Compaction says when and how much of a conversation is summarised.
	Compaction Compaction `json:"compaction"`
	// Hooks are commands that run on events, by event. Those of a trusted project run after the user's.
	Hooks map[string][]HookGroup `json:"hooks"`
}

// Provider is an endpoint that speaks a vendor's protocol. It holds no key: that is in auth.json or in the environment.
type Provider struct {
	// API is the protocol. Default for a new name: openai-chat, which most servers of others understand.
	API     string `json:"api" one:"anthropic openai-chat openai-responses"`
	BaseURL string `json:"baseUrl"`
	// APIKeyEnv names the environment variable with the key.
	APIKeyEnv string `json:"apiKeyEnv"`
	// Models are those that the catalogue does not know, and changes to those that it does.
	Models []Model `json:"models"`
}

// Model describes a model of a provider. What is zero is as in the catalogue, or not known.
type Model struct {
	ID        string      `json:"id"`
	Name      string      `json:"name"`
	Context   int64       `json:"context"`
	MaxOutput int64       `json:"maxOutput"`
	Reasoning bool        `json:"reasoning"`
	Images    bool        `json:"images"`
	Price     model.Price `json:"price"` // US dollars per million tokens
}

// Permissions are rules as package permission reads them: "bash:git status *", "edit:docs/**", "mcp:server/tool".
type Permissions struct {
	Allow []string `json:"allow"`
	Ask   []string `json:"ask"`
	Deny  []string `json:"deny"`
	// TrustHints are MCP servers whose word that a tool only reads is believed.
	TrustHints []string `json:"trustHints"`
	// MCP is what the user has allowed for ever: the tool by identity, and the hash of what it was then.
	MCP map[string]string `json:"mcp"`
}

// Compaction is in tokens.
type Compaction struct {
	// Auto summarises before the model's context is full. Default true.
	Auto bool `json:"auto"`
	// Reserve is what a request leaves free. 0: as much as an answer may take, at most 20,000.
	Reserve int64 `json:"reserve"`
	// Keep is what stays as it was said. Default 20,000.
	Keep int64 `json:"keep"`
}

// HookGroup are hooks for some tools.
type HookGroup struct {
	// Matcher is a regular expression for the whole name of a tool. "" and "*" match all.
	Matcher string `json:"matcher"`
	Hooks   []Hook `json:"hooks"`
}

// Hook is a command.
type Hook struct {
	Type    string `json:"type" one:"command"`
	Command string `json:"command"`
	// Timeout is in seconds. Default 60.
	Timeout int64 `json:"timeout"`
}

// Bundled are the names of the extensions that are part of the program.
func Bundled() []string { return []string{"mcp", "swarm"} }

// Uses reports whether a bundled extension is switched on.
func (s Settings) Uses(extension string) bool {
	on, said := s.Extensions[extension]
	return (on || !said) && (extension != "mcp" || s.MCP)
}

// Default returns the settings of somebody who has set nothing.
func Default() Settings {
	return Settings{
		Thinking: model.LevelMedium, MCP: true, Sandbox: "auto", Theme: "auto", EditorMode: "emacs",
		Compaction: Compaction{Auto: true, Keep: 20_000},
	}
}
