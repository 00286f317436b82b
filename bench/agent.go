package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/elyra-go/elyra/bench/internal/workload"
)

// measureAgent measures the agent as a program: its start, its search, and how its tools block grows with its servers.
func (b *bench) measureAgent() error {
	b.agent.columns = []string{"the agent, a program each time", "elyra", "with directTools", "target", "met"}
	b.agent.notes = []string{
		"The model is a server on this machine that answers at once. A tools block is the bytes of \"tools\" in the request; directTools",
		"gives every tool of a server to the model by itself, as most hosts do.",
	}
	model, err := listen()
	if err != nil {
		return err
	}
	defer model.close()
	if err := b.agentStart(model); err != nil {
		return err
	}
	return b.agentTools(model)
}

// agentStart measures start to first request, and a search among the tools of ten servers.
func (b *bench) agentStart(model *fakeModel) error {
	home, err := b.agentHome(10, 200, false)
	if err != nil {
		return err
	}
	if _, err := b.elyra(home, model, "mcp", "search", "place an order"); err != nil { // this one fills the cache
		return err
	}
	var first, search []float64
	for range 4 * b.rounds {
		began := time.Now()
		if _, err := b.elyra(home, model, "-p", "--no-session", "hello"); err != nil {
			return err
		}
		first = append(first, model.asked.Sub(began).Seconds()*1000)
		began = time.Now()
		if _, err := b.elyra(home, model, "mcp", "search", "place an order"); err != nil {
			return err
		}
		search = append(search, time.Since(began).Seconds()*1000)
	}
	b.agent.heading("ten servers with 200 tools each, all known")
	b.agent.add("start to the request at the model, p50", figure(median(first))+" ms")
	bound := target{"≤", 60, " ms"}
	b.agent.add("elyra mcp search, start to end, p50", figure(median(search))+" ms", "", bound.String(), bound.met(median(search)))
	return nil
}

// agentTools tells how large the tools block is with more and more tools.
func (b *bench) agentTools(model *fakeModel) error {
	b.agent.heading("bytes of the tools block")
	curve := chart{file: "tools-block", title: "The tools block by the number of MCP tools", x: "MCP tools", y: "bytes", lines: []line{{name: "mcp_search, mcp_call"}, {name: "directTools"}}}
	constant := 0
	for _, tools := range []int{0, 3, 30, 100, 1000, 2000} { // A server has at least three.
		var size [2]int
		for way, direct := range []bool{false, true} {
			servers := min(tools/3, 10)
			home, err := b.agentHome(servers, tools/max(servers, 1), direct)
			if err != nil {
				return err
			}
			if tools > 0 {
				if _, err := b.elyra(home, model, "mcp", "search", "place an order"); err != nil {
					return err
				}
			}
			if _, err := b.elyra(home, model, "-p", "--no-session", "hello"); err != nil {
				return err
			}
			size[way] = model.tools
			if tools > 0 {
				curve.lines[way].points = append(curve.lines[way].points, point{float64(tools), float64(size[way])})
			}
		}
		bound := target{}
		if tools == 3 {
			constant = size[0]
		} else if tools > 3 {
			bound = target{"=", float64(constant), ""}
		}
		b.agent.add(figure(float64(tools))+" MCP tools", figure(float64(size[0])), figure(float64(size[1])), bound.String(), bound.met(float64(size[0])))
	}
	b.charts = append(b.charts, curve)
	return nil
}

// agentHome makes the home of a user who has configured servers of some tools each.
func (b *bench) agentHome(servers, tools int, direct bool) (string, error) {
	home, err := os.MkdirTemp(b.dir, "agent-")
	if err != nil {
		return "", err
	}
	configured := map[string]any{}
	for i := range servers {
		configured[fmt.Sprintf("shop%d", i)] = map[string]any{
			"command": b.program("ours"), "args": []string{"--mcp"}, "directTools": direct,
			// The tools for memory and texts are two of them.
			"env": map[string]string{workload.ToolsEnv: fmt.Sprint(tools - 2), "HOME": home, "XDG_RUNTIME_DIR": home},
		}
	}
	text, err := json.Marshal(map[string]any{"mcpServers": configured})
	if err != nil {
		return "", err
	}
	folder := filepath.Join(home, ".elyra", "agent")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return home, os.WriteFile(filepath.Join(folder, "mcp.json"), text, 0o600)
}

// elyra runs the agent in an empty project.
func (b *bench) elyra(home string, model *fakeModel, args ...string) ([]byte, error) {
	project := filepath.Join(home, "project")
	if err := os.MkdirAll(project, 0o700); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(b.ctx, b.program("elyra"), args...)
	cmd.Dir = project
	cmd.Env = []string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + os.Getenv("PATH"), "ANTHROPIC_API_KEY=none", "ANTHROPIC_BASE_URL=" + model.url}
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("elyra %q: %w\n%s", args, err, exit.Stderr)
	}
	return out, err
}

// fakeModel answers every request with one word, and remembers the last.
type fakeModel struct {
	url    string
	server *http.Server
	asked  time.Time
	tools  int // bytes of the tools block
}

func listen() (*fakeModel, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &fakeModel{url: "http://" + l.Addr().String()}
	m.server = &http.Server{Handler: m}
	go func() { _ = m.server.Serve(l) }() // It ends with close.
	return m, nil
}

func (m *fakeModel) close() { _ = m.server.Close() }

// ServeHTTP speaks Anthropic's Messages.
func (m *fakeModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.asked = time.Now()
	var request struct {
		Tools json.RawMessage `json:"tools"`
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &request)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	m.tools = len(request.Tools)
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range []struct{ name, data string }{
		{"message_start", `"message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`},
		{"content_block_start", `"index":0,"content_block":{"type":"text","text":""}`},
		{"content_block_delta", `"index":0,"delta":{"type":"text_delta","text":"Hello."}`},
		{"content_block_stop", `"index":0`},
		{"message_delta", `"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}`},
		{"message_stop", ``},
	} {
		comma := ","
		if e.data == "" {
			comma = ""
		}
		fmt.Fprintf(w, "event: %s\ndata: {\"type\":%q%s%s}\n\n", e.name, e.name, comma, e.data)
	}
}
