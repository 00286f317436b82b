package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// readAll returns the lines of a stream; a refused line is "error:" and its prefix's id.
func readAll(t *testing.T, r io.Reader, l Limits) []string {
	t.Helper()
	lines := NewReader(r, l)
	var got []string
	for {
		line, err := lines.Next()
		var refused *Error
		switch {
		case err == nil:
			got = append(got, string(line))
		case errors.As(err, &refused):
			got = append(got, "error:"+string(RequestID(line)))
		case errors.Is(err, io.EOF):
			return got
		default:
			t.Fatalf("Next: %v", err)
		}
	}
}

func TestReader_lines(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 200_000)
	tests := []struct {
		name, stream string
		want         []string
	}{
		{"plain", "a\nb\n", []string{"a", "b"}},
		{"windows line ends, blank lines, spaces", "a\r\n\n \t\r\nb \n", []string{"a", "b "}},
		{"the last line without its end", "a\nb", []string{"a", "b"}},
		{"only blanks", "\n \n", nil},
		{"longer than the buffer", big + "\na\n", []string{big, "a"}},
		{"longer than the limit", strings.Repeat("y", 300_001) + "\na\n", []string{"error:", "a"}},
		{"exactly the limit", strings.Repeat("y", 300_000) + "\r\na\n", []string{strings.Repeat("y", 300_000), "a"}},
		{"longer than the limit, with a readable id", `{"jsonrpc":"2.0","id":77,"method":"m","params":{"x":"` + strings.Repeat("y", 300_000) + "\"}}\nb\n", []string{"error:77", "b"}},
		{"longer than the limit at the end", strings.Repeat("y", 300_001), []string{"error:"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for name, r := range map[string]io.Reader{
				"whole":  strings.NewReader(tt.stream),
				"halves": iotest.HalfReader(strings.NewReader(tt.stream)),
				"errEOF": iotest.DataErrReader(strings.NewReader(tt.stream)),
			} {
				got := readAll(t, r, Limits{MaxLine: 300_000})
				if strings.Join(got, "|") != strings.Join(tt.want, "|") {
					t.Errorf("%s: got %d lines, want %d", name, len(got), len(tt.want))
				}
			}
		})
	}
}

func TestReader_doesNotKeepAnOverlongLine(t *testing.T) {
	t.Parallel()
	const size = 64 << 20
	r := NewReader(io.LimitReader(endless{}, size), Limits{MaxLine: 1 << 10})
	line, err := r.Next()
	var refused *Error
	if !errors.As(err, &refused) || cap(line) > 2*prefixSize {
		t.Fatalf("got %d bytes (capacity %d), %v", len(line), cap(line), err)
	}
}

// endless is a stream of x without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// FuzzReader checks that however a stream is cut up, it has the same lines.
func FuzzReader(f *testing.F) {
	f.Add([]byte("a\r\n\n b\nccccccccccccccccccccccccccccc\nd"), 10)
	f.Add([]byte("\xff\n\x00\n"), 1)
	f.Fuzz(func(t *testing.T, stream []byte, limit int) {
		l := Limits{MaxLine: 1 + limit&0xff}
		whole := readAll(t, bytes.NewReader(stream), l)
		pieces := readAll(t, iotest.OneByteReader(bytes.NewReader(stream)), l)
		if strings.Join(whole, "\n") != strings.Join(pieces, "\n") {
			t.Fatalf("%q\n%q", whole, pieces)
		}
		for _, line := range whole {
			if len(line) > l.MaxLine && !strings.HasPrefix(line, "error:") {
				t.Fatalf("a line of %d bytes passed a limit of %d", len(line), l.MaxLine)
			}
		}
	})
}

// recorder counts the writes and can hold them back.
type recorder struct {
	mu     sync.Mutex
	text   strings.Builder
	writes int
	gate   chan struct{} // nil: open
	err    error
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.gate != nil {
		<-r.gate
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return 0, r.err
	}
	r.writes++
	return r.text.Write(p)
}

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

func TestWriter_coalesces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rec := &recorder{gate: make(chan struct{})}
		w := NewWriter(rec, 0)
		var want strings.Builder
		for i := range 200 {
			line := "line " + strconv.Itoa(i)
			want.WriteString(line + "\n")
			if err := w.Send([]byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		close(rec.gate)
		if err := w.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if rec.String() != want.String() {
			t.Errorf("got %q", rec.String())
		}
		if rec.writes > 2 {
			t.Errorf("200 waiting lines took %d writes", rec.writes)
		}
	})
}

func TestWriter_bounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rec := &recorder{gate: make(chan struct{})}
		w := NewWriter(rec, 2)
		mustSend := func(line string) {
			t.Helper()
			if err := w.Send([]byte(line)); err != nil {
				t.Fatalf("Send(%s): %v", line, err)
			}
		}
		mustSend("0") // taken by the goroutine, which is stuck with it
		synctest.Wait()
		mustSend("1")
		mustSend("2")
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := w.SendWait(short, []byte("x")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("SendWait into a full queue: %v", err)
		}
		mustSend("3") // notifications have places of their own
		mustSend("4")
		if err := w.Send([]byte("x")); !errors.Is(err, ErrFull) {
			t.Errorf("Send into an overfull queue: %v", err)
		}
		sent := make(chan error, 1)
		go func() { sent <- w.SendWait(t.Context(), []byte("5")) }()
		synctest.Wait()
		close(rec.gate)
		if err := <-sent; err != nil {
			t.Errorf("SendWait after the queue had room: %v", err)
		}
		if err := w.Close(t.Context()); err != nil {
			t.Errorf("Close: %v", err)
		}
		if got := rec.String(); got != "0\n1\n2\n3\n4\n5\n" {
			t.Errorf("wrote %q", got)
		}
		if err := w.Send([]byte("late")); !errors.Is(err, ErrClosed) {
			t.Errorf("Send after Close: %v", err)
		}
	})
}

func TestWriter_refusesALineBreak(t *testing.T) {
	t.Parallel()
	w := NewWriter(io.Discard, 0)
	if w.Send([]byte("a\nb")) == nil {
		t.Error("a line with a break was accepted")
	}
	if err := w.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestWriter_writeError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken pipe")
	w := NewWriter(&recorder{err: broken}, 1)
	if err := w.Send([]byte("a")); err != nil {
		t.Fatal(err)
	}
	<-w.Failed()
	if err := w.Send([]byte("b")); !errors.Is(err, broken) {
		t.Errorf("Send after the failure: %v", err)
	}
	if err := w.SendWait(t.Context(), []byte("b")); !errors.Is(err, broken) {
		t.Errorf("SendWait after the failure: %v", err)
	}
	if err := w.Close(t.Context()); !errors.Is(err, broken) {
		t.Errorf("Close: %v", err)
	}
}

func TestWriter_closeInterruptsAStuckWrite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, pipe := io.Pipe() // nobody reads
		w := NewWriter(pipe, 1)
		if err := w.Send([]byte("a")); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := w.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close: %v", err)
		}
	})
}

func TestWriter_longLines(t *testing.T) {
	t.Parallel()
	rec := &recorder{}
	w := NewWriter(rec, 0)
	long := strings.Repeat("z", 3*writeSize)
	for _, line := range []string{"a", long, "b"} {
		if err := w.SendWait(t.Context(), []byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rec.String() != "a\n"+long+"\nb\n" {
		t.Error("a long line was written wrongly")
	}
}

func BenchmarkParse(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":12345,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0"},"io.modelcontextprotocol/clientCapabilities":{}},"name":"customers_create","arguments":{"name":"Ada Lovelace","email":"ada@example.com","tags":["a","b"]}}}`)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(line, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
