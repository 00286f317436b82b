package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/host"
)

// The servers of the benchmarks: 2,000 tools, about as long as those of real servers.
const (
	benchServers = 10
	benchTools   = 200 // of each
)

// benchCatalog is what one server lists.
func benchCatalog(server int) jsontext.Value {
	verbs := []string{"create", "update", "delete", "list", "get", "search", "archive", "restore", "export", "import", "assign", "merge", "approve", "reject", "copy", "move", "share", "lock", "tag", "count"}
	nouns := []string{"customer", "invoice", "order", "ticket", "branch", "deployment", "document", "calendar event", "message", "report"}
	areas := []string{"sales", "accounting", "support", "source control", "operations", "files", "planning", "chat", "analytics", "inventory"}
	var tools []map[string]any
	for i := range benchTools {
		verb, noun, area := verbs[i%len(verbs)], nouns[i/len(verbs)], areas[server]
		properties := map[string]any{}
		for _, name := range []string{"id", "query", "fields", "limit", "cursor", "dryRun", "reason"} {
			properties[name] = map[string]any{"type": "string", "description": fmt.Sprintf("The %s of the %s that the %s %s works on, as the service shows it.", name, noun, area, verb)}
		}
		tools = append(tools, map[string]any{
			"name":        fmt.Sprintf("%s_%s_%s", strings.ReplaceAll(area, " ", "_"), verb, strings.ReplaceAll(noun, " ", "_")),
			"title":       verb + " " + noun,
			"description": fmt.Sprintf("Use this to %s a %s in %s. It returns what was changed, with its id and its time. Needs permission for %s. Do not use it for more than a hundred at once.", verb, noun, area, area),
			"inputSchema": map[string]any{"type": "object", "properties": properties, "required": []string{"id"}, "additionalProperties": false},
		})
	}
	page, err := json.Marshal(map[string]any{"tools": tools}, json.Deterministic(true))
	if err != nil {
		panic(err)
	}
	return page
}

// benchHome makes a user's home in which the tools of ten servers are known. None of them can be started.
func benchHome(b *testing.B) (userHome string, servers []config.Server, dir *home.Dir) {
	b.Helper()
	userHome = b.TempDir()
	configured := map[string]any{}
	for i := range benchServers {
		configured[fmt.Sprintf("server%d", i)] = map[string]any{"command": filepath.Join(userHome, "gone"), "args": []string{fmt.Sprint(i)}}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": configured})
	if err != nil {
		b.Fatal(err)
	}
	dir, err = home.Open(filepath.Join(userHome, ".elyra", "agent"))
	if err != nil {
		b.Fatal(err)
	}
	if err := dir.Write("mcp.json", text); err != nil {
		b.Fatal(err)
	}
	servers = config.Load(b.Context(), config.Options{
		UserHome: userHome, AgentHome: dir.Path(), Getenv: func(string) (string, bool) { return "", false }, GOOS: runtime.GOOS,
	}).Servers
	cache := catalog.NewCache(dir, time.Now, nil)
	for i, s := range servers {
		page := func(context.Context, *string) (jsontext.Value, error) { return benchCatalog(i), nil }
		listing, err := catalog.Fetch(b.Context(), page, catalog.FetchOptions{Server: s.Name, Era: "2025-11-25", Now: time.Now})
		if err == nil {
			err = cache.Put(b.Context(), s.Key(), listing)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return userHome, servers, dir
}

// BenchmarkColdSearch is the time of one process of the program that searches what is known: start, configuration, cache,
// search, output. The median may not exceed 60 ms.
func BenchmarkColdSearch(b *testing.B) {
	userHome, _, _ := benchHome(b)
	program := filepath.Join(b.TempDir(), "elyra")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/elyra-go/elyra/agent/cmd/elyra").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	project := b.TempDir()
	var spent []time.Duration // of the processors
	search := func(args ...string) string {
		cmd := exec.Command(program, append([]string{"mcp", "search"}, args...)...)
		cmd.Dir, cmd.Env, cmd.Stderr = project, []string{"HOME=" + userHome, "USERPROFILE=" + userHome, "PATH=" + os.Getenv("PATH")}, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		spent = append(spent, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		return string(out)
	}
	if out := search("--json", "approve an invoice"); !strings.Contains(out, fmt.Sprintf(`"searched": %d`, benchServers*benchTools)) || !strings.Contains(out, "accounting_approve_invoice") {
		b.Fatalf("the search is another: %s", out)
	}
	var times []time.Duration
	for b.Loop() {
		began := time.Now()
		search("approve an invoice")
		times = append(times, time.Since(began))
	}
	report := func(name string, all []time.Duration) {
		slices.Sort(all)
		b.ReportMetric(float64(all[0].Microseconds())/1000, "ms-"+name+"-least")
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "ms-"+name+"-median")
	}
	report("wall", times)
	report("cpu", spent)
}

// BenchmarkHostSearch is the same search in a process that has the index already. It may take 5 ms.
func BenchmarkHostSearch(b *testing.B) {
	_, servers, dir := benchHome(b)
	h := host.New(host.Options{Servers: servers, Home: dir, Cache: catalog.NewCache(dir, time.Now, nil)})
	defer h.Close()
	for b.Loop() {
		found, err := h.Search(b.Context(), "approve an invoice", host.SearchOptions{})
		if err != nil || found.Total != benchServers*benchTools || len(found.Tools) == 0 {
			b.Fatal(found, err)
		}
	}
}
