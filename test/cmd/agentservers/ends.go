package main

import (
	"os"
	"strings"
	"syscall"
	"time"
)

// begin starts a call that takes long, and waits until the server has it.
func (t *trial) begin(c call) (*running, bool) {
	before := count(heard(t.log), "tools/call")
	r, err := t.start("mcp", "call", t.name, c.tool, t.here(c.arguments))
	if !t.check("start a long call", err == nil, err) {
		return nil, false
	}
	reached := t.until(func() bool { return count(heard(t.log), "tools/call") > before })
	time.Sleep(200 * time.Millisecond) // What comes after is meant for a call that is under way.
	if !t.check("a long call reaches the server", reached, heard(t.log)) {
		t.check("its end", false, r.wait(t.ctx, 0))
		return nil, false
	}
	return r, true
}

// cancels interrupts a call like somebody who presses Ctrl-C: the server is told, and serves the next one.
func (t *trial) cancels() {
	if t.subject.long == nil {
		t.row.Cancel = "–"
		return
	}
	before := count(heard(t.log), "notifications/cancelled")
	r, ok := t.begin(*t.subject.long)
	if !ok {
		return
	}
	r.command.Process.Signal(os.Interrupt) //nolint:errcheck // What it does not do, the wait shows.
	o := r.wait(t.ctx, ending)
	told := count(heard(t.log), "notifications/cancelled") > before
	if t.check("a call that is given up", o.status == 1 && told, o) {
		t.row.Cancel = "told, ended"
	}
	t.nothingLeft("a call that was given up")
	t.call("a call after one that was given up", t.subject.calls[0])
}

// survives loses the server in the middle of a call: one that only reads is repeated, with another start of the server, and
// any other is not.
func (t *trial) survives() {
	if t.remote != nil {
		t.survivesRemote()
		return
	}
	tried := map[bool]bool{}
	for _, c := range t.subject.calls {
		if c.fails && len(t.subject.calls) > 1 || tried[c.harmless] || !t.check("prepare the tap", touch(t.log+".die"), t.log) {
			continue
		}
		tried[c.harmless] = true
		before := count(heard(t.log), "")
		if c.harmless {
			t.call("a call that only reads, and whose server dies", c)
			starts := count(heard(t.log), "") - before
			t.check("the server is started again", starts == 2, starts)
			continue
		}
		o := t.run(t.ctx, "mcp", "call", t.name, c.tool, t.here(c.arguments))
		lost := o.status == 1 && strings.Contains(o.errors, "the connection to the MCP server has ended") && count(heard(t.log), "") == before+1
		t.check("a call that changes something, and whose server dies", lost, o)
		t.call("the next call", t.subject.calls[len(t.subject.calls)-1])
	}
	t.row.Restart = restarts(tried[true], tried[false])
}

// restarts says what happened to calls whose server was killed: to one that only reads, and to one that changes something.
func restarts(read, changed bool) string {
	switch {
	case read && changed:
		return "a read is repeated, a change is not"
	case read:
		return "a read is repeated"
	}
	return "a change is not repeated, the next call works"
}

// survivesRemote kills the server in the middle of a call and starts it again at the same address.
func (t *trial) survivesRemote() {
	r, ok := t.begin(*t.subject.long)
	if !ok {
		return
	}
	t.remote.kill()
	o := r.wait(t.ctx, patience)
	t.check("a call whose server dies", o.status == 1 && o.errors != "", o)
	o = t.run(t.ctx, "mcp", "call", t.name, t.subject.calls[0].tool, t.subject.calls[0].arguments)
	t.check("a call to a server that is down", o.status == 1 && o.errors != "", o)
	if err := t.remote.run(t.ctx); !t.check("start the server again", err == nil, err) {
		return
	}
	t.call("the next call", t.subject.calls[0])
	t.row.Restart = "told, the next call works"
}

// killed kills the agent itself in the middle of a call, and a server's processes may not outlive it.
func (t *trial) killed() {
	c := t.subject.calls[0]
	switch {
	case t.subject.long != nil:
		c = *t.subject.long
	case !t.check("prepare the tap", touch(t.log+".hold"), t.log):
		return
	}
	r, ok := t.begin(c)
	if !ok {
		return
	}
	r.command.Process.Signal(syscall.SIGKILL) //nolint:errcheck // What it does not do, the wait shows.
	o := r.wait(t.ctx, ending)
	t.check("the agent is killed", o.status == -1, o)
	os.Remove(t.log + ".hold") //nolint:errcheck // There is none where a call is long by itself.
	t.nothingLeft("a killed agent")
}

func touch(path string) bool { return os.WriteFile(path, nil, 0o600) == nil }
