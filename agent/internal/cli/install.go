package cli

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/elyra-go/elyra/agent/internal/settings"
	"github.com/elyra-go/elyra/internal/terminal"
)

// installCommand answers those who know the Elyra that packages are installed into. Nothing is installed into this one.
type installCommand struct {
	Packages []string `arg:"" optional:"" help:"What another Elyra would install, such as npm:@elyracode/mcp."`
}

// bundledScope is where the packages are published that are part of this program.
const bundledScope = "@elyracode/"

func (c *installCommand) Run(r *run) error {
	if len(c.Packages) != 1 {
		return usageError("elyra installs nothing into itself: %s%s", ways(""), asPrompt(c.Packages))
	}
	name, version := splitPackage(c.Packages[0])
	extension, bundled := strings.CutPrefix(name, bundledScope)
	bundled = bundled && slices.Contains(settings.Bundled(), extension)
	switch {
	case bundled && version != "":
		return fmt.Errorf("%s is part of this program and has its version: to pin it, install that version of elyra: go install github.com/elyra-go/elyra/agent/cmd/elyra@%s",
			name, strings.TrimPrefix(version, "v"))
	case bundled:
		_, err := fmt.Fprintf(r.Stdout, "%s is part of this program: there is nothing to install.\n"+
			"To do without it, run: elyra config set extensions.%s false\n", name, extension)
		return err
	}
	return usageError("%s is not installed, because elyra installs nothing into itself: %s%s", terminal.OneLine(c.Packages[0]), ways(name), asPrompt(c.Packages))
}

// splitPackage takes the version from a package such as npm:@scope/name@1.2.3.
func splitPackage(text string) (name, version string) {
	name = strings.TrimPrefix(text, "npm:")
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		return name[:at], name[at+1:]
	}
	return name, ""
}

// ways are what there is in the place of packages, for one of that name.
func ways(name string) string {
	server, run := "NAME", "PACKAGE"
	if name != "" && !strings.ContainsAny(name, " \t\n'\"$`\\") {
		server, run = path.Base(name), name
	}
	return fmt.Sprintf("an MCP server is added with \"elyra mcp add %s -- npx -y %s\"; skills, prompts and hooks are files, see docs/guide/agent.md", server, run)
}

// asPrompt says how words are told the agent that begin with the name of this command.
func asPrompt(words []string) string {
	if len(words) < 2 {
		return ""
	}
	return fmt.Sprintf("; to ask the agent for it, write: elyra %q", terminal.OneLine("install "+strings.Join(words, " ")))
}
