package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/model"
)

const project = "/home/someone/project"

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newStore returns a store whose clock goes on by a second with each look.
func newStore(t testing.TB) *Store {
	t.Helper()
	dir, err := home.Open(filepath.Join(t.TempDir(), "agent"))
	must(t, err)
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	return New(dir, Options{Now: func() time.Time { now = now.Add(time.Second); return now }})
}

func newSession(t testing.TB, st *Store) *Session {
	t.Helper()
	s, err := st.Create(project)
	must(t, err)
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // The test's folder goes.
	return s
}

func reopen(t testing.TB, st *Store, path string) *Session {
	t.Helper()
	s, err := st.Open(path)
	must(t, err)
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // As above.
	return s
}

func user(text string) model.Message {
	return model.Message{Role: model.User, Content: []model.Block{model.Text(text)}}
}

func answer(text string, calls ...string) model.Message {
	m := model.Message{
		Role: model.Assistant, Model: "vendor/model", Cost: 0.25, Stop: model.StopEnd,
		Content: []model.Block{model.Text(text)}, Usage: &model.Usage{Input: 10, Output: 5},
	}
	for _, id := range calls {
		m.Content = append(m.Content, model.Block{Call: &model.Call{ID: id, Name: "read", Arguments: jsontext.Value(`{"path":"a"}`)}})
	}
	return m
}

func results(ids ...string) model.Message {
	m := model.Message{Role: model.User}
	for _, id := range ids {
		m.Content = append(m.Content, model.Block{Result: &model.Result{CallID: id, Content: []model.Block{model.Text("of " + id)}}})
	}
	return m
}

// short writes a history so that it can be compared: who, texts, calls, results.
func short(history []model.Message) string {
	var lines []string
	for _, m := range history {
		words := []string{string(m.Role[:1])}
		for _, b := range m.Content {
			switch {
			case b.Call != nil:
				words = append(words, "call:"+b.Call.ID)
			case b.Result != nil && len(b.Result.Content) == 1 && b.Result.Content[0].Text == notRun:
				words = append(words, "notrun:"+b.Result.CallID)
			case b.Result != nil:
				words = append(words, "result:"+b.Result.CallID)
			default:
				words = append(words, b.Text)
			}
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return strings.Join(lines, " | ")
}

func TestASessionComesBackAsItWas(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s := newSession(t, st)
	if _, err := os.Stat(s.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("there is a file before the first entry: %v", err)
	}
	must(t, s.SetModel("vendor/other", model.LevelHigh))
	must(t, s.Append(user("hello")))
	must(t, s.Append(answer("hi", "c1")))
	must(t, s.Append(results("c1")))
	must(t, s.Label(s.Leaf(), "here"))
	if info, err := os.Stat(s.Path()); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("the file's mode is %v, %v", info.Mode(), err)
	}
	want, err := json.Marshal(s.History())
	must(t, err)
	must(t, s.Close())
	if err := s.Append(user("late")); !errors.Is(err, ErrClosed) {
		t.Errorf("append after close: %v", err)
	}

	again := reopen(t, st, s.Path())
	got, err := json.Marshal(again.History())
	must(t, err)
	if string(got) != string(want) {
		t.Errorf("the history is\n%s and was\n%s", got, want)
	}
	if len(again.Damage()) > 0 {
		t.Errorf("damage: %q", again.Damage())
	}
	if again.Header() != s.Header() {
		t.Errorf("header %+v, was %+v", again.Header(), s.Header())
	}
	if name, level := again.Model(); name != "vendor/model" || level != model.LevelHigh {
		t.Errorf("model %s at %s", name, level)
	}
	if sum := again.Sum(); sum.Messages != 3 || sum.Cost != 0.25 || sum.Usage.Input != 10 {
		t.Errorf("sum %+v", sum)
	}
	branch := again.Branch()
	if again.Labels()[branch[3].ID] != "here" {
		t.Errorf("labels %v", again.Labels())
	}
	must(t, again.Append(user("more")))
	if got := short(again.History()); !strings.HasSuffix(got, "u result:c1 | u more") {
		t.Errorf("history %s", got)
	}
}

func TestGoingBackStartsABranch(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s := newSession(t, st)
	must(t, s.Append(user("one")))
	must(t, s.Append(answer("first")))
	at := s.Leaf()
	must(t, s.Append(user("two")))
	must(t, s.SetLeaf(at))
	must(t, s.Close())

	s = reopen(t, st, s.Path())
	if s.Leaf() != at {
		t.Fatalf("the leaf is %s, was %s", s.Leaf(), at)
	}
	must(t, s.Append(user("three")))
	if got := short(s.History()); got != "u one | a first | u three" {
		t.Errorf("history %s", got)
	}
	must(t, s.SetLeaf(""))
	must(t, s.Append(user("anew")))
	if got := short(s.History()); got != "u anew" {
		t.Errorf("history %s", got)
	}
	if n := len(s.Tree()); n != 7 {
		t.Errorf("%d entries in the tree", n)
	}
	if err := s.SetLeaf("nothing"); !errors.Is(err, ErrNoEntry) {
		t.Errorf("an unknown leaf: %v", err)
	}
}

func TestManyGoroutinesWriteWholeLines(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	st.o.Now = time.Now
	s := newSession(t, st)
	must(t, s.Append(user("first")))
	first := s.Leaf()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10 {
				if err := errors.Join(s.Append(user("x")), s.Label(first, "y"), s.Changed("/p", nil, true)); err != nil {
					t.Error(err)
				}
				s.History()
			}
		})
	}
	all.Wait()
	must(t, s.Close())
	s = reopen(t, st, s.Path())
	if len(s.History()) != 81 || len(s.Tree()) != 241 || len(s.Damage()) > 0 {
		t.Errorf("%d messages, %d entries, damage %q", len(s.History()), len(s.Tree()), s.Damage())
	}
}

func TestCompactionKeepsTheLastMessages(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s := newSession(t, st)
	for _, m := range []model.Message{user("one"), answer("first"), user("two"), answer("second", "c"), results("c"), answer("third")} {
		must(t, s.Append(m))
	}
	must(t, s.Compact("short", 3, model.Usage{}, 0))
	must(t, s.Append(user("four")))
	const want = "u short | a second call:c | u result:c | a third | u four"
	if got := short(s.History()); got != want {
		t.Errorf("history %s", got)
	}
	if u := s.History()[1].Usage; u != nil {
		t.Errorf("a kept message says that it used %v", u)
	}
	must(t, s.Close())
	s = reopen(t, st, s.Path())
	if got := short(s.History()); got != want {
		t.Errorf("history after opening %s", got)
	}
	must(t, s.Compact("shorter", 2, model.Usage{}, 0))
	if got := short(s.History()); got != "u shorter | a third | u four" {
		t.Errorf("history %s", got)
	}
	must(t, s.Compact("shortest", 0, model.Usage{}, 0))
	if got := short(s.History()); got != "u shortest" {
		t.Errorf("history %s", got)
	}
	if err := s.Compact("x", 2, model.Usage{}, 0); err == nil {
		t.Error("more messages were kept than there are")
	}
}

func TestWhatASummaryTookIsPartOfTheSum(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s, err := st.Create("/p")
	must(t, err)
	must(t, s.Append(model.Message{Role: model.User, Content: []model.Block{model.Text("x")}}))
	must(t, s.Append(model.Message{Role: model.Assistant, Content: []model.Block{model.Text("y")}, Usage: &model.Usage{Input: 10}, Cost: 1}))
	must(t, s.Compact("short", 1, model.Usage{Input: 5, Output: 2}, 0.25))
	must(t, s.Close())
	again, err := st.Open(s.Path())
	must(t, err)
	defer again.Close()
	if sum := again.Sum(); sum.Cost != 1.25 || sum.Usage.Input != 15 || sum.Usage.Output != 2 {
		t.Errorf("the sum %+v", sum)
	}
}

func TestEachCallHasOneResult(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		messages []model.Message
		want     string
	}{
		"cut off at the end":      {[]model.Message{user("a"), answer("b", "c")}, "u a | a b call:c | u notrun:c"},
		"cut off, then a prompt":  {[]model.Message{answer("b", "c"), user("d")}, "a b call:c | u notrun:c | u d"},
		"one of two":              {[]model.Message{answer("b", "c", "d"), results("d")}, "a b call:c call:d | u notrun:c | u result:d"},
		"two in two messages":     {[]model.Message{answer("b", "c", "d"), results("d"), results("c")}, "a b call:c call:d | u result:d | u result:c"},
		"a result twice":          {[]model.Message{answer("b", "c"), results("c"), results("c")}, "a b call:c | u result:c"},
		"a result without a call": {[]model.Message{user("a"), results("c"), answer("b")}, "u a | a b"},
		"a result too late":       {[]model.Message{answer("b", "c"), answer("d"), results("c")}, "a b call:c | u notrun:c | a d"},
		"an id again":             {[]model.Message{answer("b", "c"), results("c"), answer("d", "c")}, "a b call:c | u result:c | a d call:c | u notrun:c"},
		"an id twice at once":     {[]model.Message{answer("b", "c", "c"), results("c")}, "a b call:c | u result:c"},
		"nobody":                  {[]model.Message{{Role: "system", Content: user("x").Content}, user("a")}, "u a"},
		"nothing":                 {[]model.Message{{Role: model.Assistant}, user("a"), {Role: model.User, Content: []model.Block{{}}}}, "u a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t, newStore(t))
			for _, m := range tt.messages {
				must(t, s.Append(m))
			}
			if got := short(s.History()); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAResultThatWasMadeUpStaysWithItsCall(t *testing.T) {
	t.Parallel()
	s := newSession(t, newStore(t))
	must(t, s.Append(user("a")))
	must(t, s.Append(answer("b", "c")))
	must(t, s.Append(user("d")))
	must(t, s.Compact("short", 2, model.Usage{}, 0)) // the made-up result and "d"
	if got := short(s.History()); got != "u short | a b call:c | u notrun:c | u d" {
		t.Errorf("history %s", got)
	}
}

func TestWhatNoVendorWouldSendIsStored(t *testing.T) {
	t.Parallel()
	st := newStore(t)
	s := newSession(t, st)
	m := answer("bad \xff\xc3 text", "c")
	m.Content[1].Call.Arguments = jsontext.Value(`{"path":"a`)
	must(t, s.Append(m))
	must(t, s.Append(results("c")))
	must(t, s.Close())
	s = reopen(t, st, s.Path())
	call := s.History()[0].Content[1].Call
	if call.Arguments != nil || call.Raw != `{"path":"a` || call.Broken == "" {
		t.Errorf("call %+v", call)
	}
	if text := s.History()[0].Content[0].Text; !strings.HasPrefix(text, "bad \ufffd") {
		t.Errorf("text %q", text)
	}
}
