package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// entry is one server of the command line.
type entry struct {
	name, version, command string
	kinds                  []subject
}

func parseEntry(text string) (entry, error) {
	parts := strings.SplitN(text, "=", 3)
	if len(parts) != 3 {
		return entry{}, fmt.Errorf("%q is not NAME=VERSION=COMMAND", text)
	}
	kinds, ok := subjects()[parts[0]]
	if !ok {
		return entry{}, fmt.Errorf("there is no server %q", parts[0])
	}
	return entry{name: parts[0], version: parts[1], command: parts[2], kinds: kinds}, nil
}

// together gives one agent all local servers: they start at the same time, are searched as one, and two processes of the
// agent fetch all lists at once.
func together(ctx context.Context, program string, entries []entry) (*trial, error) {
	folder, err := os.MkdirTemp("", "agentservers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	t := &trial{
		agent: agent{program: program, home: filepath.Join(folder, "home"), project: filepath.Join(folder, "project")},
		ctx:   ctx, name: "all of them", row: row{Transport: stdio},
	}
	for _, e := range entries {
		if e.kinds[0].transport != stdio {
			continue
		}
		t.name, t.subject, t.log = e.name, e.kinds[0], filepath.Join(folder, "heard-"+e.name)
		if err := t.prepare(); err != nil {
			return nil, err
		}
		if err := t.add(e.command); err != nil {
			return nil, err
		}
	}
	t.name = "all of them"
	t.refreshTwice(len(entries))
	for _, e := range entries {
		t.subject, t.row.Kept = e.kinds[0], false // Some are asked again, which is none of this trial's business.
		t.searches()
	}
	t.nothingLeft("searches")
	return t, nil
}

// refreshTwice fetches every list from two processes at once.
func (t *trial) refreshTwice(servers int) {
	first, err := t.start("mcp", "refresh")
	second, err2 := t.start("mcp", "refresh")
	if !t.check("start", err == nil && err2 == nil, fmt.Sprint(err, err2)) {
		return
	}
	for _, r := range []*running{first, second} {
		o := r.wait(t.ctx, patience)
		t.check("every list", o.status == 0 && strings.Count(o.out, " tools\n") == servers, o)
		t.row.Tools, t.row.Milliseconds = 0, int(o.took.Milliseconds())
		for line := range strings.Lines(o.out) {
			n := 0
			if _, list, ok := strings.Cut(line, ": "); ok {
				fmt.Sscan(list, &n) //nolint:errcheck // Then it is none.
			}
			t.row.Tools += n
		}
	}
	t.nothingLeft("two refreshes at once")
}
