package helppage

import (
	"fmt"
	"testing"
)

func TestListed(t *testing.T) {
	t.Parallel()
	help := "Usage: tool <command>\n\nFlags:\n  -h, --help   Show help.\n\nCommands:\n  make:table <name> [<fields> ...] [flags]\n    Write a table.\n\n" +
		"  mcp call <tool> [flags]\n    Be the agent: call a tool of the\n    app.\n\n  list\n    Show.\n\nRun \"tool <command> --help\" for more.\n"
	if got := fmt.Sprint(listed(help)); got != "[[make:table] [mcp call] [list]]" {
		t.Errorf("listed %s", got)
	}
	if got := listed("Usage: tool\n"); got != nil {
		t.Errorf("a program without commands has %v", got)
	}
}
