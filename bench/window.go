package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// paintedRow tells when what an agent adds is on the screen. The test that measures it needs what check-window needs;
// without that there is no table.
func (b *bench) paintedRow() error {
	b.window.columns = []string{"an agent adds a row, from its call", "elyra"}
	b.window.notes = []string{"The CRM in WebKitGTK on a virtual display; medians of 25 calls (scripts/window.sh painted)."}
	out, err := exec.CommandContext(b.ctx, "bash", "scripts/window.sh", "painted").CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "bench: the window is not measured (scripts/install-deps.sh window installs what it needs): %v\n%s", err, out)
	}
	measured := attributes(out)
	for _, row := range [][2]string{
		{"the agent has its answer", "reply"},
		{"the row is in the document of the second of two windows", "row-in-document"},
		{"the row is painted there", "row-painted"},
		{"the same, 90th percentile", "row-painted-p90"},
	} {
		if ms, ok := measured[row[1]]; ok {
			b.window.add(row[0], ms+" ms")
		}
	}
	return nil
}

// attributes are those that a test has set, as go test -v prints them.
func attributes(output []byte) map[string]string {
	all := map[string]string{}
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) == 5 && words[0] == "===" && words[1] == "ATTR" {
			all[words[3]] = words[4]
		}
	}
	return all
}
