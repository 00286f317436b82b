// Package helppage holds a reference page of the documentation against what a command line says of itself. It owns no
// words of its own but the page's head, must know no library for command lines, and only tests import it.
package helppage

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// Page is a command line and the file that shows its help.
type Page struct {
	// Path is the page's, relative to the test's folder.
	Path string
	// Program is the command's name.
	Program string
	// Commands are the words of each command, in the page's order: []string{"mcp", "call"}.
	Commands [][]string
	// Help gives what the program prints for arguments that end in --help.
	Help func(args ...string) string
}

// Check fails unless the page shows each command's help, or writes the page when update is set.
func Check(t *testing.T, p Page, update bool) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "# The commands of %s\n\nWhat `%[1]s --help` and the help of each command say, written by a test.\n", p.Program)
	section := func(words ...string) {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s```\n", strings.Join(append([]string{p.Program}, words...), " "), p.Help(append(words, "--help")...))
	}
	section()
	for _, words := range p.Commands {
		section(words...)
	}
	if update {
		if err := os.WriteFile(p.Path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	page, err := os.ReadFile(p.Path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(page, []byte(b.String())) {
		t.Errorf("%s is not what %s --help says; go test -run %s -update . writes it anew", p.Path, p.Program, t.Name())
	}
}
