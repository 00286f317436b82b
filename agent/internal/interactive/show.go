package interactive

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/mcptools"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tools"
	"github.com/elyra-go/elyra/agent/internal/tui"
)

// describe says in one line what a call would do.
func (d *desk) describe(c *model.Call) string {
	if text := d.current().Describe(c); text != "" {
		return text
	}
	name, about := c.Name, string(c.Arguments)
	var args struct {
		Query        string
		Server, Tool string
		Arguments    jsontext.Value
	}
	if json.Unmarshal(c.Arguments, &args, json.MatchCaseInsensitiveNames(true)) == nil {
		switch {
		case name == mcptools.SearchName && args.Query != "":
			name, about = "search", fmt.Sprintf("tools for %q", args.Query)
		case name == mcptools.CallName && args.Tool != "":
			name, about = args.Server, args.Tool+" "+string(args.Arguments)
		}
	}
	return result.OneLine(name, 80) + " " + result.OneLine(about, 200)
}

// outcome says what is shown of a call's result.
func outcome(c *model.Call, out *loop.Output) tui.Outcome {
	var texts []string
	for _, b := range out.Content {
		if b.Text != "" {
			texts = append(texts, b.Text)
		}
	}
	shown := tui.Outcome{Text: strings.Join(texts, "\n")}
	switch details := out.Details.(type) {
	case host.Found:
		shown.Summary = fmt.Sprintf("%d of %s", len(details.Tools), counted(details.Total, "tool"))
		shown.Text = found(details)
	case result.Rendered: // The marks around it are for the model.
		shown.Text = strings.TrimSpace(details.Text + "\n" + details.Warning)
	}
	got, ok := out.Details.(tools.Output)
	if !ok {
		return shown
	}
	shown.Diff = got.Diff
	details := got.Details
	switch {
	case details.TimedOut:
		shown.Summary = "stopped after " + details.Duration.String()
	case c.Name == "bash" && details.ExitCode != 0:
		shown.Summary = fmt.Sprintf("exit %d", details.ExitCode)
	case got.Diff != "":
		shown.Summary = fmt.Sprintf("+%d -%d lines", details.Added, details.Removed)
	case details.Lines > 0:
		shown.Summary = fmt.Sprintf("%d lines", details.Lines)
	}
	return shown
}

// found lists the tools that a search has found, and the servers that it could not ask.
func found(f host.Found) string {
	var lines []string
	for _, t := range f.Tools {
		lines = append(lines, t.Server+" "+t.Name)
	}
	for _, m := range f.Missing {
		lines = append(lines, "not searched: "+result.OneLine(m.Err.Error(), 300))
	}
	return strings.Join(lines, "\n")
}
