package streamable

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// readAll returns the events of a stream in short form, and the parser.
func readAll(r io.Reader, maxData int) (string, *events, error) {
	s := newEvents(r, maxData)
	var b strings.Builder
	for {
		e, err := s.next()
		if err != nil {
			return b.String(), s, err
		}
		fmt.Fprintf(&b, "%s=%q", e.name, e.data)
		if e.tooLong {
			b.WriteString("!")
		}
		b.WriteString(";")
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, stream, want, lastID string
		retry                      time.Duration
	}{
		{"empty", "", "", "", 0},
		{"one", "data: a\n\n", `="a";`, "", 0},
		{"all fields", "id: 7\nevent: x\nretry: 1500\ndata: a\n\n", `x="a";`, "7", 1500 * time.Millisecond},
		{"without spaces", "event:x\ndata:a\ndata: b\ndata:  c\n\n", `x="a\nb\n c";`, "", 0},
		{"line endings", "data: a\r\ndata: b\rdata: c\n\r\ndata: d\r\r", `="a\nb\nc";="d";`, "", 0},
		{"a CR at the end", "data: a\r\n\r", `="a";`, "", 0},
		{"comments", ": keepalive\n\n:\n\ndata: a\n: in between\ndata: b\n\n", `="a\nb";`, "", 0},
		{"BOM", "\xEF\xBB\xBFdata: a\n\n\xEF\xBB\xBFdata: b\n\n", `="a";`, "", 0},
		{"empty data", "data\n\ndata:\n\n", `="";="";`, "", 0},
		{"empty lines of data", "data\ndata\n\n", `="\n";`, "", 0},
		{"no data", "event: x\nid: 1\n\ndata: a\n\n", `="a";`, "1", 0},
		{"unknown field", "foo: 1\nDATA: x\nda ta: y\ndata: a\n\n", `="a";`, "", 0},
		{"incomplete", "data: a\n\nid: 2\ndata: b\n", `="a";`, "", 0},
		{"an id goes on", "id: 1\ndata: a\n\ndata: b\n\n", `="a";="b";`, "1", 0},
		{"an empty id", "id: 1\ndata: a\n\nid\ndata: b\n\n", `="a";="b";`, "", 0},
		{"an id that no header carries", "id: 1\ndata: a\n\nid: \x002\nid: ä\ndata: b\n\n", `="a";="b";`, "1", 0},
		{"retry is no number", "retry: 1s\nretry: -1\ndata: a\n\n", `="a";`, "", 0},
		{"retry for ever", "retry: 2000000000\n\n", ``, "", maxRetry},
		{"too long", "data: " + strings.Repeat("x", 5000) + "\ndata: y\n\ndata: a\n\n", `="` + strings.Repeat("x", prefixSize) + `"!;="a";`, "", 0},
		{"too long in sum", strings.Repeat("data: "+strings.Repeat("x", 99)+"\n", 50) + "\ndata: a\n\n", "", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, s, err := readAll(strings.NewReader(tt.stream), 4500)
			if tt.want == "" && tt.stream != "" && strings.HasPrefix(tt.name, "too long") {
				if !strings.HasSuffix(got, `!;="a";`) {
					t.Errorf("events %.50s", got)
				}
				return
			}
			if got != tt.want || !errors.Is(err, io.EOF) || s.lastID != tt.lastID || s.retry != tt.retry {
				t.Errorf("events %s, last id %q, retry %v, %v; want %s, %q, %v", got, s.lastID, s.retry, err, tt.want, tt.lastID, tt.retry)
			}
			slow, _, _ := readAll(iotest.OneByteReader(strings.NewReader(tt.stream)), 4500)
			if slow != got {
				t.Errorf("byte by byte: %s", slow)
			}
		})
	}
}

// FuzzEvents compares the parser with the format read the simple way, whatever pieces the stream arrives in.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("\xEF\xBB\xBFid: 1\r\ndata: a\rdata\n\n: x\n\nevent:x\ndata:y\n\n"), 3)
	f.Add([]byte("data: a\r\r\ndata\n\r\n"), 1)
	f.Fuzz(func(t *testing.T, stream []byte, piece int) {
		const maxData = 64
		got, s, _ := readAll(&pieces{stream, max(piece, 1)}, maxData)
		want, lastID := simple(stream, maxData)
		if got != want || s.lastID != lastID {
			t.Errorf("%q: events %s with the last id %q, want %s, %q", stream, got, s.lastID, want, lastID)
		}
	})
}

// pieces is a reader that gives n bytes at a time.
type pieces struct {
	b []byte
	n int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.b) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.n)], p.b)
	p.b = p.b[n:]
	return n, nil
}

// simple reads a whole stream as the standard describes it, in the short form of readAll.
func simple(stream []byte, maxData int) (out, lastID string) {
	stream = bytes.TrimPrefix(stream, []byte("\xEF\xBB\xBF"))
	text := strings.ReplaceAll(strings.ReplaceAll(string(stream), "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	var name, id string
	var data []string
	hasID := false
	for _, line := range lines[:len(lines)-1] {
		if line == "" {
			if hasID {
				lastID = id
			}
			if joined := strings.Join(data, "\n"); data != nil {
				out += fmt.Sprintf("%s=%q", name, joined)
				if len(joined) > maxData {
					out += "!"
				}
				out += ";"
			}
			name, data, hasID = "", nil, false
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			name = value
		case "data":
			data = append(data, value)
		case "id":
			if headerSafe(value) {
				id, hasID = value, true
			}
		}
	}
	return out, lastID
}
