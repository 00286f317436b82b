package catalog

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

// Tool is a usable tool of a server. The schemas are JSON on one line without duplicate names; the root of InputSchema
// always has the type object. They may share memory with the other tools of a listing and must not be changed.
type Tool struct {
	Server       string
	Name         string // the server's own
	Exposed      string // the name for a model, set by [Expose]
	Title        string
	Description  string
	InputSchema  jsontext.Value
	OutputSchema jsontext.Value // nil when there is none
	Annotations  *mcp.ToolAnnotations

	// Hash is what an approval binds: it changes with title, description, input schema and annotations, in meaning and
	// not only in the order of members.
	Hash string
}

// Quarantined is something that a server listed and that cannot be used. Name is printable and may be cut.
type Quarantined struct {
	Server string `json:"-"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Listing is everything that one server lists.
type Listing struct {
	Server       string
	Tools        []Tool // by name
	Quarantined  []Quarantined
	Resources    []mcp.Resource         // by URI
	Templates    []mcp.ResourceTemplate // by URI template
	Prompts      []mcp.Prompt           // by name
	Notes        []string               // what was not read, and why
	Instructions string
	Era          string
	Fetched      time.Time

	// TTL is how long the server says that its list stays fresh: nil when it says nothing, 0 when it must not be kept for
	// another session.
	TTL *time.Duration

	// Hash changes with all of the above except Server, Notes, Fetched and TTL.
	Hash string
}
