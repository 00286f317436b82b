package cli

import (
	"bytes"
	"context"
	"flag"
	"testing"

	"github.com/elyra-go/elyra/internal/helppage"
)

var update = flag.Bool("update", false, "write docs/reference/elyra.md anew")

func TestReferenceShowsTheHelpOfEachCommand(t *testing.T) {
	t.Parallel()
	helppage.Check(t, "../../../docs/reference/elyra.md", "elyra", func(args ...string) string {
		var out bytes.Buffer
		if code := Run(context.Background(), args, Env{Stdout: &out, Stderr: &out}); code != exitOK {
			t.Errorf("%q: exit code %d\n%s", args, code, out.String())
		}
		return out.String()
	}, *update)
}
