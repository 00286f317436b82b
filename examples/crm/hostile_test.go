package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/hostile"
	"github.com/elyra-go/elyra/internal/mcp"
)

// maxMemory is what the app may ever have used, in KiB, after lines of 20 MiB: the longest line that it
// keeps is of 16 MiB, a buffer doubles as it grows, and the collector lets as much lie about again.
const maxMemory = 300 << 10

// peakMemory returns the most memory that a process has used, in KiB. Only Linux tells.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	status, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("the system does not tell how much memory the process used")
	return 0
}

// mcpProcess is the CRM as an MCP client starts it.
func mcpProcess(t *testing.T, home string) *hostile.Process {
	t.Helper()
	return hostile.Start(t, program(t, session(t, home), "--mcp"))
}

func TestHostileInputOverStdio(t *testing.T) {
	t.Parallel()
	p := mcpProcess(t, t.TempDir())
	for _, in := range hostile.Inputs() {
		p.Survive(in)
	}
	if used := peakMemory(t, p.Cmd.Process.Pid); used > maxMemory {
		t.Errorf("the process has used %d KiB", used)
	}
	if m := p.Ask(`1`, hostile.Call(`1`, "customers_show", `{"id":1}`)); m.Error != nil || strings.Contains(string(m.Result), "isError") {
		t.Errorf("after all that a call gives %s %v", m.Result, m.Error)
	}
	p.CloseInput()
	p.Exited()
}

// TestHostileInputHarmsNobodyElse sends the same to a running app, while a second client works there.
func TestHostileInputHarmsNobodyElse(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	app := startApp(t, home)
	good, bad := mcpProcess(t, home), mcpProcess(t, home)
	good.Ask(`"init"`, hostile.Initialize(`"init"`, mcp.V2025_06_18))
	for i, in := range hostile.Inputs() {
		bad.Survive(in)
		good.Alive()
		if m := good.Ask(`1`, hostile.Legacy(`1`, "tools/list", "")); m.Error != nil || !strings.Contains(string(m.Result), "customers_show") {
			t.Fatalf("after %q another client's list is %s %v", in.Name, m.Result, m.Error)
		}
		if i == 0 {
			good.Ask(`2`, hostile.Call(`2`, "customers_show", `{"id":1}`))
		}
	}
	for name, pid := range map[string]int{"the app": app.cmd.Process.Pid, "the process in between": bad.Cmd.Process.Pid} {
		if used := peakMemory(t, pid); used > maxMemory {
			t.Errorf("%s has used %d KiB", name, used)
		}
	}
	if m := good.Ask(`3`, hostile.Call(`3`, "customers_show", `{"id":1}`)); m.Error != nil || strings.Contains(string(m.Result), "isError") {
		t.Errorf("after all that a call gives %s %v", m.Result, m.Error)
	}
	app.quit()
}

func TestHostileSessions(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	app := startApp(t, home)
	good := mcpProcess(t, home)
	alive := func(after string) {
		t.Helper()
		good.Alive()
		if m := good.Ask(`1`, hostile.Request(`1`, "tools/list", "")); m.Error != nil {
			t.Errorf("after %s: %v", after, m.Error)
		}
	}
	for name, attack := range map[string]func(t *testing.T, bad *hostile.Process){
		"both eras on one connection": bothEras,
		"an id twice, and cancelled":  idsInFlight,
		"1,000 calls at once":         thousandCalls,
		"an end with calls in flight": endInFlight,
		"a termination":               terminated,
		"a client that is simply killed": func(t *testing.T, bad *hostile.Process) {
			bad.Write(hostile.Call(`1`, "customers_index", `{}`), `{"jsonrpc":"2.0","id":2,"meth`)
			if err := bad.Cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) { attack(t, mcpProcess(t, home)) })
		alive(name)
	}
	app.quit()
}

func bothEras(t *testing.T, bad *hostile.Process) {
	for range 2 {
		bad.Alive() // which asks server/discover
		bad.Ask(`"i"`, hostile.Initialize(`"i"`, mcp.V2025_03_26))
		if m := bad.Ask(`1`, hostile.Request(`1`, "tools/list", "")); !strings.Contains(string(m.Result), "resultType") {
			t.Errorf("a modern request got %s", m.Result)
		}
		if m := bad.Ask(`2`, hostile.Legacy(`2`, "tools/list", "")); m.Error != nil || strings.Contains(string(m.Result), "resultType") {
			t.Errorf("a legacy request got %s", m.Result)
		}
		bad.Ask(`"j"`, hostile.Initialize(`"j"`, mcp.V2025_11_25))
		bad.Survive(hostile.Input{Name: "a batch after another initialize", Lines: []string{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`}, Wants: []hostile.Want{{Code: -32600}}})
	}
}

// idsInFlight has a legacy client be asked to confirm, so that the call stays open.
func idsInFlight(t *testing.T, bad *hostile.Process) {
	bad.Ask(`"i"`, hostile.Initialize(`"i"`, mcp.V2025_11_25))
	destroy := hostile.Legacy(`1`, "tools/call", `{"name":"customers_destroy","arguments":{"id":1}}`)
	bad.Write(destroy)
	question, ok := bad.Next()
	if !ok || question.Method != "elicitation/create" {
		t.Fatalf("the first message is %+v, want a question", question)
	}
	bad.Write(destroy)
	if m, _ := bad.Next(); m.Error == nil || m.Error.Code != -32600 || string(m.ID) != "1" {
		t.Errorf("the same id again: %+v", m)
	}
	// The question is taken back, and the call is not answered any more.
	bad.Write(hostile.Cancel(`1`))
	if m, _ := bad.Next(); m.Method != "notifications/cancelled" || !strings.Contains(string(m.Params), string(question.ID)) {
		t.Errorf("after the cancel: %+v", m)
	}
	bad.Write(`{"jsonrpc":"2.0","id":` + string(question.ID) + `,"result":{"action":"accept","content":{}}}`)
	bad.Alive()
	if m := bad.Ask(`2`, hostile.Call(`2`, "customers_show", `{"id":1}`)); strings.Contains(string(m.Result), "isError") {
		t.Errorf("the customer was deleted after the cancel: %s", m.Result)
	}
	bad.Write(hostile.Cancel(`2`)) // it is finished
	bad.Alive()
}

func thousandCalls(t *testing.T, bad *hostile.Process) {
	const calls = 1000
	var lines []string
	for i := range calls {
		lines = append(lines, hostile.Call(strconv.Itoa(i), "customers_index", `{"query":{"perPage":100}}`))
	}
	bad.Write(lines...)
	answered := map[string]bool{}
	for range calls {
		m, ok := bad.Next()
		if !ok {
			t.Fatalf("the stream ended after %d answers", len(answered))
		}
		answered[string(m.ID)] = true
		if m.Error != nil && m.Error.Code != mcp.CodeBusy {
			t.Errorf("call %s: %v", m.ID, m.Error)
		}
	}
	if len(answered) != calls {
		t.Errorf("%d of %d calls were answered", len(answered), calls)
	}
	bad.Alive()
}

func endInFlight(t *testing.T, bad *hostile.Process) {
	bad.Ask(`"i"`, hostile.Initialize(`"i"`, mcp.V2025_11_25))
	bad.Write(hostile.Call(`1`, "customers_index", `{}`), hostile.Legacy(`2`, "tools/call", `{"name":"orders_destroy","arguments":{"id":1}}`), hostile.Call(`3`, "orders_index", `{}`))
	bad.CloseInput()
	answered := map[string]bool{}
	for _, m := range bad.Rest() {
		answered[string(m.ID)] = m.Method == ""
	}
	for _, id := range []string{"1", "2", "3"} {
		if !answered[id] {
			t.Errorf("call %s was not answered before the end: %v", id, answered)
		}
	}
	bad.Exited()
}

func terminated(t *testing.T, bad *hostile.Process) {
	bad.Write(hostile.Request(`"l"`, "subscriptions/listen", `,"notifications":{"toolsListChanged":true}`))
	if m, _ := bad.Next(); m.Method != "notifications/subscriptions/acknowledged" {
		t.Errorf("got %+v", m)
	}
	if err := bad.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	bad.Exited()
}

// TestAClientThatStopsReading floods the app with questions and never reads an answer.
func TestAClientThatStopsReading(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	app := startApp(t, home)
	good := mcpProcess(t, home)
	deaf := program(t, session(t, home), "--mcp")
	in, err := deaf.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := deaf.StdoutPipe(); err != nil { // nobody reads it
		t.Fatal(err)
	}
	if err := deaf.Start(); err != nil {
		t.Fatal(err)
	}
	stuck := make(chan struct{})
	go func() {
		defer close(stuck)
		for i := range 1_000_000 {
			if _, err := fmt.Fprintln(in, hostile.Request(strconv.Itoa(i), "tools/list", "")); err != nil {
				return
			}
		}
		t.Error("a million questions were taken without an answer being read")
	}()
	t.Cleanup(func() {
		deaf.Process.Kill()
		deaf.Wait()
		<-stuck
	})
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); {
		good.Alive()
	}
	if used := peakMemory(t, app.cmd.Process.Pid); used > maxMemory {
		t.Errorf("the app has used %d KiB for answers that nobody reads", used)
	}
	app.quit()
}
