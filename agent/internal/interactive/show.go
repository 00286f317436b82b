package interactive

import (
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/loop"
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
	return c.Name + " " + result.OneLine(result.Clean(string(c.Arguments)), 200)
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
