package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// shellEnv tells this test binary to be the sqlite3 shell, where there is none: it holds the path of the database.
const shellEnv = "CRM_TEST_BE_THE_SHELL"

// TestMain of this package starts the app; the shell is a test because that one is taken.
func TestBeTheShell(t *testing.T) {
	path := os.Getenv(shellEnv)
	if path == "" {
		return
	}
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: path})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), os.Getenv("CRM_TEST_STATEMENT")); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// shell runs a statement as somebody at a terminal does: sqlite3 crm.db "update …".
func shell(t *testing.T, home, statement string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "data", "*", "crm.db"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the databases of the app: %v, %v", files, err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestBeTheShell$")
	cmd.Env = append(os.Environ(), shellEnv+"="+files[0], "CRM_TEST_STATEMENT="+statement)
	if program, err := exec.LookPath("sqlite3"); err == nil {
		cmd = exec.CommandContext(t.Context(), program, files[0], ".timeout 5000", statement)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", statement, err, out)
	}
}

// watcher is an agent that has subscribed to resources.
type watcher struct {
	t    *testing.T
	told chan string
}

// watch subscribes to resources of the app that cmd starts.
func watch(t *testing.T, c *mcpclient.Client, uris ...string) watcher {
	t.Helper()
	w := watcher{t, make(chan string, 100)}
	s, err := c.Listen(t.Context(), mcp.SubscriptionFilter{ResourceSubscriptions: uris}, func(_ string, params jsontext.Value) { w.told <- string(params) })
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Filter().ResourceSubscriptions; !slices.Equal(got, uris) {
		t.Fatalf("subscribed to %q, want %q", got, uris)
	}
	return w
}

// next waits until it is told of a resource, and of no other.
func (w watcher) next(uri string) time.Time {
	w.t.Helper()
	select {
	case got := <-w.told:
		if !strings.Contains(got, `"`+uri+`"`) {
			w.t.Errorf("told of %s, want %s", got, uri)
		}
	case <-time.After(10 * time.Second):
		w.t.Fatalf("not told of %s", uri)
	}
	return time.Now()
}

func (w watcher) quiet() {
	w.t.Helper()
	select {
	case got := <-w.told:
		w.t.Errorf("told of %s", got)
	case <-time.After(400 * time.Millisecond): // the look for other programs comes eight times a second
	}
}

// TestTwoProcessesAndAShellOnOneFile has two agents, each with an app of its own without a window, on the same database.
func TestTwoProcessesAndAShellOnOneFile(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	agent := func() *mcpclient.Client {
		return connect(t, func() *exec.Cmd { return program(t, session(t, home), "--mcp") })
	}
	one, other := agent(), agent()
	const ada, grace = "app://customers_show/1", "app://customers_show/2"
	first, second := watch(t, one, ada), watch(t, one, grace)
	own := watch(t, other, ada)

	rename := func(name string) {
		callTool(t, other, "customers_update", map[string]any{"id": 1, "input": map[string]any{"name": name, "email": "first@example.org"}})
	}
	var took []time.Duration
	for i := range 20 {
		rename(fmt.Sprint("Name ", i))
		answered := time.Now()
		own.next(ada)
		took = append(took, first.next(ada).Sub(answered))
		time.Sleep(20 * time.Millisecond)
	}
	slices.Sort(took)
	t.Logf("told of a write of the other process after %v, half of the time; at most %v", took[len(took)/2], took[len(took)-1])

	rename("Name 19") // the result is the same
	first.quiet()
	second.quiet() // a commit of another process is known by table; the result that is the same is told to nobody

	for _, before := range []string{"", "vacuum; ", "pragma wal_checkpoint(truncate); "} {
		name := "The shell after " + before
		shell(t, home, before+"update customers set name = '"+name+"' where id = 2")
		second.next(grace)
		if text := read(t, one, grace); !strings.Contains(text, name) {
			t.Errorf("after %sit reads %s", before, text)
		}
	}
	first.quiet()

	if err := other.Close(); err != nil {
		t.Error(err)
	}
	shell(t, home, "delete from customers where id = 1")
	first.next(ada)
	second.quiet()
}

func read(t *testing.T, c *mcpclient.Client, uri string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	result, err := c.Request(ctx, mcp.MethodReadResource, map[string]any{"uri": uri})
	if err != nil {
		t.Fatal(err)
	}
	return string(result)
}
