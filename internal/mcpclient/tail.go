package mcpclient

import (
	"bytes"
	"strings"
	"sync"
)

// tailSize is how much of a server's standard error is kept for error messages.
const tailSize = 8 << 10

// tail keeps the last tailSize bytes that were written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
	cut bool // Something before buf was dropped.
}

// Write keeps b and never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	if len(b) > tailSize {
		b, t.cut = b[len(b)-tailSize:], true
	}
	if over := len(t.buf) + len(b) - tailSize; over > 0 {
		t.buf, t.cut = append(t.buf[:0], t.buf[over:]...), true
	}
	t.buf = append(t.buf, b...)
	return n, nil
}

// text returns what was kept, from the start of a line when the beginning was dropped, as valid UTF-8 without control
// characters, because it ends in error messages that people read in a terminal.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.buf
	if t.cut {
		if i := bytes.IndexByte(b, '\n'); i >= 0 && i < len(b)-1 {
			b = b[i+1:]
		}
	}
	return printable(string(b))
}

// printable removes what could change a terminal from a foreign text; lines and tabs stay.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.TrimSpace(s)
}
