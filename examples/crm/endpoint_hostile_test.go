//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/hostile"
)

// endpointFolder is where the app of a home keeps its token and its pointer file.
func endpointFolder(home string) string {
	return filepath.Join(home, ".config", "dev.elyra.crm", "endpoint")
}

// socketOf is where the app of a home says that it listens.
func socketOf(t *testing.T, home string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(endpointFolder(home), "pointer.json"))
	if err != nil {
		t.Fatal(err)
	}
	var pointer struct{ Address string }
	if err := json.Unmarshal(content, &pointer); err != nil {
		t.Fatal(err)
	}
	return pointer.Address
}

// TestWhatLiesInTheWay starts a client's server where the running app cannot be had, and has it work without.
func TestWhatLiesInTheWay(t *testing.T) {
	t.Parallel()
	write := func(name, content string) func(*testing.T, string, *runningApp) {
		return func(t *testing.T, home string, _ *runningApp) {
			if err := os.WriteFile(filepath.Join(endpointFolder(home), name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		prepare func(t *testing.T, home string, app *runningApp)
		says    string
	}{
		"a stale socket":         {killed, "the app is not open"},
		"a pointer to nowhere":   {write("pointer.json", `{"network":"unix","address":"/nowhere/mcp.sock"}`), "the app is not open"},
		"a pointer far away":     {write("pointer.json", `{"network":"tcp","address":"192.0.2.1:80"}`), "not a port of 127.0.0.1"},
		"a pointer that is none": {write("pointer.json", "\x00\xff"), "read pointer file"},
		"a wrong token":          {write("token", strings.Repeat("x", 32)), "could not prove"},
		"an unreadable token": {func(t *testing.T, home string, _ *runningApp) {
			// A folder is what not even root can read as a file.
			token := filepath.Join(endpointFolder(home), "token")
			if err := os.Remove(token); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(token, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "token is not a regular file"},
		"a folder open to others": {func(t *testing.T, home string, _ *runningApp) {
			if err := os.Chmod(endpointFolder(home), 0o755); err != nil {
				t.Fatal(err)
			}
		}, "is open to other users"},
		"a squatter that echoes": {func(t *testing.T, home string, app *runningApp) {
			squat(t, home, app, func(conn net.Conn) { io.Copy(conn, conn) })
		}, "could not prove"},
		"a squatter that drops": {func(t *testing.T, home string, app *runningApp) {
			squat(t, home, app, func(conn net.Conn) { io.CopyN(io.Discard, conn, 1) })
		}, "during the handshake"},
		"a squatter that is silent": {func(t *testing.T, home string, app *runningApp) {
			squat(t, home, app, func(conn net.Conn) { io.Copy(io.Discard, conn) })
		}, "not finished in time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			app := startApp(t, home)
			c.prepare(t, home, app)
			// The app's data is in another folder, so that nothing is shared with one that still runs.
			agent := hostile.Start(t, program(t, emptied(home), "--mcp"))
			m := agent.Ask(`1`, hostile.Call(`1`, "customers_index", `{"query":{"perPage":1}}`))
			if m.Error != nil || !strings.Contains(string(m.Result), `"total":324`) {
				t.Errorf("the call gives %s %v", m.Result, m.Error)
			}
			agent.CloseInput()
			if log := agent.Exited(); !strings.Contains(log, c.says) || !strings.Contains(log, "without a window") {
				t.Errorf("the log does not say why (%s):\n%s", c.says, log)
			}
		})
	}
}

func killed(t *testing.T, _ string, app *runningApp) {
	if err := app.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-app.ended
}

// squat kills the app and has somebody else listen in its place, until the test ends.
func squat(t *testing.T, home string, app *runningApp, serve func(net.Conn)) {
	t.Helper()
	path := socketOf(t, home)
	killed(t, home, app)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
}

// TestAThousandConnectionsToTheApp has strangers connect to a running app and keep quiet, open handshakes that they do not
// finish, and send 20 MiB, while an agent works in it and others come.
func TestAThousandConnectionsToTheApp(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	app := startApp(t, home)
	early := mcpProcess(t, home)
	early.Alive()
	socket := socketOf(t, home)
	dial := func() net.Conn {
		conn, err := net.Dial("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn
	}
	works := func(after string) {
		t.Helper()
		late := mcpProcess(t, home)
		for name, agent := range map[string]*hostile.Process{"an agent from before": early, "a new agent": late} {
			if m := agent.Ask(`1`, hostile.Call(`1`, "customers_show", `{"id":1}`)); m.Error != nil || strings.Contains(string(m.Result), "isError") {
				t.Errorf("after %s: %s: %s %v", after, name, m.Result, m.Error)
			}
		}
		late.CloseInput()
		if log := late.Exited(); strings.Contains(log, "without a window") {
			t.Errorf("after %s: the new agent did not reach the app:\n%s", after, log)
		}
	}
	const hello = `{"elyra":1,"nonce":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="}` + "\n"
	for what, said := range map[string]string{"quiet connections": "", "half a line": hello[:20], "half a handshake": hello, "nonsense": "GET / HTTP/1.1\r\n\r\n"} {
		for range 1000 {
			io.WriteString(dial(), said)
		}
		works("1,000 of " + what)
	}
	for range 20 {
		conn := dial()
		conn.SetDeadline(time.Now().Add(10 * time.Second))
		if n, err := io.CopyN(conn, bufio.NewReader(endless{}), 20<<20); err == nil {
			t.Errorf("the app took %d bytes before any proof", n)
		}
	}
	works("20 MiB before the handshake")
	if used := peakMemory(t, app.cmd.Process.Pid); used > maxMemory {
		t.Errorf("the app has used %d KiB", used)
	}
	if log := app.quit(); strings.Count(log, "tool=customers_show") != 10 {
		t.Errorf("the app answered %d of 10 calls", strings.Count(log, "tool=customers_show"))
	} else if lines := strings.Count(log, "\n"); lines > 200 {
		t.Errorf("the log has %d lines", lines)
	}
}

// endless is a stream of one letter.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestManyShimsAtOnce has forty clients start a server each; all of them are served by the one app.
func TestManyShimsAtOnce(t *testing.T) {
	t.Parallel()
	const shims = 40
	home := t.TempDir()
	app := startApp(t, home)
	var all []*hostile.Process
	for range shims {
		all = append(all, mcpProcess(t, home))
	}
	for i, p := range all {
		p.Write(hostile.Call(fmt.Sprint(i), "customers_show", `{"id":1}`))
	}
	for i, p := range all {
		if m := p.Answer(fmt.Sprint(i)); m.Error != nil || strings.Contains(string(m.Result), "isError") {
			t.Errorf("shim %d: %s %v", i, m.Result, m.Error)
		}
	}
	if log := app.quit(); strings.Count(log, "tool=customers_show") != shims {
		t.Errorf("the app answered %d of %d", strings.Count(log, "tool=customers_show"), shims)
	}
}
