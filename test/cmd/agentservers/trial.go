package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// trial is the agent and one server.
type trial struct {
	agent
	ctx     context.Context
	name    string // in the agent's configuration
	subject subject
	log     string // what the agent wrote to the server
	remote  *remote

	row            row
	passed, failed int
}

// try makes a home, tells the agent of the server in it, and tries everything.
func try(ctx context.Context, program, name string, kind subject, command string) (*trial, error) {
	folder, err := os.MkdirTemp("", "agentservers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	t := &trial{
		agent: agent{program: program, home: filepath.Join(folder, "home"), project: filepath.Join(folder, "project")},
		ctx:   ctx, name: name, subject: kind, log: filepath.Join(folder, "heard"),
		row: row{Transport: kind.transport, Note: kind.note},
	}
	if err := t.prepare(); err != nil {
		return nil, err
	}
	if err := t.add(command); err != nil {
		return nil, err
	}
	if t.remote != nil {
		defer t.remote.close()
	}
	t.lists()
	t.searches()
	t.calls()
	t.asks()
	t.cancels()
	t.survives()
	t.killed()
	return t, nil
}

// prepare makes the home with what the server needs in it.
func (t *trial) prepare() error {
	for _, f := range []string{t.home, t.project} {
		if err := os.MkdirAll(f, 0o700); err != nil {
			return err
		}
	}
	for path, text := range t.subject.files {
		if err := os.WriteFile(filepath.Join(t.home, path), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// check counts, and says what did not hold.
func (t *trial) check(what string, holds bool, seen any) bool {
	if holds {
		t.passed++
		return true
	}
	t.failed++
	fmt.Fprintf(os.Stderr, "agentservers: %s, %s: %s: %v\n", t.name, t.subject.transport, what, seen)
	return false
}

// here puts the trial's home into a text.
func (t *trial) here(text string) string { return strings.ReplaceAll(text, "HOME", t.home) }

// add writes the server into the agent's configuration with the agent's own command, and starts a remote one.
func (t *trial) add(command string) error {
	var args []string
	for _, a := range t.subject.args {
		args = append(args, t.here(a))
	}
	add := []string{"mcp", "add", t.name}
	for _, v := range t.subject.env {
		add = append(add, "--env", t.here(v))
	}
	if t.subject.transport == stdio {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		add = append(add, "--", self, tapArgument, t.log, command)
		add = append(add, args...)
	} else {
		var err error
		t.remote, err = listenRemote(t.log, func(port string) *exec.Cmd {
			server := exec.Command(command, args...)
			server.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.project, "PORT=" + port}
			return server
		})
		if err != nil {
			return err
		}
		if err := t.remote.run(t.ctx); err != nil {
			t.remote.close()
			return fmt.Errorf("%s: %w", t.name, err)
		}
		add = append(add, t.remote.address+t.subject.path)
	}
	o := t.run(t.ctx, add...)
	t.check("elyra mcp add", o.status == 0, o)
	return nil
}

// lists lets the doctor start the server from nothing, and compares what is listed afterwards.
func (t *trial) lists() {
	var doctor struct {
		Servers []struct {
			OK           bool     `json:"ok"`
			Tools        int      `json:"tools"`
			Milliseconds int      `json:"milliseconds"`
			Version      string   `json:"version"`
			Notes        []string `json:"notes"`
		} `json:"servers"`
	}
	o, err := t.decode(t.ctx, &doctor, "mcp", "doctor", "--json")
	if !t.check("doctor", err == nil && o.status == 0 && len(doctor.Servers) == 1 && doctor.Servers[0].OK && doctor.Servers[0].Tools > 0, o) {
		return
	}
	found := doctor.Servers[0]
	t.row.Protocol, t.row.Tools, t.row.Milliseconds = found.Version, found.Tools, found.Milliseconds
	for _, n := range found.Notes {
		if strings.Contains(n, " is left out: ") {
			t.row.Quarantined++
		}
	}
	t.nothingLeft("doctor")
	var list struct {
		Servers []struct {
			Transport string `json:"transport"`
			State     string `json:"state"`
			Tools     *int   `json:"tools"`
		} `json:"servers"`
	}
	o, err = t.decode(t.ctx, &list, "mcp", "list", "--json")
	if t.check("list", err == nil && o.status == 0 && len(list.Servers) == 1 && list.Servers[0].State == "idle", o) {
		t.row.Kept = list.Servers[0].Tools != nil
		t.check("the number of tools", !t.row.Kept || *list.Servers[0].Tools == t.row.Tools, o)
		t.check("the transport", list.Servers[0].Transport == t.subject.transport, o)
	}
}

// searches finds the tool of the first call, and starts nothing when the list was kept.
func (t *trial) searches() {
	var found struct {
		Tools []struct {
			Tool string `json:"tool"`
		} `json:"tools"`
		Searched int `json:"searched"`
	}
	want := cmp.Or(t.subject.finds, t.subject.calls[0].tool)
	before := len(heard(t.log))
	o, err := t.decode(t.ctx, &found, "mcp", "search", "--json", "--wait", "60s", t.subject.words)
	hit := false
	for _, f := range found.Tools {
		hit = hit || f.Tool == want
	}
	t.check("search", err == nil && o.status == 0 && hit && found.Searched == t.row.Tools, o)
	if t.row.Kept {
		t.check("a search without the server", len(heard(t.log)) == before, "it was asked something")
	}
}

// call runs a tool and compares what comes of it.
func (t *trial) call(what string, c call) outcome {
	o := t.run(t.ctx, "mcp", "call", t.name, c.tool, t.here(c.arguments))
	want := 0
	if c.fails {
		want = 1
	}
	t.check(what, o.status == want && strings.Contains(o.out+o.errors, c.says), o)
	return o
}

func (t *trial) calls() {
	for _, c := range t.subject.calls {
		t.call("call "+c.tool, c)
	}
	o := t.run(t.ctx, "mcp", "call", t.name, "no-such-tool-here")
	t.check("an unknown tool", o.status == 1 && o.errors != "", o)
	t.row.Call = t.subject.calls[0].tool
	if t.subject.calls[0].fails {
		t.row.Call += " (its error)"
	}
	t.nothingLeft("the calls")
}

// asks lets the server ask the user: without a terminal, which declines, and with somebody at one.
func (t *trial) asks() {
	if t.subject.asks == nil {
		return
	}
	o := t.run(t.ctx, "mcp", "call", t.name, t.subject.asks.tool, t.subject.asks.arguments)
	t.check("a question to nobody", o.status == 0 && strings.Contains(o.out, "declined") && strings.Contains(o.errors, "there is no terminal"), o)
	o = t.atTerminal("Ada", "mcp", "call", t.name, t.subject.asks.tool, t.subject.asks.arguments)
	t.check("a question at a terminal", o.status == 0 && strings.Contains(o.out, "Name: Ada"), o)
	t.row.Asks = "yes"
}

// nothingLeft checks that no process of the agent or of its servers is there.
func (t *trial) nothingLeft(after string) {
	found := t.none(t.ctx)
	t.check("nothing is left after "+after, len(found) == 0, found)
	t.row.Left += len(found)
}

// until waits for something that another process does.
func (t *trial) until(holds func() bool) bool {
	deadline := time.Now().Add(patience)
	for !holds() {
		if time.Now().After(deadline) || t.ctx.Err() != nil {
			return false
		}
		time.Sleep(20 * time.Millisecond)
	}
	return true
}
