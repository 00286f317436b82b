package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// long writes a session of as many entries as a long day has: prompts, answers with calls, results of some kilobytes.
func long(b *testing.B, st *Store, entries int) string {
	b.Helper()
	s := newSession(b, st)
	must(b, s.Append(user("begin")))
	text := strings.Repeat("func main() { fmt.Println(\"hello\") }\n", 40)
	var all []byte
	for n := 1; n < entries; n++ {
		id := fmt.Sprint("call", n/2)
		m := answer("I look at the file.", id)
		if n%2 == 0 {
			m = results(fmt.Sprint("call", (n-1)/2))
			m.Content[0].Result.Content[0].Text = text
		}
		e := Entry{ID: st.entryID(s.c.byID), Parent: s.Leaf(), Time: st.now(), Kind: KindMessage, Message: &m, Sum: s.c.sum}
		e.Sum.add(e)
		l, err := line(e)
		must(b, err)
		all = append(all, l...)
		s.c.add(e)
		s.leaf = n
	}
	must(b, s.write(all))
	must(b, s.Close())
	return s.Path()
}

// BenchmarkResume opens a session of 10,000 entries and makes its history.
func BenchmarkResume(b *testing.B) {
	st := newStore(b)
	path := long(b, st, 10_000)
	info, err := os.Stat(path)
	must(b, err)
	b.SetBytes(info.Size())
	for b.Loop() {
		s, err := st.Open(path)
		must(b, err)
		if n := len(s.History()); n != 10_001 /* the last call has no result yet */ {
			b.Fatalf("%d messages", n)
		}
		must(b, s.Close())
	}
}

// BenchmarkList lists 1,000 sessions.
func BenchmarkList(b *testing.B) {
	st := newStore(b)
	data, err := os.ReadFile(long(b, st, 100))
	must(b, err)
	for range 999 {
		s, err := st.Create(project)
		must(b, err)
		must(b, os.WriteFile(filepath.Join(filepath.Dir(s.Path()), filepath.Base(s.Path())), data, 0o600))
	}
	for b.Loop() {
		list, err := st.List(project)
		must(b, err)
		if len(list) != 1000 {
			b.Fatalf("%d sessions", len(list))
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	s := newSession(b, newStore(b))
	m := model.Message{Role: model.User, Content: []model.Block{model.Text(strings.Repeat("x", 1000))}}
	for b.Loop() {
		must(b, s.Append(m))
	}
}
