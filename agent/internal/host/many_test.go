package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/config"
)

// Sixty servers, of which twenty hang, crash, flood or lie, cost a search no more than its patience, and each that cannot be
// searched is named with what it did.
func TestManyServersOfWhichManyFail(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	const tools = 43 // of a good server
	bad := []struct {
		behaviour, option string
		tools             int    // that can be used
		says              string // why it is missing; "" when it is not
	}{
		{"hang", "", 0, "still starting"},
		{"exit", "", 0, "cannot find my database"},
		{"flood", "tools=33", tools, ""},
		{"liar", "", 7, ""},
		{"liar", "list=number", 0, "tools/list"},
		{"liar", "list=result_and_error", 0, "response cannot be used"},
		{"liar", "list=wrong_id", 0, "still starting"},
	}
	var servers []config.Server
	says, total := map[string]string{}, 0
	for i := range 60 {
		name := fmt.Sprintf("s%02d", i)
		if i%3 != 1 {
			servers = append(servers, f.program(name, "good", "tools=33"))
			total += tools
			continue
		}
		kind := bad[i/3%len(bad)]
		servers = append(servers, f.program(name, kind.behaviour, kind.option))
		if kind.says != "" {
			says[name] = kind.says
		}
		total += kind.tools
	}
	f.open(nil, servers...)
	start := time.Now()
	if _, err := f.Search(t.Context(), "does task number 7", SearchOptions{Wait: 8 * time.Second}); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("the search took %v", took)
	}
	// The good ones may need longer than that on a busy machine; nobody waits for the others again.
	f.until("all good servers are searched", func() bool {
		again := time.Now()
		found, err := f.Search(t.Context(), "does task number 8", SearchOptions{Wait: 8 * time.Second})
		if took := time.Since(again); err != nil || took > 4*time.Second {
			t.Errorf("a later search waited again: %v, %v", took, err)
		}
		return len(found.Missing) == len(says)
	})
	found, err := f.Search(t.Context(), "does task number 9", SearchOptions{})
	if err != nil || found.Total != total || len(found.Tools) != 8 {
		t.Errorf("%d tools of %d searched, %d found, %v", found.Total, total, len(found.Tools), err)
	}
	for _, m := range found.Missing {
		if want := says[m.Server]; want == "" || !strings.Contains(m.Err.Error(), want) {
			t.Errorf("server %s is missing: %v, want %q", m.Server, m.Err, want)
		}
	}
	t.Logf("searched %d tools of 60 servers, %d of them missing", found.Total, len(found.Missing))
}

// What a server answers wrongly fails one call, at once or after its time, and never the next one.
func TestAServerThatLies(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	liar := f.program("a", "liar")
	liar.Timeout = time.Second
	f.open(nil, liar)
	l, err := f.Listing(t.Context(), "a")
	if err != nil || len(l.Tools) != 7 || len(l.Quarantined) != 5 {
		t.Fatalf("%d tools, %+v, %v", len(l.Tools), l.Quarantined, err)
	}
	for tool, want := range map[string]string{
		"no_json": "response cannot be used", "number": `"number"`, "result_and_error": "response cannot be used", "wrong_id": "1s",
		"wrong_type": `"wrong_type"`,
	} {
		if got, err := f.call("a", tool, `{}`); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want %q", tool, got, err, want)
		}
		for _, right := range []string{"twice", "echo"} {
			if got, err := f.call("a", right, `{}`); err != nil || got != "the truth" {
				t.Errorf("%s after %s: %q, %v", right, tool, got, err)
			}
		}
	}
	if got := f.started("a"); len(got) != 1 {
		t.Errorf("it was started %d times", len(got))
	}
}

func TestTwoThousandTools(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "good", "tools=1990"))
	for range 2 {
		found, err := f.Search(t.Context(), "does task number 1234", SearchOptions{Wait: 20 * time.Second})
		if err != nil || found.Total != 2000 || len(found.Tools) == 0 || found.Tools[0].Name != "tool_1234" {
			t.Fatalf("%d of %d tools, %v", len(found.Tools), found.Total, err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		f.open(nil, f.program("a", "good", "tools=1990"))
	}
	if got, err := f.call("a", "tool_1989", `{}`); err != nil || got != "done tool_1989" {
		t.Errorf("got %q, %v", got, err)
	}
	if got := f.started("a"); len(got) != 2 {
		t.Errorf("started %d times", len(got))
	}
}

// A server works on 64 calls at a time: when 120 were cancelled and one more still works, none of them kept its place.
func TestCancelledCallsKeepNoPlace(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "good"))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 15 {
				ctx, cancel := context.WithCancel(t.Context())
				_, err := f.Call(ctx, "a", "wait", jsontext.Value(`{}`), CallOptions{Progress: func(float64, float64, string) { cancel() }})
				if cancel(); !errors.Is(err, context.Canceled) {
					t.Errorf("error %v", err)
				}
			}
		})
	}
	wg.Wait()
	if got, err := f.call("a", "echo", `{"text":"on"}`); err != nil || got != "on" || len(f.started("a")) != 1 {
		t.Errorf("got %q, %v", got, err)
	}
}

// Tools of a server that is not started again are not found, though they are known: no call of them could work.
func TestToolsThatCannotWorkAreNotFound(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "good"), f.program("b", "good"))
	for _, name := range []string{"a", "b"} {
		if _, err := f.Listing(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	for range manyEnds {
		if _, err := f.call("a", "crash", `{}`); err == nil {
			t.Fatal("the server did not end")
		}
	}
	f.until("it is given up", func() bool { return f.Status()[0].State == StateGivenUp })
	found, err := f.Search(t.Context(), "say a text back", SearchOptions{})
	if err != nil || found.Total != 10 || len(found.Tools) == 0 || found.Tools[0].Server != "b" {
		t.Errorf("found %+v, %v", found.Tools, err)
	}
	if len(found.Missing) != 1 || !strings.Contains(found.Missing[0].Err.Error(), "elyra mcp refresh a") || !strings.Contains(found.Missing[0].Err.Error(), "the disk is on fire") {
		t.Errorf("missing %+v", found.Missing)
	}
	if _, err := f.Refresh(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if found, err := f.Search(t.Context(), "say a text back", SearchOptions{}); err != nil || found.Total != 20 || len(found.Missing) != 0 {
		t.Errorf("%d tools, missing %+v, %v", found.Total, found.Missing, err)
	}
}

// The log of a server is a file of its own, whatever its name is.
func TestLogsOfServersWithOtherNames(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, name := range []string{"plain", "сервер", "服务器", "a/b", "a:b", "..", strings.Repeat("x", 61), strings.Repeat("x", 62), "PLAIN.", "nul\x00"} {
		file := fileName(name)
		if other, there := seen[file]; there || file == "" || len(file) > 80 || strings.ContainsAny(file, "/\\:.\x00 ") {
			t.Errorf("%q is %q, as %q", name, file, other)
		}
		seen[file] = name
	}
}
