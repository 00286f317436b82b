package main

import (
	"fmt"
	"os"
	"strings"
)

// row is what was seen of one server.
type row struct {
	Server, Version, Transport string
	Protocol                   string
	Tools, Quarantined         int
	Kept                       bool // its list is kept for later sessions
	Call, Asks                 string
	Cancel, Restart            string
	Left                       int // processes
	Milliseconds               int
	Note                       string
}

// The table of a page is between these lines.
const (
	tableBegin = "<!-- written by test/cmd/agentservers -->\n"
	tableEnd   = "<!-- end -->\n"
)

const tableHead = "| server | version | transport | protocol | tools | left out | list kept | call | question | cancel | server killed in a call | processes left | time to list |\n" +
	"|---|---|---|---|---:|---:|---|---|---|---|---|---:|---:|\n"

// text is the row in the table. The last column is the time.
func (r row) text() string {
	kept := "no"
	if r.Kept {
		kept = "yes"
	}
	asks := r.Asks
	if asks == "" {
		asks = "–"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %d | %d | %s | %s | %s | %s | %s | %d | %.1f s |\n", r.Server, r.Version, r.Transport, r.Protocol,
		r.Tools, r.Quarantined, kept, r.Call, asks, r.Cancel, r.Restart, r.Left, float64(r.Milliseconds)/1000)
}

func tableOf(rows []row) string {
	var b strings.Builder
	b.WriteString(tableHead)
	for _, r := range rows {
		b.WriteString(r.text())
	}
	notes := map[string]bool{}
	for _, r := range rows {
		if r.Note != "" && !notes[r.Server] {
			notes[r.Server] = true
			fmt.Fprintf(&b, "\n%s: %s.\n", r.Server, r.Note)
		}
	}
	return b.String()
}

// page divides a page at its table.
func page(path string) (before, table, after string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", "", "", err
	}
	before, rest, begun := strings.Cut(string(text), tableBegin)
	table, after, ended := strings.Cut(rest, tableEnd)
	if !begun || !ended {
		return "", "", "", fmt.Errorf("%s has no table between %q and %q", path, tableBegin, tableEnd)
	}
	return before, table, after, nil
}

func writeTable(path string, rows []row) error {
	before, _, after, err := page(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(before+tableBegin+tableOf(rows)+tableEnd+after), 0o644)
}

// slowStart is what makes the agent take a modern server for one that does not know the question about its era.
const slowStart = 5000

// compareTable fails when the page has other rows than what was seen, apart from the time. What a busy machine made slow
// is not compared.
func compareTable(path string, rows []row) error {
	_, table, _, err := page(path)
	if err != nil {
		return err
	}
	if n := strings.Count(table, "\n| "); n != len(rows) {
		return fmt.Errorf("%s has %d servers, %d were tried", path, n, len(rows))
	}
	for _, r := range rows {
		want := r.text()
		timeless := want[:strings.LastIndex(strings.TrimSuffix(want, "|\n"), "|")+1]
		if r.Milliseconds < slowStart && !strings.Contains(table, timeless) {
			return fmt.Errorf("%s does not say what was seen; test/peers/agent-servers.sh write writes it anew:\n%s", path, want)
		}
	}
	return nil
}
