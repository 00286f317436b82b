package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/hosttest"
	"github.com/elyra-go/elyra/agent/internal/keeper"
	"github.com/elyra-go/elyra/internal/mcp"
)

func TestMain(m *testing.M) {
	hosttest.Main()
	os.Exit(m.Run())
}

// fixture is a host with a home of its own.
type fixture struct {
	*Host
	t      *testing.T
	dir    string // of the host's home
	starts string // the file in which each server notes its start

	mu      sync.Mutex
	notices []string
}

// program is the configuration of a local server that behaves in a certain way.
func (f *fixture) program(name, behaviour string, options ...string) config.Server {
	args := append([]string{hosttest.Argument, behaviour, "starts=" + f.starts + "-" + name}, options...)
	return config.Server{
		Name: name, Scope: config.User, Transport: config.Stdio, Command: os.Args[0], Args: args, Timeout: 10 * time.Second,
		Env: map[string]string{"HOSTTEST_MARK": f.starts + "-mark"},
	}
}

// started are the process ids of the starts of a server.
func (f *fixture) started(name string) []int {
	f.t.Helper()
	text, err := os.ReadFile(f.starts + "-" + name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		f.t.Fatal(err)
	}
	var pids []int
	for _, line := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(line)
		if err != nil {
			f.t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// newFixture makes the fixture of a test; open makes its host.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	dir := t.TempDir()
	return &fixture{t: t, dir: filepath.Join(dir, "home"), starts: filepath.Join(dir, "starts")}
}

func (f *fixture) open(change func(*Options), servers ...config.Server) {
	f.t.Helper()
	dir, err := home.Open(f.dir)
	if err != nil {
		f.t.Fatal(err)
	}
	o := Options{
		Servers: servers, Home: dir, Dir: f.t.TempDir(), Environ: os.Environ(), StartTime: 20 * time.Second,
		Cache:  catalog.NewCache(dir, time.Now, nil),
		Keeper: keeper.New(hosttest.Keeper),
		Notice: func(server, text string) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.notices = append(f.notices, server+": "+text)
		},
	}
	if change != nil {
		change(&o)
	}
	f.Host = New(o)
	h := f.Host
	f.t.Cleanup(func() {
		if err := h.Close(); err != nil {
			f.t.Errorf("close: %v", err)
		}
		if err := h.opts.Keeper.Close(); err != nil {
			f.t.Errorf("close the keeper: %v", err)
		}
	})
}

// call calls a tool and returns the text of its result.
func (f *fixture) call(server, tool, args string) (string, error) {
	f.t.Helper()
	r, err := f.Call(f.t.Context(), server, tool, jsontext.Value(args), CallOptions{})
	if err != nil {
		return "", err
	}
	var texts []string
	for _, c := range r.Content {
		texts = append(texts, c.Text)
	}
	return strings.Join(texts, "\n"), nil
}

func TestAServerIsStartedByItsFirstCallAndOnlyOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "good"), f.program("b", "good"))
	if f.Status()[0].State != StateIdle {
		t.Error("the server is not idle before it is needed")
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got, err := f.call("a", "echo", `{"text":"hi"}`); err != nil || got != "hi" {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	wg.Wait()
	if got := f.started("a"); len(got) != 1 {
		t.Errorf("server a was started %d times", len(got))
	}
	if got := f.started("b"); len(got) != 0 {
		t.Error("server b was started without need")
	}
	if st := f.Status(); st[0].State != StateReady || st[0].Version != mcp.V2026_07_28 || st[1].State != StateIdle {
		t.Errorf("status %+v", st)
	}
}

func TestASearchNeedsNoServerOnceTheToolsAreKnown(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "good", "instructions=Use me for echoes."))
	found, err := f.Search(t.Context(), "say a text back", SearchOptions{})
	if err != nil || len(found.Tools) == 0 || found.Tools[0].Name != "echo" || found.Total != 10 || found.Instructions["a"] != "Use me for echoes." {
		t.Fatalf("found %+v, %v", found, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	f.open(nil, f.program("a", "good", "instructions=Use me for echoes."))
	found, err = f.Search(t.Context(), "say a text back", SearchOptions{})
	if err != nil || len(found.Tools) == 0 || found.Tools[0].Name != "echo" {
		t.Errorf("found %+v, %v", found, err)
	}
	if got := f.started("a"); len(got) != 1 {
		t.Errorf("the server was started %d times, once was enough", len(got))
	}
}

func TestServersThatCannotBeSearchedAreNamed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("dead", "exit"), f.program("good", "good"), f.program("silent", "hang"))
	start := time.Now()
	found, err := f.Search(t.Context(), "echo", SearchOptions{Wait: 2 * time.Second})
	if err != nil || len(found.Tools) == 0 || found.Tools[0].Server != "good" {
		t.Fatalf("found %+v, %v", found, err)
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("a server that is silent held up the search for %v", took)
	}
	if len(found.Missing) != 2 || found.Missing[0].Server != "dead" || found.Missing[1].Server != "silent" {
		t.Fatalf("missing %+v", found.Missing)
	}
	if err := found.Missing[0].Err; !strings.Contains(err.Error(), "cannot find my database") {
		t.Errorf("the error does not quote the server's last words: %v", err)
	}
	if err := found.Missing[1].Err; !strings.Contains(err.Error(), "still starting") {
		t.Errorf("the error of the silent server: %v", err)
	}
}

func TestACallIsRepeatedOnlyWhenItDoesNoHarm(t *testing.T) {
	t.Parallel()
	for name, listed := range map[string]bool{"known tools": true, "a call that comes before the list": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.open(nil, f.program("a", "good"))
			if listed {
				if _, err := f.Listing(t.Context(), "a"); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := f.call("a", "flaky", `{}`); err != nil || got != "the second time" {
				t.Errorf("a tool that only reads: %q, %v", got, err)
			}
			if got := f.started("a"); len(got) != 2 {
				t.Errorf("started %d times", len(got))
			}
			if _, err := f.call("a", "crash", `{}`); err == nil || !strings.Contains(err.Error(), "the disk is on fire") {
				t.Errorf("a tool that may destroy: %v", err)
			}
			if got, err := f.call("a", "echo", `{"text":"back"}`); err != nil || got != "back" {
				t.Errorf("the next call: %q, %v", got, err)
			}
			if got := f.started("a"); len(got) != 3 {
				t.Errorf("started %d times", len(got))
			}
		})
	}
}

func TestAServerThatKeepsEndingIsGivenUp(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "exit"))
	var err error
	for range manyEnds + 2 {
		_, err = f.call("a", "echo", `{}`)
	}
	if err == nil || !strings.Contains(err.Error(), "elyra mcp refresh a") || !strings.Contains(err.Error(), "cannot find my database") {
		t.Errorf("the error %v", err)
	}
	if st := f.Status()[0]; st.State != StateGivenUp {
		t.Errorf("state %s", st.State)
	}
	// A probe that ends the server is followed by a second start without one.
	if got := f.started("a"); len(got) != 2*manyEnds {
		t.Errorf("started %d times", len(got))
	}
}

func TestACancelReachesTheServerAndFreesTheCall(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "good"))
	ctx, cancel := context.WithCancel(t.Context())
	reports := 0
	_, err := f.Call(ctx, "a", "wait", jsontext.Value(`{}`), CallOptions{Progress: func(float64, float64, string) {
		if reports++; reports == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	deadline := time.Now().Add(5 * time.Second)
	for {
		log, _ := os.ReadFile(filepath.Join(f.dir, "logs", "mcp-a.log"))
		if strings.Contains(string(log), "wait was cancelled") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server did not hear of it: %q", log)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got, err := f.call("a", "echo", `{"text":"on"}`); err != nil || got != "on" || len(f.started("a")) != 1 {
		t.Errorf("the connection did not stay: %q, %v", got, err)
	}
}

func TestAnUnknownToolIsNamed(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "good"))
	if _, err := f.call("a", "ehco", `{}`); err == nil || !strings.Contains(err.Error(), `has no tool "ehco"`) || !strings.Contains(err.Error(), `"echo"`) {
		t.Errorf("error %v", err)
	}
	if _, err := f.call("b", "echo", `{}`); err == nil || !strings.Contains(err.Error(), `there is no server "b"`) {
		t.Errorf("error %v", err)
	}
	f.open(func(o *Options) { o.Disabled = func(config.Server) bool { return true } }, f.program("off", "good"))
	if _, err := f.call("off", "echo", `{}`); !errors.Is(err, ErrDisabled) {
		t.Errorf("error %v", err)
	}
}

func TestQuestionsOfBothEras(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"good", "legacy"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.open(func(o *Options) {
				o.Elicit = func(_ context.Context, server string, p mcp.ElicitParams) (mcp.ElicitResult, error) {
					if server != "a" || p.Message != "May I?" {
						return mcp.ElicitResult{}, fmt.Errorf("asked by %q: %q", server, p.Message)
					}
					return mcp.ElicitResult{Action: mcp.ElicitAccept}, nil
				}
			}, f.program("a", behaviour))
			if got, err := f.call("a", "ask", `{}`); err != nil || got != "the answer is accept" {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		t.Parallel()
		f := newFixture(t)
		f.open(nil, f.program("a", "good"))
		if got, err := f.call("a", "ask", `{}`); err != nil || got != "the answer is decline" {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

func TestTheEraIsRemembered(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "legacy"))
	if _, err := f.Listing(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	f.open(nil, f.program("a", "legacy"))
	if got, err := f.call("a", "echo", `{"text":"x"}`); err != nil || got != "x" {
		t.Errorf("got %q, %v", got, err)
	}
	if got := f.started("a"); len(got) != 3 { // the probe, the session, and the second session without a probe
		t.Errorf("started %d times", len(got))
	}
	// A server that became a modern one since is found out again.
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestALocalServerGetsNoSecrets(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(func(o *Options) { o.Environ = append(o.Environ, "SECRET_TOKEN=12345") }, f.program("a", "good"))
	got, err := f.call("a", "environment", `{}`)
	if err != nil || strings.Contains(got, "SECRET_TOKEN") || !strings.Contains(got, "PATH=") || !strings.Contains(got, "HOSTTEST_MARK=") {
		t.Errorf("environment %q, %v", got, err)
	}
}

func TestANoisyServerWorks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "noisy"))
	for range 5 {
		if got, err := f.call("a", "echo", `{"text":"hi"}`); err != nil || got != "hi" {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	log, err := os.ReadFile(filepath.Join(f.dir, "logs", "mcp-a.log"))
	if err != nil || !strings.Contains(string(log), "noise noise") {
		t.Errorf("the log: %v", err)
	}
}
