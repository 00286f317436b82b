package mcpclient

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
)

// testGrace keeps the tests of unwilling servers short.
const testGrace = 300 * time.Millisecond

// childTransport starts this test binary as a server that behaves in a certain way.
func childTransport(t *testing.T, behaviour string, o CommandOptions) Transport {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command(func() *exec.Cmd {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), childVariable+"="+behaviour)
		return cmd
	}, o)
}

func TestC11_AWillingServerExitsAtTheEndOfItsInput(t *testing.T) {
	t.Parallel()
	var log syncBuffer
	c := connect(t, childTransport(t, "well-behaved", CommandOptions{Stderr: &log}), Options{})
	if tools, err := c.ListTools(t.Context()); err != nil || len(tools) != 1 {
		t.Errorf("tools %v, error %v", tools, err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if got := log.String(); got != "hello from standard error\nend of input\n" {
		t.Errorf("standard error %q", got)
	}
}

func TestC11_AnUnwillingServerIsEnded(t *testing.T) {
	t.Parallel()
	for behaviour, graces := range map[string]time.Duration{
		"ignores-eof":      1, // It goes when it is asked to terminate.
		"ignores-eof-term": 2, // It has to be killed.
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			c := connect(t, childTransport(t, behaviour, CommandOptions{Grace: testGrace}), Options{})
			pid := toolText(t, c, "pid")
			start := time.Now()
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took < graces*testGrace {
				t.Errorf("closed after %v, it has to wait %d times %v", took, graces, testGrace)
			}
			if alive(t, pid) {
				t.Errorf("process %s is still there", pid)
			}
		})
	}
}

func TestC11_WhoWatchesHearsOfEachProcess(t *testing.T) {
	t.Parallel()
	started, ended := make(chan int, 1), make(chan int, 1)
	c := connect(t, childTransport(t, "well-behaved", CommandOptions{Started: func(pid int) func() {
		started <- pid
		return func() { ended <- pid }
	}}), Options{})
	pid := <-started
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if got := <-ended; got != pid || alive(t, strconv.Itoa(pid)) {
		t.Errorf("the end of process %d was told for %d, or too early", got, pid)
	}
}

func TestC11_NothingThatAServerStartedIsLeft(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"orphans-child", "dies-with-child"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			c := connect(t, childTransport(t, behaviour, CommandOptions{Grace: testGrace}), Options{})
			grandchild := toolText(t, c, "child")
			if !alive(t, grandchild) {
				t.Fatalf("the grandchild %s has not started", grandchild)
			}
			if behaviour == "dies-with-child" {
				// The grandchild holds the standard streams open; the end must be noticed all the same.
				_, err := call(t, c, CallOptions{})
				if !errors.Is(err, ErrDisconnected) {
					t.Errorf("error %v", err)
				}
				mention(t, err, "exit status 3", "about to die")
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
			waitGone(t, grandchild)
		})
	}
}

func TestST_GarbageOnStandardOutputIsSkipped(t *testing.T) {
	t.Parallel()
	c := connect(t, childTransport(t, "prints-garbage", CommandOptions{}), Options{})
	if tools, err := c.ListTools(t.Context()); err != nil || len(tools) != 1 {
		t.Errorf("tools %v, error %v", tools, err)
	}
	if c.SkippedLines() == 0 || c.Version() != mcp.V2026_07_28 {
		t.Errorf("%d lines skipped, version %s", c.SkippedLines(), c.Version())
	}
}

func TestC9_AProcessThatExitsOnTheProbeIsStartedAgain(t *testing.T) {
	t.Parallel()
	c := connect(t, childTransport(t, "exits-on-probe", CommandOptions{}), Options{})
	if c.Version() != mcp.V2025_11_25 {
		t.Errorf("version %s", c.Version())
	}
	if text := toolText(t, c, "pid"); text == "" {
		t.Error("no answer")
	}
}

func TestC9_AProcessThatIsSlowToStartIsNotMisjudged(t *testing.T) {
	t.Parallel()
	// It starts after the probe's timeout, so that both questions wait for it. It is modern and refuses initialize.
	c := connect(t, childTransport(t, "slow", CommandOptions{}), Options{ProbeTimeout: 100 * time.Millisecond})
	if c.Version() != mcp.V2026_07_28 {
		t.Errorf("version %s", c.Version())
	}
}

func TestC12_TheErrorOfADeadProcessQuotesItsStandardError(t *testing.T) {
	t.Parallel()
	_, err := Connect(t.Context(), childTransport(t, "fails", CommandOptions{}), Options{})
	mention(t, err, "exit status 4", "line 999 of the trace", "no configuration found")
	if !errors.Is(err, ErrDisconnected) || len(err.Error()) > tailSize+500 || strings.Contains(err.Error(), "line 0 of") {
		t.Errorf("%d bytes of error: %v", len(err.Error()), err)
	}
}

func TestC12_AProcessThatClosesItsOutputIsDeadToo(t *testing.T) {
	t.Parallel()
	c := connect(t, childTransport(t, "closes-output", CommandOptions{Grace: testGrace}), Options{})
	pid := toolText(t, c, "pid")
	_, err := call(t, c, CallOptions{})
	mention(t, err, "closed its standard output but is still running")
	if err := c.Close(); err != nil || alive(t, pid) {
		t.Errorf("close: %v; process alive: %v", err, alive(t, pid))
	}
}

func TestACommandThatCannotStart(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "script.exe")
	if err := os.WriteFile(script, []byte("#!/no/such/interpreter\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		cmd      func() *exec.Cmd
		mentions []string
	}{
		"no such program":      {func() *exec.Cmd { return exec.Command("elyra-no-such-program") }, []string{"elyra-no-such-program", "PATH=" + os.Getenv("PATH")}},
		"no such file":         {func() *exec.Cmd { return exec.Command(script + ".missing") }, []string{"script.exe.missing"}},
		"no working directory": {func() *exec.Cmd { c := exec.Command(os.Args[0]); c.Dir = script + "-dir"; return c }, []string{"script.exe-dir"}},
		"no interpreter":       {func() *exec.Cmd { return exec.Command(script) }, []string{"script.exe"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Connect(t.Context(), Command(tt.cmd, CommandOptions{}), Options{})
			mention(t, err, append(tt.mentions, "start MCP server")...)
		})
	}
}

func TestDialer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	served := make(chan struct{})
	go func() {
		defer close(served)
		conn, err := l.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		server{in: conn, out: conn}.serve()
	}()
	var d net.Dialer
	c := connect(t, Dialer(func(ctx context.Context) (net.Conn, error) { return d.DialContext(ctx, "tcp", l.Addr().String()) }), Options{})
	if tools, err := c.ListTools(t.Context()); err != nil || len(tools) != 1 {
		t.Errorf("tools %v, error %v", tools, err)
	}
	c.Close()
	<-served
	_, err = Connect(t.Context(), Dialer(func(context.Context) (net.Conn, error) { return nil, io.ErrUnexpectedEOF }), Options{})
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v", err)
	}
}

// toolText calls a tool and returns its text.
func toolText(t *testing.T, c *Client, name string) string {
	t.Helper()
	r, err := c.CallTool(t.Context(), name, nil, CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Content[0].Text
}

// waitGone waits until a process is gone. It is nobody's child here, so the system is asked.
func waitGone(t *testing.T, pid string) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for alive(t, pid) {
		if time.Now().After(deadline) {
			t.Fatalf("process %s is still there", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestTheTailKeepsTheLastLines(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		writes []string
		want   string
	}{
		"little":          {[]string{"a\n", "b"}, "a\nb"},
		"nothing":         {nil, ""},
		"control bytes":   {[]string{"\x1b[31mred\x1b[0m\a\x00 \u009bx\tok\r\n\xff"}, "[31mred[0m x\tok\n\uFFFD"},
		"one big write":   {[]string{strings.Repeat("x", tailSize) + "\nlast line"}, "last line"},
		"many writes":     {[]string{strings.Repeat("first\n", 2000), "last line\n"}, strings.TrimSpace(strings.Repeat("first\n", (tailSize-len("last line\n"))/6) + "last line")},
		"one endless one": {[]string{strings.Repeat("y", 2*tailSize)}, strings.Repeat("y", tailSize)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var l tail
			for _, w := range tt.writes {
				if n, err := l.Write([]byte(w)); n != len(w) || err != nil {
					t.Errorf("Write = %d, %v", n, err)
				}
			}
			if got := l.text(); got != tt.want {
				t.Errorf("text %q, want %q", got, tt.want)
			}
		})
	}
}
