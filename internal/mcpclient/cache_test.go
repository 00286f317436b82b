package mcpclient

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// counting answers every request with what result says, and counts them by method and parameters without the metadata.
func counting(t *testing.T, result func(m message, n int) string, seen map[string]int) Transport {
	return scripted(t, func(f *fake) {
		f.openModern()
		for {
			m, ok := f.next()
			if !ok {
				return
			}
			if m.ID == nil {
				continue
			}
			p := paramsOf(t, m)
			key := m.Method + " " + string(p["uri"]) + string(p["cursor"])
			seen[key]++
			if r := result(m, seen[key]); strings.HasPrefix(r, "{") {
				f.result(m, r)
			} else {
				f.refuse(m, wire.CodeInvalidParams, r, "")
			}
		}
	})
}

// listed is a page of tools.
func listed(ttl int, scope, next string) string {
	return fmt.Sprintf(`{"resultType":"complete","tools":[{"name":"a","inputSchema":{"type":"object"}}],"ttlMs":%d,"cacheScope":%q%s}`, ttl, scope, next)
}

func read(ttl int, scope string) string {
	return fmt.Sprintf(`{"resultType":"complete","contents":[{"uri":"x:/a","text":"t"}],"ttlMs":%d,"cacheScope":%q}`, ttl, scope)
}

func TestC24_keyedOnMethodAndParams(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	c := connect(t, counting(t, func(m message, _ int) string {
		if m.Method == mcp.MethodListTools {
			return listed(60_000, "private", "")
		}
		return read(60_000, "private")
	}, seen), Options{Cache: NewCache()})
	for range 3 {
		if tools, err := c.ListTools(t.Context()); err != nil || len(tools) != 1 {
			t.Errorf("%d tools, %v", len(tools), err)
		}
		for _, uri := range []string{"x:/a", "x:/b"} {
			raw, err := c.Request(t.Context(), "resources/read", map[string]any{"uri": uri})
			if err != nil || !strings.Contains(string(raw), "contents") {
				t.Errorf("%s: %s, %v", uri, raw, err)
			}
			clear(raw) // What a caller does with a result is its own business.
		}
	}
	if seen["tools/list "] != 1 || seen[`resources/read "x:/a"`] != 1 || seen[`resources/read "x:/b"`] != 1 {
		t.Errorf("the server was asked %v", seen)
	}
}

func TestC24_whatIsNotKept(t *testing.T) {
	t.Parallel()
	private := `{"resultType":"complete","content":[],"ttlMs":1000,"cacheScope":"private"}`
	for _, tt := range []struct {
		name, method, result string
		params               map[string]any
		opts                 Options
	}{
		{"no cache", "tools/list", listed(60_000, "public", ""), nil, Options{}},
		{"a call", "tools/call", private, map[string]any{"name": "x"}, Options{Cache: NewCache()}},
		{"answers to questions", "resources/read", read(60_000, "public"), map[string]any{"uri": "x:/a", "requestState": "s"}, Options{Cache: NewCache()}},
		{"stale at once", "tools/list", listed(0, "public", ""), nil, Options{Cache: NewCache()}},
		{"a negative lifetime", "tools/list", listed(-5, "public", ""), nil, Options{Cache: NewCache()}},
		{"no lifetime", "tools/list", `{"resultType":"complete","tools":[]}`, nil, Options{Cache: NewCache()}},
		{"an error", "resources/read", "no such resource", map[string]any{"uri": "x:/a"}, Options{Cache: NewCache()}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			seen := map[string]int{}
			c := connect(t, counting(t, func(message, int) string { return tt.result }, seen), tt.opts)
			for range 2 {
				c.Request(t.Context(), tt.method, tt.params) //nolint:errcheck // One of them is refused.
			}
			for key, n := range seen {
				if n != 2 {
					t.Errorf("%s was asked %d times, want 2", key, n)
				}
			}
		})
	}
	t.Run("after a question", func(t *testing.T) {
		t.Parallel()
		seen := map[string]int{}
		c := connect(t, counting(t, func(m message, _ int) string {
			if paramsOf(t, m)["requestState"] == nil {
				return `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}}}`
			}
			return read(60_000, "public")
		}, seen), Options{Cache: NewCache(), Elicit: func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
			return mcp.ElicitResult{Action: mcp.ElicitDecline}, nil
		}})
		for range 2 {
			if _, err := c.Request(t.Context(), "resources/read", map[string]any{"uri": "x:/a"}); err != nil {
				t.Error(err)
			}
		}
		if seen[`resources/read "x:/a"`] != 4 {
			t.Errorf("the server was asked %v", seen)
		}
	})
	t.Run("a legacy server", func(t *testing.T) {
		t.Parallel()
		c := connect(t, scripted(t, func(f *fake) {
			f.openLegacy(mcp.V2025_11_25)
			for range 2 {
				f.result(f.expect(mcp.MethodListTools), listed(60_000, "public", ""))
			}
			f.end()
		}), Options{Cache: NewCache()})
		for range 2 {
			if _, err := c.ListTools(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestC25_lifetime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		seen := map[string]int{}
		cache := NewCache()
		c := connect(t, counting(t, func(message, int) string { return listed(5000, "public", "") }, seen), Options{Cache: cache})
		for _, step := range []struct {
			after time.Duration
			want  int
		}{{0, 1}, {4999 * time.Millisecond, 1}, {time.Millisecond, 2}, {4 * time.Second, 2}, {maxTTL, 3}} {
			time.Sleep(step.after)
			if _, err := c.ListTools(t.Context()); err != nil || seen["tools/list "] != step.want {
				t.Errorf("after %v: asked %d times, want %d, %v", step.after, seen["tools/list "], step.want, err)
			}
		}
		cache.Forget()
		if _, err := c.ListTools(t.Context()); err != nil || seen["tools/list "] != 4 {
			t.Errorf("after Forget: asked %d times, %v", seen["tools/list "], err)
		}
		c.Close()
	})
}

func TestC25_notificationsInvalidate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, notification, drops string }{
		{"tools", `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, "tools/list"},
		{"prompts", `{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`, "prompts/list"},
		{"resources", `{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`, "resources/list resources/templates/list"},
		{"one resource", `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x:/a"}}`, "resources/read x:/a"},
		{"a part of it", `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"x:/b/c"}}`, "resources/read x:/b"},
		{"no uri", `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":[]}`, ""},
		{"another", `{"jsonrpc":"2.0","method":"notifications/message","params":{}}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cache := NewCache()
			c := &Client{opts: Options{Cache: cache}, modern: true}
			requests := map[string]question{}
			for _, r := range []string{"tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read x:/a", "resources/read x:/b", "resources/read x:/bc"} {
				method, uri, _ := strings.Cut(r, " ")
				var members object
				if uri != "" {
					members = object{}.add("uri", wire.AppendString(nil, uri))
				}
				requests[r] = c.question(method, members)
				requests[r].answered(jsontext.Value(`{"ttlMs":6e4,"cacheScope":"public"}`))
				requests[r].answered(jsontext.Value(`{"ttlMs":60000,"cacheScope":"public"}`))
			}
			m, refused := wire.Parse([]byte(tt.notification), wire.Limits{})
			if refused != nil {
				t.Fatal(refused)
			}
			cache.heard(m)
			for name, q := range requests {
				method, uri, _ := strings.Cut(name, " ")
				dropped := strings.Contains(" "+tt.drops+" ", " "+method+" ") && (uri == "" || strings.HasSuffix(tt.drops, uri))
				if _, kept := q.kept(); kept == dropped {
					t.Errorf("%s is kept: %v", name, kept)
				}
				// What was on its way when the change was told is from before.
				if q.answered(jsontext.Value(`{"ttlMs":60000,"cacheScope":"public"}`)); dropped {
					if _, kept := q.kept(); kept {
						t.Errorf("%s is kept after it has changed", name)
					}
				}
			}
		})
	}
}

func TestC26_privateResultsStayInTheirContext(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		scope  string
		shared bool
	}{{"private", false}, {"public", true}, {"", false}, {"Public", false}} {
		t.Run(tt.scope, func(t *testing.T) {
			t.Parallel()
			cache := NewCache()
			ask := func(context string) int {
				seen := map[string]int{}
				c := connect(t, counting(t, func(message, int) string { return listed(60_000, tt.scope, "") }, seen), Options{Cache: cache, CacheContext: context})
				if _, err := c.ListTools(t.Context()); err != nil {
					t.Error(err)
				}
				return seen["tools/list "]
			}
			if ask("ada") != 1 || ask("ada") != 0 {
				t.Error("a result is not kept for its own context")
			}
			if shared := ask("bob") == 0; shared != tt.shared {
				t.Errorf("a result is given to another context: %v", shared)
			}
			if shared := ask("") == 0; shared != tt.shared {
				t.Errorf("a result is given to nobody in particular: %v", shared)
			}
		})
	}
}

func TestC27_cursors(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	expired := false
	c := connect(t, counting(t, func(m message, _ int) string {
		switch cursor := string(paramsOf(t, m)["cursor"]); {
		case cursor == "":
			return listed(60_000, "private", `,"nextCursor":""`)
		case cursor == `""` && !expired:
			return strings.Replace(listed(0, "private", ""), `"a"`, `"b"`, 1)
		case cursor == `""`:
			expired = false
			return "unknown cursor"
		}
		return "?"
	}, seen), Options{Cache: NewCache()})
	for range 2 {
		if tools, err := c.ListTools(t.Context()); err != nil || len(tools) != 2 {
			t.Errorf("%d tools, %v", len(tools), err)
		}
	}
	if seen["tools/list "] != 1 || seen[`tools/list ""`] != 2 {
		t.Errorf("the server was asked %v", seen)
	}
	expired = true
	if tools, err := c.ListTools(t.Context()); err != nil || len(tools) != 2 {
		t.Errorf("after a bad cursor: %d tools, %v", len(tools), err)
	}
	if seen["tools/list "] != 2 || seen[`tools/list ""`] != 4 {
		t.Errorf("after a bad cursor the server was asked %v", seen)
	}
}

func TestC27_cursorsThatAreAlwaysBad(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	c := connect(t, counting(t, func(m message, _ int) string {
		if paramsOf(t, m)["cursor"] != nil {
			return "unknown cursor"
		}
		return listed(60_000, "public", `,"nextCursor":"x"`)
	}, seen), Options{Cache: NewCache()})
	_, err := c.ListTools(t.Context())
	mention(t, err, "tools/list", "unknown cursor")
	if seen["tools/list "] != 2 || seen[`tools/list "x"`] != 2 {
		t.Errorf("the server was asked %v", seen)
	}
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	cache := NewCache()
	c := &Client{opts: Options{Cache: cache}, modern: true}
	keep := func(i, size int) {
		q := c.question("resources/read", object{}.add("uri", wire.AppendString(nil, fmt.Sprint("x:/", i))))
		q.answered(jsontext.Value(fmt.Sprintf(`{"ttlMs":%d,"cacheScope":"public","x":"%s"}`, 60_000+i, strings.Repeat("x", size))))
		if _, kept := q.kept(); !kept {
			t.Fatalf("result %d is not kept", i)
		}
	}
	for i := range maxCached + 100 {
		keep(i, 10)
	}
	if len(cache.entries) != maxCached {
		t.Errorf("%d results are kept, want %d", len(cache.entries), maxCached)
	}
	for i := range 7 {
		keep(2*maxCached+i, 10<<20)
	}
	sum := 0
	for _, e := range cache.entries {
		sum += len(e.result)
	}
	if len(cache.entries) > maxCached || sum > maxCachedBytes || sum != cache.bytes {
		t.Errorf("%d results of %d bytes, counted as %d", len(cache.entries), sum, cache.bytes)
	}
	cache.Forget()
	if len(cache.entries) != 0 || cache.bytes != 0 {
		t.Errorf("%d results and %d bytes are left", len(cache.entries), cache.bytes)
	}
}
