package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/wire"
)

// pagesOf is a server whose pages are asked for by their cursor, "start" for the first. It counts what it was asked.
func pagesOf(pages map[string]string, asked *[]string) Pager {
	return func(_ context.Context, cursor *string) (jsontext.Value, error) {
		at := "start"
		if cursor != nil {
			at = *cursor
		}
		if asked != nil {
			*asked = append(*asked, at)
		}
		page, ok := pages[at]
		if !ok {
			return nil, fmt.Errorf("no page %q", at)
		}
		return jsontext.Value(page), nil
	}
}

func toolJSON(names ...string) string {
	var out []string
	for _, n := range names {
		out = append(out, `{"name":"`+n+`","inputSchema":{"type":"object"}}`)
	}
	return strings.Join(out, ",")
}

func namesOf(l Listing) []string {
	var out []string
	for _, t := range l.Tools {
		out = append(out, t.Name)
	}
	return out
}

func fetch(t testing.TB, next Pager) Listing {
	t.Helper()
	l, err := Fetch(t.Context(), next, FetchOptions{Server: "srv", Era: "modern", Now: fixedClock})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestFetch_notOnlyTheFirstPageOfTools(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pages map[string]string
		want  string // names
		asked string
		note  string
	}{
		"one page":          {map[string]string{"start": `{"tools":[` + toolJSON("b", "a") + `]}`}, "a b", "start", ""},
		"three pages":       {map[string]string{"start": `{"tools":[` + toolJSON("c") + `],"nextCursor":"2"}`, "2": `{"tools":[` + toolJSON("a") + `],"nextCursor":"3"}`, "3": `{"tools":[` + toolJSON("b") + `],"nextCursor":null}`}, "a b c", "start 2 3", ""},
		"an empty cursor":   {map[string]string{"start": `{"tools":[` + toolJSON("b") + `],"nextCursor":""}`, "": `{"tools":[` + toolJSON("a") + `]}`}, "a b", "start ", ""},
		"an empty page":     {map[string]string{"start": `{"tools":[],"nextCursor":"2"}`, "2": `{"tools":[` + toolJSON("a") + `]}`}, "a", "start 2", ""},
		"a repeated cursor": {map[string]string{"start": `{"tools":[` + toolJSON("a") + `],"nextCursor":"2"}`, "2": `{"tools":[` + toolJSON("b") + `],"nextCursor":"2"}`}, "a b", "start 2", "repeats a page"},
		"a circle":          {map[string]string{"start": `{"tools":[],"nextCursor":"2"}`, "2": `{"nextCursor":"3"}`, "3": `{"tools":null,"nextCursor":"2"}`}, "", "start 2 3", "repeats a page"},
		"no tools at all":   {map[string]string{"start": `{}`}, "", "start", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked []string
			l := fetch(t, pagesOf(c.pages, &asked))
			if got := strings.Join(namesOf(l), " "); got != c.want {
				t.Errorf("tools %q, want %q", got, c.want)
			}
			if got := strings.Join(asked, " "); got != c.asked {
				t.Errorf("asked for %q, want %q", got, c.asked)
			}
			if got := strings.Join(l.Notes, ";"); (got == "") != (c.note == "") || !strings.Contains(got, c.note) {
				t.Errorf("notes %q, want %q", got, c.note)
			}
		})
	}
}

func TestFetch_aListWithoutEndIsCut(t *testing.T) {
	t.Parallel()
	endless := func(perPage, size int) (Pager, *int) {
		page := 0
		return func(context.Context, *string) (jsontext.Value, error) {
			page++
			var names []string
			for i := range perPage {
				names = append(names, fmt.Sprintf("t%d_%d", page, i))
			}
			return jsontext.Value(fmt.Sprintf(`{"tools":[%s],"nextCursor":"%d","pad":"%s"}`, toolJSON(names...), page, strings.Repeat("x", size))), nil
		}, &page
	}
	for name, c := range map[string]struct {
		perPage, size, tools, pages int
		note                        string
	}{
		"pages": {1, 0, 100, 100, "more than 100 pages"},
		"tools": {2000, 0, 5000, 3, "more than 5000 tools"},
		"bytes": {1, 9 << 20, 4, 4, "longer than 32 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			next, pages := endless(c.perPage, c.size)
			l := fetch(t, next)
			if len(l.Tools) != c.tools || *pages != c.pages || len(l.Notes) != 1 || !strings.Contains(l.Notes[0], c.note) {
				t.Errorf("%d tools, %d pages, notes %v", len(l.Tools), *pages, l.Notes)
			}
		})
	}
}

func TestFetch_refusals(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"no JSON": `{"tools":[`, "an array": `[]`, "tools are an object": `{"tools":{}}`, "cursor is a number": `{"tools":[],"nextCursor":7}`, "empty": ``, "invalid UTF-8": "{\"tools\":[\"\xff\"]}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if l, err := Fetch(t.Context(), pagesOf(map[string]string{"start": page}, nil), FetchOptions{Now: fixedClock}); err == nil {
				t.Errorf("got %+v", l)
			}
		})
	}
	t.Run("the server fails at a later page", func(t *testing.T) {
		t.Parallel()
		_, err := Fetch(t.Context(), pagesOf(map[string]string{"start": `{"nextCursor":"gone"}`}, nil), FetchOptions{Now: fixedClock})
		if err == nil || !strings.Contains(err.Error(), `no page "gone"`) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the server does not know the method", func(t *testing.T) {
		t.Parallel()
		next := func(context.Context, *string) (jsontext.Value, error) {
			return nil, fmt.Errorf("tools/list: %w", wire.Errorf(wire.CodeMethodNotFound, "unknown"))
		}
		if l := fetch(t, next); len(l.Tools) != 0 {
			t.Errorf("got %+v", l)
		}
	})
	t.Run("a later page is no unknown method", func(t *testing.T) {
		t.Parallel()
		next := func(_ context.Context, cursor *string) (jsontext.Value, error) {
			if cursor == nil {
				return jsontext.Value(`{"nextCursor":"2"}`), nil
			}
			return nil, wire.Errorf(wire.CodeMethodNotFound, "unknown")
		}
		if l, err := Fetch(t.Context(), next, FetchOptions{Now: fixedClock}); err == nil {
			t.Errorf("got %+v", l)
		}
	})
	t.Run("the caller gives up", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		next := func(ctx context.Context, _ *string) (jsontext.Value, error) {
			cancel()
			return jsontext.Value(`{}`), nil
		}
		if _, err := Fetch(ctx, next, FetchOptions{Now: fixedClock}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestFetch_oneBadToolDoesNotSpoilTheOthers(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"items":`, 70) + `{}` + strings.Repeat(`}`, 70)
	for name, c := range map[string]struct{ tool, reason string }{
		"a long name":     {`{"name":"` + strings.Repeat("n", 257) + `","inputSchema":{"type":"object"}}`, "its name is 257 bytes long"},
		"a deep schema":   {`{"name":"x","inputSchema":{"type":"object","properties":{"a":` + deep + `}}}`, "nested too deep"},
		"a large schema":  {`{"name":"x","inputSchema":{"type":"object","description":"` + strings.Repeat("d", 256<<10) + `"}}`, "its inputSchema is 256 KB long"},
		"a large tool":    {`{"name":"x","description":"` + strings.Repeat("d", 512<<10) + `"}`, "it is 512 KB long"},
		"a type of lists": {`{"name":"x","inputSchema":{"type":["array","string"]}}`, `the type ["array","string"] instead of object`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := fetch(t, pagesOf(map[string]string{"start": `{"tools":[` + c.tool + `,` + toolJSON("good") + `]}`}, nil))
			if !slices.Equal(namesOf(l), []string{"good"}) || len(l.Quarantined) != 1 {
				t.Fatalf("tools %v, quarantined %v", namesOf(l), l.Quarantined)
			}
			q := l.Quarantined[0]
			if q.Server != "srv" || !strings.Contains(q.Reason, c.reason) || len(q.Name) > 90 || len(q.Reason) > 200 {
				t.Errorf("got %+v, want %q", q, c.reason)
			}
		})
	}
}

func TestFetch_everyInputSchemaIsAnObject(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`,"inputSchema":{}`: `{"type":"object"}`, ``: `{"type":"object"}`, `,"inputSchema":{ "type" : ["null","object"], "a":1}`: `{"type":"object","a":1}`,
		`,"inputSchema":{"a":1}`: `{"type":"object","a":1}`, `,"inputSchema":{"type":"object","a":1,"a":"\ud800"}`: "{\"type\":\"object\",\"a\":\"\ufffd\"}",
	} {
		l := fetch(t, pagesOf(map[string]string{"start": `{"tools":[{"name":"a"` + schema + `}]}`}, nil))
		if len(l.Tools) != 1 || string(l.Tools[0].InputSchema) != want {
			t.Errorf("%s: got %+v, %+v", schema, l.Tools, l.Quarantined)
		}
	}
}

func TestFetch_firstOfTwoWithOneNameCounts(t *testing.T) {
	t.Parallel()
	l := fetch(t, pagesOf(map[string]string{
		"start": `{"tools":[{"name":"a","description":"first"}],"nextCursor":"2"}`, "2": `{"tools":[{"name":"a","description":"second"}]}`,
	}, nil))
	if len(l.Tools) != 1 || l.Tools[0].Description != "first" || len(l.Quarantined) != 1 {
		t.Errorf("got %+v, %+v", l.Tools, l.Quarantined)
	}
}

func TestFetch_timeToLive(t *testing.T) {
	t.Parallel()
	ms := func(n int) *time.Duration { d := time.Duration(n) * time.Millisecond; return &d }
	for name, c := range map[string]struct {
		first, second string
		want          *time.Duration
	}{
		"absent is not zero": {"", "", nil},
		"zero":               {`,"ttlMs":0`, "", ms(0)},
		"the shortest":       {`,"ttlMs":5000`, `,"ttlMs":3e3`, ms(3000)},
		"negative is zero":   {`,"ttlMs":-1`, "", ms(0)},
		"a word":             {`,"ttlMs":"5000"`, `,"ttlMs":null`, nil},
		"for ever":           {`,"ttlMs":1e300`, "", ms(int(maxTTL / time.Millisecond))},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := fetch(t, pagesOf(map[string]string{"start": `{"nextCursor":"2"` + c.first + `}`, "2": `{"tools":[]` + c.second + `}`}, nil))
			if (l.TTL == nil) != (c.want == nil) || l.TTL != nil && *l.TTL != *c.want {
				t.Errorf("got %v", l.TTL)
			}
		})
	}
}

func TestFetch_families(t *testing.T) {
	t.Parallel()
	o := FetchOptions{
		Server: "srv", Now: fixedClock, Instructions: strings.Repeat("ä", 20<<10),
		Resources: pagesOf(map[string]string{"start": `{"resources":[{"uri":"b:","name":"B"},{"name":"no uri"},7,{"uri":"b:","name":"again"}],"nextCursor":"2"}`, "2": `{"resources":[{"uri":"a:","name":"A","description":"first"}]}`}, nil),
		Templates: pagesOf(map[string]string{"start": `{"resourceTemplates":[{"uriTemplate":"x:{y}","name":"X"}]}`}, nil),
		Prompts:   pagesOf(map[string]string{"start": `{"prompts":[],"nextCursor":"gone"}`}, nil),
	}
	l, err := Fetch(t.Context(), pagesOf(map[string]string{"start": `{"tools":[` + toolJSON("a") + `]}`}, nil), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Resources) != 2 || l.Resources[0].URI != "a:" || l.Resources[1].Name != "B" || len(l.Templates) != 1 || l.Prompts != nil {
		t.Errorf("resources %+v, templates %+v, prompts %+v", l.Resources, l.Templates, l.Prompts)
	}
	if len(l.Quarantined) != 3 || len(l.Notes) != 1 || !strings.Contains(l.Notes[0], "prompts") || len(l.Tools) != 1 {
		t.Errorf("quarantined %+v, notes %v", l.Quarantined, l.Notes)
	}
	if len(l.Instructions) != maxInstructions || strings.ContainsRune(l.Instructions, '\ufffd') {
		t.Errorf("%d bytes of instructions", len(l.Instructions))
	}
}

func TestHash_changesWithTheMeaningOnly(t *testing.T) {
	t.Parallel()
	const base = `{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"x":{"type":"string"},"y":{}}},"annotations":{"readOnlyHint":true}}`
	hashes := func(tool string) (string, string) {
		l := fetch(t, pagesOf(map[string]string{"start": `{"tools":[` + toolJSON("z") + `,` + tool + `]}`}, nil))
		return l.Tools[0].Hash, l.Hash
	}
	tool, listing := hashes(base)
	for name, c := range map[string]struct {
		tool          string
		approves, all bool // whether the hashes stay
	}{
		"the same":              {base, true, true},
		"order and white space": {`{"annotations":{"readOnlyHint":true}, "inputSchema":{"properties":{"y":{},"x":{"type":"string"}},"type":"object"},"description":"d","name":"a"}`, true, true},
		"the type left out":     {strings.Replace(base, `"type":"object",`, ``, 1), true, true},
		"description":           {strings.Replace(base, `"d"`, `"e"`, 1), false, false},
		"title":                 {strings.Replace(base, `"description"`, `"title":"t","description"`, 1), false, false},
		"schema":                {strings.Replace(base, `"string"`, `"number"`, 1), false, false},
		"annotations":           {strings.Replace(base, `true`, `false`, 1), false, false},
		"output schema":         {strings.Replace(base, `"annotations"`, `"outputSchema":{},"annotations"`, 1), true, false},
		"icons":                 {strings.Replace(base, `"annotations"`, `"icons":[],"annotations"`, 1), true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gotTool, gotListing := hashes(c.tool)
			if (gotTool == tool) != c.approves || (gotListing == listing) != c.all {
				t.Errorf("tool hash stays: %v, listing hash stays: %v", gotTool == tool, gotListing == listing)
			}
		})
	}
}

func FuzzFetch(f *testing.F) {
	for _, page := range []string{
		`{"tools":[` + toolJSON("a", "b", "a") + `],"nextCursor":"x","ttlMs":5}`, `{"tools":[{"name":"a","inputSchema":{"a":1,"a":{"b":"\ud800"}}}]}`,
		`{"tools":[1,null,"x",{"name":7}],"nextCursor":""}`, `{"tools":[{"name":"a\u0000","annotations":{"readOnlyHint":1}},{"name":"b","outputSchema":{"type":"array"}}]}`, `{`, ``,
	} {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		calls := 0
		next := func(context.Context, *string) (jsontext.Value, error) {
			calls++
			return page, nil
		}
		l, err := Fetch(t.Context(), next, FetchOptions{Server: "s", Now: fixedClock, Prompts: next})
		if calls > 4 {
			t.Errorf("%d pages were asked for", calls)
		}
		if err != nil {
			return
		}
		for i, tool := range l.Tools {
			if !tool.InputSchema.IsValid() || tool.OutputSchema != nil && !tool.OutputSchema.IsValid() || len(tool.Hash) != 64 || checkName(tool.Name) != nil {
				t.Errorf("tool %+v", tool)
			}
			if i > 0 && l.Tools[i-1].Name >= tool.Name {
				t.Errorf("%q before %q", l.Tools[i-1].Name, tool.Name)
			}
		}
		e, err := newEntry("k", l)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := e.listing("s"); err != nil || back.Hash != l.Hash || listingHash(back) != l.Hash {
			t.Errorf("%+v became %+v, %v", l, back, err)
		}
	})
}
