package mcptools

import (
	_ "embed"
	"regexp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// The names of the two tools.
const (
	SearchName = "mcp_search"
	CallName   = "mcp_call"
)

//go:embed mcp_search.md
var searchPrompt string

//go:embed mcp_call.md
var callPrompt string

// Options configure New.
type Options struct {
	Host *host.Host
	// Results is the folder in which results that are too long for the model are kept whole. Empty: their middle is lost.
	Results string
	// Heard reports whether what a server says about itself may reach the model: the user has approved something of it.
	// Nil: of none.
	Heard func(server string) bool
	// DirectWait is how long NewDirect may wait for servers whose tools are not known yet. Zero: 10 s.
	DirectWait time.Duration
}

// New returns mcp_search and mcp_call, or nothing when no server is enabled.
func New(o Options) []loop.Tool {
	for _, st := range o.Host.Status() {
		if st.State != host.StateDisabled {
			return []loop.Tool{&searchTool{o}, &callTool{o}}
		}
	}
	return nil
}

// Subject is what a call is permitted by.
type Subject struct {
	Server, Tool string
	// Hash changes with what the server says of the tool: its description, schema and hints. It is empty when the tool is not
	// known yet.
	Hash string
	// ReadOnly says that the server claims the tool to change nothing. It counts only if the user trusts that server's claims.
	ReadOnly bool
	// Arguments are the tool's own.
	Arguments jsontext.Value
}

// Named is a tool whose calls have a Subject.
type Named interface {
	// Subject tells what a call is about; false when its arguments cannot be understood, so that it will fail anyway.
	Subject(arguments jsontext.Value) (Subject, bool)
}

// decode reads a model's arguments strictly, so that a misspelt name is an error and not a missing value.
func decode(arguments jsontext.Value, dst any) error {
	return json.Unmarshal(arguments, dst, json.RejectUnknownMembers(true))
}

func failed(text string) loop.Output {
	return loop.Output{Content: []model.Block{model.Text(text)}, IsError: true}
}

// forged finds, in a text that a server wrote, what looks like the marks around such texts.
var forged = regexp.MustCompile(`(?i)<(\s*/\s*(?:tool|server|result|prompt)\b|\s*(?:tool|result|prompt)\s+server\s*=|\s*server\s+name\s*=)`)

// data marks a text as a server's. What would end the mark inside, or begin that of another server, is taken apart.
func data(mark, attributes, text string) string {
	text = forged.ReplaceAllString(text, `<\$1`)
	return "<" + mark + attributes + ">\n" + strings.TrimRight(text, "\n") + "\n</" + mark + ">"
}

// attribute writes a name so that it cannot end the mark that it stands in.
func attribute(name, value string) string {
	value = strings.NewReplacer(`"`, "'", "<", "(", ">", ")", "\n", " ").Replace(value)
	return " " + name + `="` + value + `"`
}
