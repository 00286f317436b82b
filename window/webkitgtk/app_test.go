//go:build webkit && linux

package webkitgtk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/bridge"
	"github.com/elyra-go/elyra/internal/live"
	"github.com/elyra-go/elyra/window"
)

const patience = 30 * time.Second

// counter is an app with a number that pages can raise and watch. Its command "report" is how a page tells the test something.
type counter struct {
	reports chan string
	waitFor chan string // the command "wait" answers with the next of these
	mu      sync.Mutex
	n       int
	watch   map[*watcher]bool
}

type watcher struct {
	app     *counter
	updates chan live.Update
}

func (w *watcher) Updates() <-chan live.Update { return w.updates }
func (w *watcher) Close() {
	w.app.mu.Lock()
	defer w.app.mu.Unlock()
	delete(w.app.watch, w)
}

func (w *watcher) push() {
	select {
	case <-w.updates:
	default:
	}
	w.updates <- live.Update{Value: fmt.Append(nil, w.app.n)}
}

func newCounter() *counter {
	return &counter{reports: make(chan string, 16), watch: map[*watcher]bool{}}
}

func (c *counter) Call(_ context.Context, _, command string, args []byte) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch command {
	case "add":
		c.n++
		for w := range c.watch {
			w.push()
		}
		return fmt.Append(nil, c.n), nil
	case "echo":
		return args, nil
	case "wait":
		return jsontext.AppendQuote(nil, <-c.waitFor)
	case "report":
		c.reports <- string(args)
		return nil, nil
	}
	return nil, errors.New("no such command")
}

func (c *counter) Subscribe(_, _ string, _ []byte) (bridge.Live, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := &watcher{c, make(chan live.Update, 1)}
	c.watch[w] = true
	w.push()
	return w, nil
}

func (c *counter) watching() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.watch)
}

func (c *counter) CallRaw(_ context.Context, _, _ string, body []byte) ([]byte, error) {
	return fmt.Appendf(nil, `"%d bytes, the last %x"`, len(body), body[max(0, len(body)-4):]), nil
}

func (c *counter) Channels(string) (<-chan bridge.Message, func()) { return nil, func() {} }
func (c *counter) DescribeError(err error) (int, []byte) {
	return 422, []byte(`{"error":{"kind":"validation","message":"` + err.Error() + `","fields":{"name":["is taken"]}}}`)
}

// runApp shows windows of the counter with that script until the test ends.
func runApp(t testing.TB, c *counter, o Options, script string, windows ...window.Options) (done chan error) {
	return runAppOn(t, c, newBackend(o), script, windows...)
}

func runAppOn(t testing.TB, c *counter, backend window.Backend, script string, windows ...window.Options) (done chan error) {
	files, _ := backend.(window.FileDialogs)
	b := bridge.New(bridge.Options{App: c, Files: files, Assets: fstest.MapFS{
		"index.html": {Data: []byte(`<!doctype html><title>counter</title><link rel="stylesheet" href="/app.css"><main><h1>Counter</h1><p id="n">…</p></main><script type="module" src="/app.js"></script>`)},
		"app.css":    {Data: []byte(`body{font:16px sans-serif;margin:3rem;background:#f6f4ef;color:#222}#n{font-size:4rem;margin:0}`)},
		"app.js":     {Data: []byte(`import { call, live, openFile, saveFile, toast, CommandError, ValidationError } from "/elyra/runtime.js"; const report = (...all) => call("report", all);` + script)},
	}})
	ctx, stop := context.WithCancel(context.Background())
	done = make(chan error, 1)
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		mainThread(func() { done <- backend.Run(ctx, b, windows) })
	}()
	t.Cleanup(func() { stop(); <-finished; b.Close() })
	return done
}

func next[T any](t testing.TB, from <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatalf("waited %v for %s", patience, what)
		panic("unreachable")
	}
}

func expect(t testing.TB, c *counter, want string) {
	t.Helper()
	if got := next(t, c.reports, want); got != want {
		t.Fatalf("the page reports %s, want %s", got, want)
	}
}

func TestAppWithTwoWindows(t *testing.T) {
	c := newCounter()
	done := runApp(t, c, Options{}, `
		const id = window.__elyra.window;
		await report("called", await call("echo", { text: "äö" }), await call("add"));
		const failed = await call("none").catch((error) => error);
		await report(failed instanceof ValidationError, failed.message, failed.fields);
		const stop = live("count").subscribe(async (state) => {
			document.querySelector("#n").textContent = state.value ?? "…";
			if (state.value === 3) { await report(id, "saw", 3); stop(); window.stopped = true; setTimeout(() => window.close(), 50); }
		});`, window.Options{ID: "a", Title: "A"}, window.Options{ID: "b", Title: "B"})
	var called []string
	for range 4 {
		called = append(called, next(t, c.reports, "the pages' calls"))
	}
	slices.Sort(called)
	want := []string{
		`["called",{"text":"äö"},1]`, `["called",{"text":"äö"},2]`,
		`[true,"no such command",{"name":["is taken"]}]`, `[true,"no such command",{"name":["is taken"]}]`,
	}
	if !slices.Equal(called, want) {
		t.Fatalf("the pages report %v", called)
	}
	if _, err := c.Call(t.Context(), "", "add", nil); err != nil {
		t.Fatal(err)
	}
	saw := []string{next(t, c.reports, "a page to see the change"), next(t, c.reports, "the other page too")}
	slices.Sort(saw)
	if !slices.Equal(saw, []string{`["a","saw",3]`, `["b","saw",3]`}) {
		t.Errorf("the pages report %v", saw)
	}
	if err := next(t, done, "the pages to close their windows"); err != nil {
		t.Error(err)
	}
	if n := c.watching(); n != 0 {
		t.Errorf("%d subscriptions are open after the windows have closed", n)
	}
}

func TestReloadOpensAFreshStream(t *testing.T) {
	c := newCounter()
	runApp(t, c, Options{}, `
		live("count").subscribe(async (state) => {
			if (state.loading) return;
			await report("loaded");
			if (!location.hash) { location.hash = "#again"; location.reload(); }
		});`, window.Options{})
	expect(t, c, `["loaded"]`)
	expect(t, c, `["loaded"]`)
	if n := c.watching(); n != 1 {
		t.Errorf("%d subscriptions are open after a reload, want 1", n)
	}
}

// refusals is a log that passes on the addresses in it.
type refusals chan string

func (r refusals) Enabled(context.Context, slog.Level) bool { return true }
func (r refusals) WithAttrs([]slog.Attr) slog.Handler       { return r }
func (r refusals) WithGroup(string) slog.Handler            { return r }
func (r refusals) Handle(_ context.Context, record slog.Record) error {
	record.Attrs(func(a slog.Attr) bool {
		if a.Key == "address" {
			r <- "refused " + a.Value.String()
		}
		return true
	})
	return nil
}

func TestPageDoesNotLeaveTheApp(t *testing.T) {
	events := make(chan string, 8)
	o := Options{
		OpenURL: func(url string) error { events <- "opened " + url; return nil },
		Log:     slog.New(refusals(events)),
	}
	c := newCounter()
	c.waitFor = events
	runApp(t, c, o, `
		const link = document.createElement("a");
		link.target = "_blank";
		document.body.append(link);
		const went = [];
		for (const go of [
			() => (location.href = "https://example.com/?a=1"),
			() => (location.href = "smb://host/share"),
			() => (location.href = "mailto:ada@example.com"),
			() => window.open("http://example.com/window"),
			() => window.open("elyra://app/second"),
			() => ((link.href = "https://example.com/blank"), link.click()),
		]) {
			go();
			went.push(await call("wait"));
		}
		await report(...went, location.href);`, window.Options{})
	expect(t, c, `["opened https://example.com/?a=1","refused smb://host/share","opened mailto:ada@example.com",`+
		`"opened http://example.com/window","refused elyra://app/second","opened https://example.com/blank","elyra://app/"]`)
}

func TestPageCannotRunForeignScripts(t *testing.T) {
	c := newCounter()
	runApp(t, c, Options{}, `
		const script = document.createElement("script");
		script.textContent = "window.injected = true";
		document.body.append(script);
		let evaluated = true;
		try { evaluated = eval("1+1"); } catch { evaluated = false; }
		const far = await fetch("https://example.com/").then(() => "reached", () => "blocked");
		try { window.__elyra = {}; } catch {}
		await report(window.injected ?? "not injected", evaluated, far, typeof window.__elyra.token, isSecureContext);`, window.Options{})
	expect(t, c, `["not injected",false,"blocked","string",true]`)
}

type osProcess struct {
	pid  int
	name string
}

// descendants lists the processes that a process started, directly or not: WebKit may put one between.
func descendants(t *testing.T, parent int) (found []osProcess) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // It has ended.
		}
		// pid (name) state parent …
		before, after, _ := strings.Cut(string(content), ") ")
		var p osProcess
		var state string
		var of int
		fmt.Sscanf(after, "%s %d", &state, &of)
		if of != parent {
			continue
		}
		fmt.Sscanf(before, "%d", &p.pid)
		_, p.name, _ = strings.Cut(before, "(")
		found = append(append(found, p), descendants(t, p.pid)...)
	}
	return found
}

func TestPageWhoseProcessDies(t *testing.T) {
	c := newCounter()
	done := runApp(t, c, Options{}, `await report("loaded");`, window.Options{})
	for range crashLimit + 1 {
		expect(t, c, `["loaded"]`)
		killed := 0
		for _, process := range descendants(t, os.Getpid()) {
			if strings.HasPrefix(process.name, "WebKitWebProc") {
				killed++
				if err := syscall.Kill(process.pid, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
			}
		}
		if killed == 0 {
			t.Fatal("the page's process was not found")
		}
	}
	if err := next(t, done, "Run to give up"); err == nil || !strings.Contains(err.Error(), "crashed 4 times") {
		t.Errorf("got %v", err)
	}
}

// JavaScriptCore writes a complaint when SIGUSR1 has a handler, and its garbage collector may then hang.
func TestSignalsAreLeftToWebKit(t *testing.T) {
	if os.Getenv("WEBKITGTK_TEST_CHILD") != "" {
		c := newCounter()
		runApp(t, c, Options{}, `await report("loaded");`, window.Options{})
		expect(t, c, `["loaded"]`)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestSignalsAreLeftToWebKit$")
	cmd.Env = append(os.Environ(), "WEBKITGTK_TEST_CHILD=1")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "verriding existing handler") {
		t.Errorf("%v\n%s", err, out)
	}
}

// BenchmarkCall measures a call from the page and back. The page's clock has whole milliseconds only, so a sample is ten calls.
func BenchmarkCall(b *testing.B) {
	c := newCounter()
	began := time.Now()
	runApp(b, c, Options{}, fmt.Sprintf(`
		await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
		await report("painted");
		const took = [];
		for (let sample = 0; sample < %d; sample++) {
			const start = performance.now();
			for (let i = 0; i < 10; i++) await call("echo", { i });
			took.push((performance.now() - start) / 10);
		}
		took.sort((x, y) => x - y);
		await report(took[took.length >> 1], took[Math.floor(took.length * 0.95)]);`, max(b.N/10, 20)), window.Options{})
	expect(b, c, `["painted"]`)
	b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms-to-paint")
	var p50, p95 float64
	if _, err := fmt.Sscanf(next(b, c.reports, "the figures"), "[%f,%f]", &p50, &p95); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(p50, "p50-ms")
	b.ReportMetric(p95, "p95-ms")
}
