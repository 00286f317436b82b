package catalog

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/internal/mcp"
)

// memory is the agent's folder with one file, and counts how often it was written.
type memory struct {
	mu     sync.Mutex
	data   []byte
	reads  int
	writes int
}

func (m *memory) Read(string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	if m.data == nil {
		return nil, fs.ErrNotExist
	}
	return bytes.Clone(m.data), nil
}

func (m *memory) Update(_ context.Context, _ string, change func([]byte) ([]byte, error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, err := change(bytes.Clone(m.data))
	if err == nil && !bytes.Equal(data, m.data) {
		m.data = data
		m.writes++
	}
	return err
}

// clock is a time that tests move.
type clock struct{ now time.Time }

func (c *clock) session(files Files) (*Cache, *bytes.Buffer) {
	var said bytes.Buffer
	return NewCache(files, func() time.Time { return c.now }, slog.New(slog.NewTextHandler(&said, nil))), &said
}

// listing is one that a server would give now.
func (c *clock) listing(t testing.TB, ttl string, tools ...string) Listing {
	t.Helper()
	page := fmt.Sprintf(`{"tools":[%s]%s}`, toolJSON(tools...), ttl)
	l, err := Fetch(t.Context(), pagesOf(map[string]string{"start": page}, nil), FetchOptions{Server: "srv", Now: func() time.Time { return c.now }})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func put(t testing.TB, c *Cache, key string, l Listing) {
	t.Helper()
	if err := c.Put(t.Context(), key, l); err != nil {
		t.Fatal(err)
	}
}

func TestCache_keepsAListingWhole(t *testing.T) {
	t.Parallel()
	yes := true
	ttl := 90 * time.Minute
	l := Listing{
		Server: "srv", Era: "modern", Instructions: "line\nline\xff", Notes: []string{"n"}, Fetched: fixedClock(), TTL: &ttl, Hash: "h",
		Tools: []Tool{
			{Server: "srv", Name: "a", Title: "T", Description: "with \"quotes\"\nand lines\u2028", InputSchema: jsontext.Value(`{"type":"object"}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: &yes}, Hash: "1"},
			{Server: "srv", Name: "б", InputSchema: jsontext.Value("{\n\"type\": \"object\"}"), OutputSchema: jsontext.Value(`{}`), Hash: "2"},
		},
		Quarantined: []Quarantined{{"srv", "q", "r"}},
		Resources:   []mcp.Resource{{URI: "u:", Name: "r"}}, Templates: []mcp.ResourceTemplate{{URITemplate: "t:{x}", Name: "t"}},
		Prompts: []mcp.Prompt{{Name: "p", Arguments: []mcp.PromptArgument{{Name: "x"}}}},
	}
	clock, files := &clock{fixedClock()}, &memory{}
	first, _ := clock.session(files)
	put(t, first, "k", l)
	if !jsontext.Value(files.data).IsValid() {
		t.Errorf("the file is no JSON:\n%s", files.data)
	}
	second, said := clock.session(files)
	got, ok := second.Get("k", "other")
	if !ok || said.Len() > 0 {
		t.Fatalf("not found; %s", said)
	}
	want := l.as("other")
	want.Instructions = "line\nline\ufffd"
	want.Tools[1].InputSchema = jsontext.Value(`{"type":"object"}`)
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(got)
	if !bytes.Equal(a, b) {
		t.Errorf("got\n%s\nwant\n%s", b, a)
	}
	if got.Tools[0].Server != "other" || got.Quarantined[0].Server != "other" || l.Tools[0].Server != "srv" {
		t.Errorf("servers %+v", got)
	}
}

func TestCache_isWrittenOnlyWhenSomethingChanged(t *testing.T) {
	t.Parallel()
	type step struct {
		after  time.Duration
		ttl    string
		tools  []string
		writes int // of this step
	}
	a, b := []string{"a"}, []string{"b"}
	for name, steps := range map[string][]step{
		"each run lists the same":            {{0, "", a, 1}, {time.Second, "", a, 0}, {20 * time.Hour, "", a, 0}},
		"a changed tool":                     {{0, "", a, 1}, {0, "", b, 1}, {0, "", a, 1}},
		"the date of an old list":            {{0, "", a, 1}, {25 * time.Hour, "", a, 1}, {time.Hour, "", a, 0}},
		"a short time to live":               {{0, `,"ttlMs":1000`, a, 1}, {2 * time.Second, `,"ttlMs":1000`, a, 0}, {time.Minute, `,"ttlMs":1000`, a, 0}, {10 * time.Minute, `,"ttlMs":1000`, a, 1}},
		"a time to live that counts down":    {{0, `,"ttlMs":3600000`, a, 1}, {time.Minute, `,"ttlMs":3540000`, a, 0}},
		"a time to live that became shorter": {{0, "", a, 1}, {time.Minute, `,"ttlMs":60000`, a, 1}},
		"never kept":                         {{0, `,"ttlMs":0`, a, 0}, {time.Minute, `,"ttlMs":0`, b, 0}},
		"no longer kept":                     {{0, "", a, 1}, {time.Minute, `,"ttlMs":0`, a, 1}, {0, `,"ttlMs":0`, a, 0}},
		"a clock that was ahead":             {{0, "", a, 1}, {-time.Hour, "", a, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock, files := &clock{fixedClock()}, &memory{}
			for i, s := range steps {
				clock.now = clock.now.Add(s.after)
				before := files.writes
				c, _ := clock.session(files)
				put(t, c, "k", clock.listing(t, s.ttl, s.tools...))
				put(t, c, "k", clock.listing(t, s.ttl, s.tools...))
				if got := files.writes - before; got != s.writes {
					t.Errorf("step %d wrote %d times, want %d", i+1, got, s.writes)
				}
			}
		})
	}
}

func TestCache_howLongAListingIsValid(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ttl         string
		after       time.Duration
		live, later bool // in the session that put it, and in one after
	}{
		"absent, soon":        {"", 23 * time.Hour, true, true},
		"absent, a day later": {"", 24 * time.Hour, false, false},
		"zero":                {`,"ttlMs":0`, 0, true, false},
		"zero, much later":    {`,"ttlMs":0`, 48 * time.Hour, true, false},
		"a minute, before":    {`,"ttlMs":60000`, 59 * time.Second, true, true},
		"a minute, after":     {`,"ttlMs":60000`, 60 * time.Second, false, false},
		"two days":            {`,"ttlMs":172800000`, 47 * time.Hour, true, true},
		"a clock set back":    {"", -time.Hour, false, false},
		"a clock a bit off":   {"", -time.Minute, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock, files := &clock{fixedClock()}, &memory{}
			first, _ := clock.session(files)
			put(t, first, "k", clock.listing(t, c.ttl, "a"))
			clock.now = clock.now.Add(c.after)
			if l, ok := first.Get("k", "srv"); ok != c.live {
				t.Errorf("in its session: %v, %+v", ok, l)
			}
			second, _ := clock.session(files)
			if l, ok := second.Get("k", "srv"); ok != c.later {
				t.Errorf("in the next: %v, %+v", ok, l)
			}
		})
	}
}

func TestCache_listChangedForgets(t *testing.T) {
	t.Parallel()
	clock, files := &clock{fixedClock()}, &memory{}
	first, _ := clock.session(files)
	put(t, first, "k", clock.listing(t, "", "a"))
	put(t, first, "other", clock.listing(t, "", "b"))
	if err := first.Drop(t.Context(), "k"); err != nil {
		t.Fatal(err)
	}
	second, _ := clock.session(files)
	for name, c := range map[string]*Cache{"its session": first, "the next": second} {
		if _, ok := c.Get("k", "srv"); ok {
			t.Errorf("%s still has it", name)
		}
		if _, ok := c.Get("other", "srv"); !ok {
			t.Errorf("%s lost another", name)
		}
	}
}

func TestCache_isNotKeyedByName(t *testing.T) {
	t.Parallel()
	clock, files := &clock{fixedClock()}, &memory{}
	c, _ := clock.session(files)
	put(t, c, "npx server --for alice", clock.listing(t, "", "a"))
	if _, ok := c.Get("npx server --for bob", "srv"); ok {
		t.Error("the list of one server is another's because both have the same name")
	}
}

func TestCache_aDamagedFileIsSaidOnceAndReplaced(t *testing.T) {
	t.Parallel()
	clock, healthy := &clock{fixedClock()}, &memory{}
	c, _ := clock.session(healthy)
	put(t, c, "k", clock.listing(t, "", "a", "b"))
	whole := string(healthy.data)
	for name, data := range map[string]string{
		"empty":                "",
		"other JSON":           `{"servers":{}}`,
		"another version":      strings.Replace(whole, `"version":1`, `"version":2`, 1),
		"torn":                 whole[:len(whole)/2],
		"without its end":      strings.TrimSuffix(whole, "]}\n"),
		"wrong size":           strings.Replace(whole, `"bytes":`, `"bytes":9`, 1),
		"negative size":        strings.Replace(whole, `"bytes":`, `"bytes":-`, 1),
		"a bit fell over":      strings.Replace(whole, `"name":"a"`, `"name":"c"`, 1),
		"written anew":         strings.ReplaceAll(whole, "\n", "\n  "),
		"more after the end":   whole + "x",
		"something in between": strings.Replace(whole, "},\n{\"name\"", "}x\n{\"name\"", 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := &memory{data: []byte(data)}
			c, said := clock.session(files)
			for range 3 {
				if l, ok := c.Get("k", "srv"); ok {
					t.Fatalf("got %+v", l)
				}
			}
			put(t, c, "other", clock.listing(t, "", "c"))
			if n := strings.Count(said.String(), "level=WARN"); n != 1 {
				t.Errorf("said %d times: %s", n, said)
			}
			next, said := clock.session(files)
			if _, ok := next.Get("other", "srv"); !ok || said.Len() > 0 {
				t.Errorf("not replaced: %v, %s", ok, said)
			}
		})
	}
}

func TestCache_isBounded(t *testing.T) {
	t.Parallel()
	clock, files := &clock{fixedClock()}, &memory{}
	c, _ := clock.session(files)
	for i := range maxCacheEntries + 5 {
		clock.now = clock.now.Add(time.Second)
		put(t, c, fmt.Sprint("k", i), clock.listing(t, "", "a"))
	}
	next, _ := clock.session(files)
	for key, want := range map[string]bool{"k0": false, "k4": false, "k5": true, fmt.Sprint("k", maxCacheEntries+4): true} {
		if _, ok := next.Get(key, "srv"); ok != want {
			t.Errorf("%s is there: %v", key, ok)
		}
	}
	large := clock.listing(t, "", "a")
	large.Instructions = strings.Repeat("x", maxCacheBytes)
	put(t, c, "large", large)
	if len(files.data) > maxCacheBytes {
		t.Errorf("the file has %d bytes", len(files.data))
	}
}

func TestCache_processesKeepEachOthersEntries(t *testing.T) {
	t.Parallel()
	dir, err := home.Open(filepath.Join(t.TempDir(), "agent"))
	if err != nil {
		t.Fatal(err)
	}
	clock := &clock{fixedClock()}
	var all sync.WaitGroup
	for p := range 8 {
		c, _ := clock.session(dir)
		c.Get("early", "srv") // So that it has read the file before the others write.
		l := clock.listing(t, "", fmt.Sprint("tool", p))
		all.Go(func() {
			if err := c.Put(context.Background(), fmt.Sprint("k", p), l); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	c, _ := clock.session(dir)
	for p := range 8 {
		if l, ok := c.Get(fmt.Sprint("k", p), "srv"); !ok || l.Tools[0].Name != fmt.Sprint("tool", p) {
			t.Errorf("k%d: %v %+v", p, ok, l)
		}
	}
}

func FuzzCacheFile(f *testing.F) {
	e, err := newEntry("k", Listing{Tools: []Tool{{Name: "a", InputSchema: jsontext.Value(`{}`), OutputSchema: jsontext.Value(`{}`)}}})
	if err != nil {
		f.Fatal(err)
	}
	whole, err := appendFile([]entry{e, e})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole, e.body)
	f.Add([]byte(fileHead+fileTail), []byte("{\"era\":\"\",\"tools\":[\n]}"))
	f.Fuzz(func(t *testing.T, file, listing []byte) {
		if entries, err := parseFile(file); err == nil {
			for _, e := range entries {
				_, _ = e.listing("s")
			}
			if again, err := appendFile(entries); err != nil || len(entries) != bytes.Count(again, []byte(entryTail+"\n")) && len(file) == 0 {
				t.Errorf("%q, %v", again, err)
			}
		}
		e := newBody(listing)
		if l, err := e.listing("s"); err == nil && len(l.Tools) > len(listing) {
			t.Errorf("%d tools", len(l.Tools))
		}
	})
}
