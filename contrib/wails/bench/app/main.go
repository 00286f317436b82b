// Command app is what the benchmark starts: two windows with the same page, which says when it is painted and how long its
// calls take. It is built once over each backend: with the tag gtk3 over Wails, without it over WebKitGTK.
//
// It prints one line of JSON and ends.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elyra-go/elyra/window"
)

const page = `<!doctype html><meta charset="utf-8"><title>bench</title>
<style>body { font: 16px sans-serif } li { padding: 4px }</style><h1>Customers</h1><ul></ul>
<script type="module" src="/page.js"></script>`

const script = `
const header = { "X-Elyra-Body": "bytes" };
const call = async (path, body) => (await fetch(path, { method: "POST", headers: header, body: JSON.stringify(body) })).json();
const list = document.querySelector("ul");
for (let i = 0; i < 200; i++) list.append(Object.assign(document.createElement("li"), { textContent: "Customer " + i }));
await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
const first = await call("/painted", {});
if (first.measure) {
  for (let i = 0; i < 100; i++) await call("/call", { i }); // to warm up
  const took = [];
  for (let sample = 0; sample < 60; sample++) { // the page's clock has whole milliseconds only
    const start = performance.now();
    for (let i = 0; i < 10; i++) await call("/call", { i, text: "äö" });
    took.push((performance.now() - start) / 10);
  }
  took.sort((x, y) => x - y);
  await call("/done", { p50: took[30], p95: took[57] });
}`

// figures are what one run measures.
type figures struct {
	PaintMS float64 `json:"paint"`
	P50     float64 `json:"p50"`
	P95     float64 `json:"p95"`
	MemMB   float64 `json:"mem"`
}

// host serves the page. The window that is painted last measures the calls, when both are there.
type host struct {
	began time.Time
	stop  context.CancelFunc

	mu      sync.Mutex
	painted int
	figures figures
}

func (h *host) DocumentStart(string) string { return "" }
func (h *host) Closed(string)               {}

func (h *host) Serve(r *window.Request, w window.ResponseWriter) {
	reply := func(kind, body string) {
		w.Respond(200, map[string]string{"Content-Type": kind, "Cache-Control": "no-store"}, []byte(body))
	}
	switch r.Path {
	case "/":
		reply("text/html", page)
	case "/page.js":
		reply("text/javascript", script)
	case "/painted":
		h.mu.Lock()
		if h.painted++; h.painted == 1 {
			h.figures.PaintMS = float64(time.Since(h.began).Microseconds()) / 1000
		}
		measure := h.painted == 2
		h.mu.Unlock()
		reply("application/json", fmt.Sprintf(`{"measure":%v}`, measure))
	case "/done":
		h.mu.Lock()
		paint := h.figures.PaintMS
		if err := json.Unmarshal(r.Body, &h.figures); err != nil {
			fmt.Fprintln(os.Stderr, "read the page's figures:", err)
		}
		h.figures.PaintMS, h.figures.MemMB = paint, memory()
		h.mu.Unlock()
		reply("application/json", "{}")
		h.stop()
	default:
		reply("application/json", string(r.Body))
	}
}

// memory gives what this process and all that it started take, in MB. What several of them share is counted once.
func memory() (total float64) {
	parents := map[int]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			continue // It has ended.
		}
		// pid (name) state parent …
		_, after, _ := strings.Cut(string(content), ") ")
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if fields := strings.Fields(after); len(fields) > 1 {
			parents[pid], _ = strconv.Atoi(fields[1])
		}
	}
	for pid := range parents {
		ours := false
		for at := pid; at > 1 && !ours; at = parents[at] {
			ours = at == os.Getpid()
		}
		if ours {
			total += proportional(pid)
		}
	}
	return total
}

func proportional(pid int) float64 {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(content)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Pss:" {
			kb, _ := strconv.ParseFloat(fields[1], 64)
			return kb / 1024
		}
	}
	return 0
}

func main() {
	began := time.Now()
	if nanoseconds, err := strconv.ParseInt(os.Getenv("BENCH_BEGAN"), 10, 64); err == nil {
		began = time.Unix(0, nanoseconds)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	h := &host{began: began, stop: stop}
	windows := []window.Options{{ID: "one", Width: 800, Height: 600}, {ID: "two", Width: 800, Height: 600}}
	if err := backend().Run(ctx, h, windows); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.figures.P50 == 0 {
		fmt.Fprintln(os.Stderr, "the pages did not measure anything")
		os.Exit(1)
	}
	line, err := json.Marshal(h.figures)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(string(line))
}
