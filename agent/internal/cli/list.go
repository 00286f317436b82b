package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/internal/terminal"
)

type listCommand struct {
	projectFlags

	JSON bool `name:"json" help:"Print JSON for scripts."`
}

// listed is one server as list prints it for scripts.
type listed struct {
	Name      string   `json:"name"`
	Scope     string   `json:"scope"`
	File      string   `json:"file"`
	Transport string   `json:"transport"`
	Target    string   `json:"target"`
	State     string   `json:"state"`
	Tools     *int     `json:"tools,omitzero"` // absent: not known yet
	Version   string   `json:"version,omitzero"`
	Problems  []string `json:"problems,omitempty"`
}

func (c *listCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	h := s.host()
	defer h.Close() //nolint:errcheck // Nothing was started.
	var all []listed
	for _, st := range h.Status() {
		all = append(all, describe(st))
	}
	if c.JSON {
		return printJSON(r.Stdout, map[string]any{"servers": all, "files": s.Servers.Files, "problems": s.Servers.Problems})
	}
	if len(all) == 0 {
		fmt.Fprintln(r.Stdout, "No MCP server is configured.")
	} else {
		table(r, all)
	}
	s.showFiles()
	return nil
}

// describe makes a line of a server's status.
func describe(st host.Status) listed {
	l := listed{
		Name: st.Server.Name, Scope: string(st.Server.Scope), File: st.Server.File, Transport: st.Server.Transport,
		Target: st.Server.Shown, State: string(st.State), Version: st.Version,
	}
	if st.Listing != nil {
		n := len(st.Listing.Tools)
		l.Tools = &n
		for _, q := range st.Listing.Quarantined {
			l.Problems = append(l.Problems, fmt.Sprintf("%s is left out: %s", q.Name, q.Reason))
		}
		l.Problems = append(l.Problems, st.Listing.Notes...)
	}
	if st.Err != nil {
		l.Problems = append(l.Problems, st.Err.Error())
	}
	if st.Server.ShadowsUser {
		l.Problems = append(l.Problems, "the project gives this name to another server than your own configuration does; it gets none of its logins and approvals")
	}
	return l
}

func table(r *run, all []listed) {
	columns := tabwriter.NewWriter(r.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(columns, "SERVER\tSTATE\tTOOLS\tTARGET\tFROM")
	for _, l := range all {
		tools := "?"
		if l.Tools != nil {
			tools = fmt.Sprint(*l.Tools)
		}
		fmt.Fprintf(columns, "%s\t%s\t%s\t%s\t%s\n", terminal.OneLine(terminal.Visible(l.Name)), l.State, tools,
			short(terminal.OneLine(terminal.Visible(l.Target))), terminal.Visible(l.File))
	}
	columns.Flush() //nolint:errcheck // What cannot be printed cannot be told either.
	for _, l := range all {
		for _, p := range l.Problems {
			fmt.Fprintf(r.Stdout, "  %s: %s\n", terminal.OneLine(terminal.Visible(l.Name)), terminal.Visible(p))
		}
	}
}

// short cuts what would push the other columns away.
func short(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}

// showFiles says which files were read, and what of them was not used.
func (s *session) showFiles() {
	fmt.Fprintln(s.Stdout)
	for _, f := range s.Servers.Files {
		line := fmt.Sprintf("%s: %s", f.Path, f.Status)
		if f.Status == config.Read {
			line = fmt.Sprintf("%s: %d servers", f.Path, f.Servers)
		}
		if f.Reason != "" {
			line += ", " + f.Reason
		}
		if f.Status != config.Missing {
			fmt.Fprintln(s.Stdout, terminal.Visible(line))
		}
	}
	for _, p := range s.Servers.Problems {
		fmt.Fprintln(s.Stdout, terminal.Visible(p.String()))
	}
}

// printJSON writes a value for scripts.
func printJSON(w interface{ Write([]byte) (int, error) }, v any) error {
	text, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
