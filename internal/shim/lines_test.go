package shim

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// collect reads all pieces and checks that they make whole lines again.
func collect(t *testing.T, l *lineReader) (lines []string, torn bool) {
	t.Helper()
	var line strings.Builder
	inner := false
	for {
		p, err := l.next()
		if err != nil {
			if err != io.EOF {
				t.Errorf("next: %v", err)
			}
			return lines, torn || inner
		}
		if p.first == inner || torn {
			t.Fatalf("a piece is out of place: %+v", p)
		}
		line.Write(p.data)
		inner, torn = !p.last, p.torn
		if p.last {
			lines = append(lines, line.String())
			line.Reset()
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("l", 200<<10)
	cases := []struct {
		name, in string
		want     []string
		torn     bool
	}{
		{"none", "", nil, false},
		{"two", "a\nb\n", []string{"a\n", "b\n"}, false},
		{"blank and CRLF", "\n\r\na\r\n", []string{"\n", "\r\n", "a\r\n"}, false},
		{"no ending", "a\nb", []string{"a\n", "b"}, true},
		{"long", long + "\nb\n", []string{long + "\n", "b\n"}, false},
		{"long without ending", long, []string{long}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, limit := range []int{1 << 20, 100 << 10, 1} {
				l := newLineReader(iotest.HalfReader(strings.NewReader(c.in)))
				l.limit = limit
				got, torn := collect(t, l)
				if strings.Join(got, "|") != strings.Join(c.want, "|") || torn != c.torn {
					t.Errorf("limit %d: %d lines, torn %t; want %d, %t", limit, len(got), torn, len(c.want), c.torn)
				}
			}
		})
	}
}

// FuzzSession shows arbitrary lines of both sides to what remembers them.
func FuzzSession(f *testing.F) {
	f.Add([]byte(initialize+"\n"+initialized+"\n"+call1+"\n"), []byte(reply("0")+"\n"))
	f.Add([]byte(`[{"jsonrpc":"2.0","id":1,"method":"a"},3]`+"\n"), []byte(`[{"jsonrpc":"2.0","id":1,"result":{}}]`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`+"\n"), []byte("{"))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":3}}`), []byte("\n\n"))
	f.Fuzz(func(t *testing.T, client, server []byte) {
		s := flightsOf(t, client, server)
		unanswered, _ := s.lost()
		seen := map[string]bool{}
		for _, fl := range unanswered {
			if fl.id == "" || seen[fl.id] || bytes.ContainsAny([]byte(fl.id), "\r\n") {
				t.Errorf("would answer %q", fl.id)
			}
			seen[fl.id] = true
		}
		if again, questions := s.lost(); len(again)+len(questions) > 0 {
			t.Errorf("%d requests and %d questions would be settled twice", len(again), len(questions))
		}
	})
}

func flightsOf(t *testing.T, client, server []byte) *flights {
	t.Helper()
	f := newFlights()
	for _, side := range []struct {
		said []byte
		note func(piece) bool
	}{{client, f.fromClient}, {server, f.fromServer}} {
		l := newLineReader(bytes.NewReader(side.said))
		l.limit = 64
		for {
			p, err := l.next()
			if err != nil {
				break
			}
			if p.first {
				side.note(p)
			}
		}
	}
	return f
}

func TestWhatIsRememberedIsBounded(t *testing.T) {
	t.Parallel()
	f := newFlights()
	for i := range 5 * maxTracked {
		id := string(rune('a'+i%26)) + strings.Repeat("x", i%7)
		line := `{"jsonrpc":"2.0","id":"` + id + strings.Repeat("y", i%5000) + `","method":"ping"}`
		f.fromClient(piece{data: []byte(line), first: true, last: true})
	}
	if len(f.open) > maxTracked || len(f.order) > 2*maxTracked+1 {
		t.Errorf("%d open, %d in order", len(f.open), len(f.order))
	}
}
