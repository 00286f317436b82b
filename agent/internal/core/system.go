package core

import (
	"context"
	"runtime"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/instructions"
)

// places say where the user and the project keep instructions.
func (c *Core) places() instructions.Options {
	return instructions.Options{
		UserHome: c.o.UserHome, AgentHome: c.Workspace.Home.Path(), Project: c.Workspace.Project, Dir: c.o.Workspace.Dir(),
		Trusted: c.Workspace.Trusted,
	}
}

// system is the system prompt, made once and the same bytes throughout a session.
func (c *Core) system(ctx context.Context) string {
	where := c.places()
	files, notes := instructions.Memory(where)
	skills, problems := instructions.Skills(where)
	for _, n := range append(notes, problems...) {
		c.o.Notice(n)
	}
	c.skills = skills
	added := c.o.Append
	if text := c.atStart(ctx); text != "" {
		added = strings.TrimSpace(added + "\n\n" + text)
	}
	return instructions.System(instructions.Prompt{
		Date: time.Now(), Dir: where.Dir, Branch: instructions.Branch(c.Workspace.Project), OS: runtime.GOOS,
		Files: files, Skills: skills, Append: added,
	})
}

// Templates are the prompts that the user calls by name.
func (c *Core) Templates() []instructions.Template {
	templates, notes := instructions.Templates(c.places())
	for _, n := range notes {
		c.o.Notice(n)
	}
	return templates
}
