package cli

import (
	"bytes"
	"context"
	"flag"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/elyra-go/elyra/internal/helppage"
)

var update = flag.Bool("update", false, "write docs/reference/rata.md anew")

func TestReferenceShowsTheHelpOfEachCommand(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(&commands{}, kong.Vars{"version": ""})
	if err != nil {
		t.Fatal(err)
	}
	page := helppage.Page{Path: "../../../docs/reference/rata.md", Program: "rata", Help: func(args ...string) string {
		var out bytes.Buffer
		if code := Run(context.Background(), args, Env{Stdout: &out, Stderr: &out}); code != exitOK {
			t.Errorf("%q: exit code %d\n%s", args, code, out.String())
		}
		return out.String()
	}}
	var walk func(node *kong.Node, words []string)
	walk = func(node *kong.Node, words []string) {
		for _, child := range node.Children {
			if child.Hidden {
				continue
			}
			path := append(append([]string{}, words...), child.Name)
			if len(child.Children) == 0 {
				page.Commands = append(page.Commands, path)
			}
			walk(child, path)
		}
	}
	walk(parser.Model.Node, nil)
	helppage.Check(t, page, *update)
}
