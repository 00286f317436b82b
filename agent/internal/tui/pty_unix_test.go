//go:build unix

package tui

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// real is the replay program at a real terminal.
type real struct {
	t     testing.TB
	cmd   *exec.Cmd
	pty   *os.File
	began time.Time
	read  sync.WaitGroup

	mu  sync.Mutex
	out bytes.Buffer
}

func replay(t testing.TB) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "replay")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/replay").CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return program
}

func start(t testing.TB, program string, environ []string, args ...string) *real {
	t.Helper()
	r := &real{t: t, cmd: exec.Command(program, args...)}
	r.cmd.Env = append(os.Environ(), environ...)
	r.began = time.Now()
	var err error
	if r.pty, err = pty.StartWithSize(r.cmd, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	r.read.Go(func() {
		p := make([]byte, 32<<10)
		for {
			n, err := r.pty.Read(p)
			r.mu.Lock()
			r.out.Write(p[:n])
			r.mu.Unlock()
			if err != nil {
				return
			}
		}
	})
	return r
}

// until waits for a text and returns how long it took since the start.
func (r *real) until(text string) time.Duration {
	r.t.Helper()
	for range 30_000 {
		r.mu.Lock()
		found := bytes.Contains(r.out.Bytes(), []byte(text))
		r.mu.Unlock()
		if found {
			return time.Since(r.began)
		}
		time.Sleep(time.Millisecond)
	}
	r.t.Fatalf("%q was not shown: %q", text, r.out.String())
	return 0
}

func (r *real) press(keys string) {
	r.t.Helper()
	if _, err := io.WriteString(r.pty, keys); err != nil {
		r.t.Fatal(err)
	}
}

// end waits for the program and returns the processor time that it used.
func (r *real) end() (cpu time.Duration, code int) {
	r.t.Helper()
	err := r.cmd.Wait()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		r.t.Fatal(err)
	}
	_ = r.pty.Close()
	r.read.Wait()
	s := r.cmd.ProcessState
	return s.UserTime() + s.SystemTime(), s.ExitCode()
}

func TestARealTerminal(t *testing.T) {
	t.Parallel()
	program := replay(t)
	t.Run("a conversation", func(t *testing.T) {
		t.Parallel()
		r := start(t, program, []string{"TERM=xterm-256color", "NO_COLOR="})
		r.until("ask anything")
		r.press("stream 200 1\r")
		r.until("streamed to the end")
		r.press("\x1b[200~one\ntwo\x1b[201~")
		r.until("two")
		r.press("\x03\x03")
		if _, code := r.end(); code != 0 {
			t.Errorf("exit code %d", code)
		}
		for _, mode := range []string{"\x1b[?2004h", "\x1b[?2004l", "\x1b[<u", "\x1b[>4m", "\x1b[?25h"} {
			if !bytes.Contains(r.out.Bytes(), []byte(mode)) {
				t.Errorf("%q was not written", mode)
			}
		}
	})
	t.Run("plain", func(t *testing.T) {
		t.Parallel()
		r := start(t, program, []string{"ELYRA_PLAIN=1"})
		r.until("> ")
		r.press("fail\n")
		r.until("the key is not accepted")
		r.press("\x04")
		if _, code := r.end(); code != 0 {
			t.Errorf("exit code %d", code)
		}
		if bytes.Contains(r.out.Bytes(), []byte("\x1b")) {
			t.Errorf("an escape sequence in %q", r.out.String())
		}
	})
	t.Run("a signal", func(t *testing.T) {
		t.Parallel()
		r := start(t, program, nil, "stream", "50", "60")
		r.until("interrupt")
		if err := r.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if _, code := r.end(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
}

// BenchmarkStreaming is the processor time that 200 tokens a second take, as a part of one core, and the time to the first
// frame.
func BenchmarkStreaming(b *testing.B) {
	program := replay(b)
	var busy, wall, first time.Duration
	for b.Loop() {
		r := start(b, program, []string{"TERM=xterm-256color", "NO_COLOR="})
		first += r.until("ask anything")
		r.press("stream 200 5\r")
		from := time.Now()
		r.until("streamed to the end")
		wall += time.Since(from)
		r.press("\x03\x03")
		cpu, _ := r.end()
		busy += cpu
	}
	b.ReportMetric(100*busy.Seconds()/wall.Seconds(), "%cpu")
	b.ReportMetric(float64(first.Milliseconds())/float64(b.N), "ms-to-first-frame")
}
