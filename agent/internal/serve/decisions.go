package serve

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/serve/decision"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
)

const (
	usualDecisions = 20
	maxDecisions   = 200
	decisionsURI   = "elyra://decisions/"
)

const decisionsInput = `{"type":"object","additionalProperties":false,"properties":{
"limit":{"type":"integer","minimum":1,"maximum":200,"default":20,"description":"How many to list at most."},
"query":{"type":"string","description":"Words that all have to be in a decision. Default: all decisions."}}}`

const decisionsOutput = `{"type":"object","additionalProperties":false,"required":["decisions","total"],"properties":{
"decisions":{"type":"array","description":"The newest first.","items":{"type":"object","additionalProperties":false,"required":["title","path","uri"],"properties":{
"title":{"type":"string"},"status":{"type":"string"},"date":{"type":"string","description":"YYYY-MM-DD"},
"summary":{"type":"string"},"path":{"type":"string"},"uri":{"type":"string","description":"The resource with the whole record."}}}},
"total":{"type":"integer","description":"How many there are, also beyond the limit."},
"problems":{"type":"array","description":"Records that cannot be read, or only in part.","items":{"type":"object","additionalProperties":false,"required":["path","problem"],"properties":{
"path":{"type":"string"},"problem":{"type":"string"}}}}}}`

type listedDecision struct {
	Title   string `json:"title"`
	Status  string `json:"status,omitzero"`
	Date    string `json:"date,omitzero"`
	Summary string `json:"summary,omitzero"`
	Path    string `json:"path"`
	URI     string `json:"uri"`
}

type listedDecisions struct {
	Decisions []listedDecision   `json:"decisions"`
	Total     int                `json:"total"`
	Problems  []decision.Problem `json:"problems,omitzero"`
}

// decisions lists what the project has decided.
func (s *Server) decisions(call *mcpserver.Call) (*mcp.CallToolResult, error) {
	var args struct {
		Limit *int   `json:"limit"`
		Query string `json:"query"`
	}
	if err := decode(call.Arguments, &args); err != nil {
		return failed(err), nil
	}
	limit := usualDecisions
	if args.Limit != nil {
		limit = *args.Limit
	}
	if limit < 1 || limit > maxDecisions {
		return failed(errors.New("limit is a number from 1 to 200")), nil
	}
	found := decision.Read(s.o.Core.Workspace.Project)
	matching := decision.Matching(found.Decisions, args.Query)
	out := listedDecisions{Total: len(matching), Problems: found.Problems}
	for _, d := range matching[:min(len(matching), limit)] {
		out.Decisions = append(out.Decisions, listedDecision{d.Title, d.Status, d.Date, d.Summary, d.Path, decisionURI(d.Path)})
	}
	return answered(out.text(len(found.Decisions), args.Query), out)
}

// text is the list in words. All is how many decisions there are whatever was asked for.
func (l *listedDecisions) text(all int, query string) string {
	var b strings.Builder
	switch {
	case all == 0:
		fmt.Fprintf(&b, "The project has no recorded decisions: there are none in %s.\n", strings.Join(decision.Folders(), ", "))
	case l.Total == 0:
		fmt.Fprintf(&b, "None of the project's %d decisions has %q in it.\n", all, result.OneLine(query, 100))
	case l.Total > len(l.Decisions):
		fmt.Fprintf(&b, "The newest %d of %d decisions:\n\n", len(l.Decisions), l.Total)
	}
	for _, d := range l.Decisions {
		facts := strings.Join(strings.Fields(d.Date+" "+cmp.Or(d.Status, "status unknown")), " ")
		fmt.Fprintf(&b, "- %s (%s)\n  %s\n", d.Title, facts, d.Path)
		if d.Summary != "" {
			fmt.Fprintf(&b, "  %s\n", d.Summary)
		}
	}
	for i, p := range l.Problems {
		if i == 0 {
			b.WriteString("\nNot read, or only in part:\n")
		}
		fmt.Fprintf(&b, "- %s: %s\n", p.Path, p.Problem)
	}
	return b.String()
}

// decisionURI is the resource of a decision by its path in the project.
func decisionURI(path string) string { return decisionsURI + (&url.URL{Path: path}).EscapedPath() }

// describeDecision says in one line what is known of a decision.
func describeDecision(d decision.Decision) string {
	return strings.TrimSpace(strings.Join([]string{d.Date, d.Status, d.Summary}, " "))
}
