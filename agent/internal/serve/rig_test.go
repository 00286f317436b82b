package serve_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/elyra-go/elyra/agent/internal/cli"
	"github.com/elyra-go/elyra/agent/internal/core"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
	"github.com/elyra-go/elyra/agent/internal/serve"
	"github.com/elyra-go/elyra/agent/internal/workspace"
	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/mcpschema"
)

// asProgram makes this test binary the whole program elyra.
const asProgram = "ELYRA_SERVE_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	executable, err := os.Executable()
	if err != nil {
		panic(err)
	}
	code := cli.Run(ctx, os.Args[1:], cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ(),
		Dir: dir, UserHome: os.Getenv("HOME"), Executable: executable,
	})
	stop()
	os.Exit(code)
}

// rig is a project with a home of its own and a scripted model.
type rig struct {
	t             *testing.T
	home, project string
	environ       []string
	models        *modeltest.Server
	options       func(*serve.Options)
}

// newRig makes one. Without a script there is no model and no key.
func newRig(t *testing.T, script string) *rig {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project")}
	r.write("../home/.elyra/agent/settings.json", `{"sandbox":"off"}`)
	r.write(".git/HEAD", "ref: refs/heads/main\n")
	r.environ = []string{"HOME=" + r.home, "USERPROFILE=" + r.home, "PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	if script == "" {
		return r
	}
	if r.models, err = modeltest.Start(script); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, problem := range r.models.Close() {
			t.Errorf("model: %s", problem)
		}
	})
	r.environ = append(r.environ, "ANTHROPIC_BASE_URL="+strings.TrimSuffix(r.models.URL, "/v1"), "ANTHROPIC_API_KEY=k", "OPENAI_BASE_URL="+r.models.URL)
	return r
}

// write writes a file of the project.
func (r *rig) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.project, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// server is the server of the project, in this process.
func (r *rig) server() *serve.Server {
	r.t.Helper()
	open := func(ctx context.Context) (*workspace.Workspace, error) {
		return workspace.Open(ctx, workspace.Options{Environ: r.environ, Dir: r.project, UserHome: r.home})
	}
	w, err := open(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	o := serve.Options{Core: core.Options{Workspace: w, Environ: r.environ, UserHome: r.home, Version: "1"}, Open: open}
	if r.options != nil {
		r.options(&o)
	}
	return serve.New(o)
}

// connect is a host of the server. All messages are held against the schemas of the protocol.
func (r *rig) connect(era string) *mcpclient.Client {
	r.t.Helper()
	return r.dial(era, mcpclient.Pipe(func(ctx context.Context, in io.Reader, out io.Writer) error {
		in, out = mcpschema.New().Tap(in, out, r.wrong)
		r.server().Serve(ctx, in, out)
		return nil
	}))
}

func (r *rig) wrong(fromServer bool, err error) {
	r.t.Errorf("server %v: %v", fromServer, err)
}

func (r *rig) dial(era string, transport mcpclient.Transport) *mcpclient.Client {
	r.t.Helper()
	c, err := mcpclient.Connect(r.t.Context(), transport, mcpclient.Options{Era: era})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c
}

// command is the whole program as a server.
func (r *rig) command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], append([]string{"--mode", "mcp"}, args...)...)
	cmd.Dir = r.project
	cmd.Env = append(slices.Clone(r.environ), asProgram+"=1", "GORACE=atexit_sleep_ms=0") // The race detector would sleep at the end.
	return cmd
}

// start is a host of the whole program.
func (r *rig) start(era string, args ...string) *mcpclient.Client {
	r.t.Helper()
	return r.dial(era, mcpclient.Command(func() *exec.Cmd { return r.command(args...) }, mcpclient.CommandOptions{}))
}

// outcome is the data of a task's result.
type outcome struct {
	Answer       string
	ChangedFiles []struct{ Path, Change string }
	Cost         float64
	Session      string
	Transcript   string
	Model        string
	Mode         string
	Error        string
}

// call calls a tool and returns the data and the text of its result, which is held against the tool's schema.
func call(t *testing.T, c *mcpclient.Client, tool string, args any, into any) (text string, isError bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), tool, args, mcpclient.CallOptions{Timeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if into != nil && r.StructuredContent != nil {
		if err := json.Unmarshal(r.StructuredContent, into, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		conforms(t, c, tool, r)
	}
	for _, content := range r.Content {
		text += content.Text
	}
	return text, r.IsError
}

func conforms(t *testing.T, c *mcpclient.Client, tool string, r *mcp.CallToolResult) {
	t.Helper()
	tools, err := c.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, described := range tools {
		if described.Name != tool {
			continue
		}
		schema, err := mcpschema.CompileSchema(described.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		var data any
		if err := json.Unmarshal(r.StructuredContent, &data); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(data); err != nil {
			t.Errorf("%s: the result is not what the schema says: %v", tool, err)
		}
	}
}

func has(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
}

// lines collects reports of progress.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	n    int
	at   []time.Time
}

func (l *lines) add(_, _ float64, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	l.at = append(l.at, time.Now())
	l.text.WriteString(text + "\n")
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// await waits until something is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it did not happen: %s", what)
		}
	}
}
