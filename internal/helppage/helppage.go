// Package helppage holds a reference page of the documentation against what a command line says of itself. It owns no
// words of its own but the page's head, must know no library for command lines, and only tests import it.
package helppage

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Check fails unless the page at path shows the help of a program and of each command that the program's help lists, or writes
// the page when update is set. Help gives what the program prints for arguments that end in --help.
func Check(t *testing.T, path, program string, help func(args ...string) string, update bool) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "# The commands of %s\n\nWhat `%[1]s --help` and the help of each command say, written by a test.\n", program)
	section := func(words ...string) {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n%s```\n", strings.Join(append([]string{program}, words...), " "), help(append(words, "--help")...))
	}
	section()
	for _, words := range listed(help("--help")) {
		section(words...)
	}
	if update {
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != b.String() {
		t.Errorf("%s is not what %s --help says; go test -run %s -update . writes it anew", path, program, t.Name())
	}
}

// listed are the words of each command below "Commands:". What it takes stands behind them in brackets; what it does, below
// it and further in.
func listed(help string) (commands [][]string) {
	_, list, _ := strings.Cut(help, "\nCommands:\n")
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "   ") {
			continue
		}
		var words []string
		for _, word := range strings.Fields(line) {
			if strings.ContainsAny(word[:1], "[<") {
				break
			}
			words = append(words, word)
		}
		commands = append(commands, words)
	}
	return commands
}
