package core

import (
	"context"
	"runtime"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/instructions"
)

// system is the system prompt, made once and the same bytes throughout a session.
func (c *Core) system(ctx context.Context) string {
	where := c.Workspace.Instructions()
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
