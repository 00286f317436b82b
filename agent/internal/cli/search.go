package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/internal/terminal"
	"github.com/elyra-go/elyra/internal/toolargs"
)

type searchCommand struct {
	projectFlags

	Query  []string      `arg:"" help:"What the tool should do, in any language."`
	Server string        `help:"Search the tools of one server only."`
	Limit  int           `default:"8" help:"How many tools to show at most."`
	Wait   time.Duration `default:"10s" help:"How long servers that were never asked may take to answer."`
	JSON   bool          `name:"json" help:"Print JSON for scripts, with the whole schemas."`
}

// foundTool is a tool as search prints it for scripts.
type foundTool struct {
	Server      string         `json:"server"`
	Tool        string         `json:"tool"`
	Title       string         `json:"title,omitzero"`
	Description string         `json:"description,omitzero"`
	InputSchema jsontext.Value `json:"inputSchema"`
}

func (c *searchCommand) Run(r *run) error {
	s, err := c.open(r)
	if err != nil {
		return err
	}
	if len(s.Enabled()) == 0 {
		s.warn()
		return errNoServers
	}
	return s.with(func(ctx context.Context, h *host.Host) error {
		found, err := h.Search(ctx, strings.Join(c.Query, " "), host.SearchOptions{Server: c.Server, Limit: c.Limit, Wait: c.Wait})
		if err != nil {
			return err
		}
		if c.JSON {
			return printFound(r, found)
		}
		for _, t := range found.Tools {
			showTool(r, t)
		}
		for _, m := range found.Missing {
			s.say("not searched: %v", m.Err)
		}
		if len(found.Tools) == 0 {
			return nothingFound(found)
		}
		return nil
	})
}

func nothingFound(found host.Found) error {
	hint := ""
	if len(found.Suggest) > 0 {
		hint = fmt.Sprintf(", did you mean %s?", strings.Join(found.Suggest, ", "))
	}
	return fmt.Errorf("none of %d tools fits%s", found.Total, hint)
}

func showTool(r *run, t catalog.Tool) {
	fmt.Fprintf(r.Stdout, "%s  %s\n", terminal.OneLine(terminal.Visible(t.Server)), terminal.OneLine(terminal.Visible(t.Name)))
	if line := terminal.FirstLine(terminal.Visible(t.Description)); line != "" {
		fmt.Fprintf(r.Stdout, "  %s\n", line)
	}
	toolargs.Table(visibleWriter{r.Stdout}, "    ", toolargs.List(t.InputSchema))
}

func printFound(r *run, found host.Found) error {
	tools := make([]foundTool, 0, len(found.Tools))
	for _, t := range found.Tools {
		tools = append(tools, foundTool{t.Server, t.Name, t.Title, t.Description, t.InputSchema})
	}
	missing := map[string]string{}
	for _, m := range found.Missing {
		missing[m.Server] = m.Err.Error()
	}
	return printJSON(r.Stdout, map[string]any{"tools": tools, "searched": found.Total, "suggest": found.Suggest, "missing": missing})
}
