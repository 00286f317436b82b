package interactive

import (
	"fmt"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/agent/internal/result"
)

// maxTarget is how much is shown of the command or address of a server, in bytes.
const maxTarget = 120

// status lists every server with what can be done about it, then files that were skipped and what is wrong in the others.
func (d *desk) status() string {
	c := d.current()
	var b strings.Builder
	if c.Host != nil {
		for _, st := range c.Host.Status() {
			d.serverStatus(&b, st)
		}
	}
	if b.Len() == 0 {
		b.WriteString("No MCP server is used in this session.\n")
		if d.switchedOff() {
			b.WriteString("MCP is switched off, by --no-extensions or in settings.json.\n")
		}
	}
	return b.String() + d.notUsed()
}

// notUsed lists files that were skipped and what is wrong in the others.
func (d *desk) notUsed() string {
	problems := d.workspace().Problems()
	if len(problems) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n**Not used**\n\n")
	for _, p := range problems {
		fmt.Fprintf(&b, "- %s\n", d.short(result.OneLine(p, 1000)))
	}
	return b.String()
}

func (d *desk) switchedOff() bool {
	return d.o.Core.NoMCP || !d.workspace().Settings.Uses("mcp")
}

// serverStatus writes the lines of one server.
func (d *desk) serverStatus(b *strings.Builder, st host.Status) {
	name := result.OneLine(st.Server.Name, 200)
	fmt.Fprintf(b, "- **%s** %s", name, stateWords(st, name))
	if l := st.Listing; l != nil {
		fmt.Fprintf(b, ", %s", counted(len(l.Tools), "tool"))
		if n := len(l.Prompts); n > 0 {
			fmt.Fprintf(b, ", %s", counted(n, "prompt"))
		}
		if n := len(l.Resources) + len(l.Templates); n > 0 {
			fmt.Fprintf(b, ", %s", counted(n, "resource"))
		}
	}
	fmt.Fprintf(b, "\n  - `%s`\n", strings.ReplaceAll(d.short(result.OneLine(st.Server.Shown, maxTarget)), "`", "'"))
	if st.Err != nil && st.State != host.StateLogin {
		fmt.Fprintf(b, "  - %s\n", result.OneLine(st.Err.Error(), 800))
	}
	if st.Server.ShadowsUser {
		b.WriteString("  - the project gives this name to another server than your own configuration does; it gets none of its logins and approvals\n")
	}
	if st.Listing == nil {
		return
	}
	for _, q := range st.Listing.Quarantined {
		fmt.Fprintf(b, "  - %s is left out: %s\n", result.OneLine(q.Name, 200), result.OneLine(q.Reason, 300))
	}
	for _, note := range st.Listing.Notes {
		fmt.Fprintf(b, "  - %s\n", result.OneLine(note, 300))
	}
}

// stateWords say how a server is, and what can be done about it.
func stateWords(st host.Status, name string) string {
	running := "connected"
	if st.Server.Transport == config.Stdio {
		running = "running"
	}
	switch st.State {
	case host.StateReady:
		return running
	case host.StateIdle:
		return "not needed yet"
	case host.StateDisabled:
		if st.Server.Disabled {
			return "off, by its entry"
		}
		return "off: `/mcp enable " + name + "`"
	case host.StateLogin:
		return "needs a login: `/mcp login " + name + "`"
	case host.StateGivenUp:
		return "given up: `/mcp refresh " + name + "`"
	}
	return string(st.State)
}

// counted is a number of things.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// short writes the user's home folder as ~.
func (d *desk) short(text string) string {
	if home := d.o.Core.UserHome; len(home) > 1 {
		return strings.ReplaceAll(text, home+"/", "~/")
	}
	return text
}
