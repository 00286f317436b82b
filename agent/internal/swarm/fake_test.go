package swarm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/host"
	"github.com/elyra-go/elyra/agent/internal/hosttest"
	"github.com/elyra-go/elyra/agent/internal/keeper"
	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/mcptools"
	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/internal/mcp"
)

// The other programs that this test binary is.
const (
	childArgument = "swarm-child"
	ownerArgument = "swarm-owner"
	liarArgument  = "swarm-liar"
)

func TestMain(m *testing.M) {
	hosttest.Main()
	if len(os.Args) > 1 && os.Args[1] == childArgument {
		open := func(_ context.Context, job Job, tools []loop.Tool, on func(loop.Event)) (Agent, error) {
			return &fake{job: job, tools: tools, on: on}, nil
		}
		if err := Serve(context.Background(), os.Stdin, os.Stdout, open); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == liarArgument {
		lie()
		os.Exit(0)
	}
	if len(os.Args) > 2 && os.Args[1] == ownerArgument {
		outlive(os.Args[2])
	}
	os.Exit(m.Run())
}

// fake is the agent of a child: its task is a list of commands, and each answer a line.
type fake struct {
	job   Job
	tools []loop.Tool
	on    func(loop.Event)
	spent loop.Totals
}

func (f *fake) Totals() loop.Totals { return f.spent }
func (f *fake) Close() error        { return nil }

func (f *fake) Kept() string {
	if f.job.Owner == "" {
		return ""
	}
	return "of-" + f.job.Owner
}

func (f *fake) Prompt(ctx context.Context, content ...model.Block) (model.Message, error) {
	f.spent = loop.Totals{Usage: model.Usage{Input: 10, Output: 5}, Cost: 0.25, Requests: 1}
	f.on(loop.Event{Kind: loop.KindMessage, Message: &model.Message{}})
	var answers []string
	for command := range strings.SplitSeq(content[0].Text, ";") {
		text, err := f.do(ctx, strings.Fields(command))
		if err != nil {
			return model.Message{Content: []model.Block{model.Text(strings.Join(answers, "\n"))}}, err
		}
		answers = append(answers, text)
	}
	return model.Message{Content: []model.Block{model.Text(strings.Join(answers, "\n"))}, Stop: model.StopEnd}, nil
}

func (f *fake) do(ctx context.Context, words []string) (string, error) {
	switch words[0] {
	case "say":
		return strings.Join(words[1:], " "), nil
	case "call": // call TOOL ARGUMENTS
		return f.call(ctx, words[1], strings.Join(words[2:], " "))
	case "many": // many COUNT [SERVER]
		n := 0
		if _, err := fmt.Sscan(words[1], &n); err != nil {
			return "", err
		}
		server := "demo"
		if len(words) > 2 {
			server = words[2]
		}
		for i := range n {
			text := fmt.Sprintf("number %d", i)
			got, err := f.call(ctx, mcptools.CallName, fmt.Sprintf(`{"server":%q,"tool":"echo","arguments":{"text":%q}}`, server, text))
			if err != nil || !strings.Contains(got, text) {
				return "", fmt.Errorf("call %d: %q, %w", i, got, err)
			}
		}
		return "all", nil
	case "die": // in the middle of a call
		go f.call(ctx, "look", `{}`) //nolint:errcheck // It never returns.
		time.Sleep(300 * time.Millisecond)
		fmt.Fprintln(os.Stderr, "panic: out of paper")
		os.Exit(3)
	case "write": // raw lines to the parent, which | divides
		time.Sleep(100 * time.Millisecond) // What it has told before is on its way.
		fmt.Println(strings.ReplaceAll(strings.Join(words[1:], " "), "|", "\n"))
		<-ctx.Done()
		return "", ctx.Err()
	case "hang":
		<-ctx.Done()
		return "", ctx.Err()
	case "stay": // whatever happens
		time.Sleep(time.Minute)
	case "tools":
		var all []string
		for _, t := range f.tools {
			all = append(all, t.Spec().Name)
		}
		return strings.Join(all, " "), nil
	}
	return "", fmt.Errorf("no command %q", words[0])
}

func (f *fake) call(ctx context.Context, tool, arguments string) (string, error) {
	for _, t := range f.tools {
		if t.Spec().Name != tool {
			continue
		}
		out, err := t.Run(ctx, &model.Call{ID: "1", Name: tool, Arguments: jsontext.Value(arguments)}, func(text string) {
			f.on(loop.Event{Kind: loop.KindProgress, Call: &model.Call{Name: tool}, Text: text})
		})
		if err != nil {
			return "refused: " + err.Error(), ctx.Err()
		}
		return model.Message{Content: out.Content}.String(), nil
	}
	return "", fmt.Errorf("no tool %q", tool)
}

// looker is a tool that only reads, as the name of a server's tool that does not say so.
type looker struct {
	host *host.Host
	tool string
	name string
}

func (l looker) Spec() model.Tool {
	return model.Tool{Name: l.name, Description: "looks <&> waits", InputSchema: jsontext.Value(`{ "type":"object", "title":"\u003ca\/b" }`)}
}
func (looker) Concurrent(jsontext.Value) bool { return true }
func (l looker) Subject(jsontext.Value) (mcptools.Subject, bool) {
	return mcptools.Subject{Server: "demo", Tool: l.tool, Hash: "h", ReadOnly: true}, true
}

func (l looker) Run(ctx context.Context, _ *model.Call, progress func(string)) (loop.Output, error) {
	got, err := l.host.Call(ctx, "demo", l.tool, jsontext.Value(`{}`), host.CallOptions{Progress: func(_, _ float64, text string) { progress(text) }})
	if err != nil {
		return loop.Output{}, err
	}
	return loop.Output{Content: []model.Block{model.Text(got.Content[0].Text)}}, nil
}

// own is a tool of the parent's own, which changes something.
type own struct{ f *family }

func (own) Spec() model.Tool {
	return model.Tool{Name: "edit", Description: "changes", InputSchema: jsontext.Value(`{"type":"object"}`)}
}
func (own) Concurrent(jsontext.Value) bool { return false }

func (o own) Run(_ context.Context, c *model.Call, _ func(string)) (loop.Output, error) {
	o.f.mu.Lock()
	defer o.f.mu.Unlock()
	o.f.edits = append(o.f.edits, c.ID+string(c.Arguments))
	return loop.Output{Content: []model.Block{model.Text("edited")}}, nil
}

// family is a parent with a server.
type family struct {
	host *host.Host
	tool *Tool
	kit  Kit    // of every child
	dir  string // with a file for each server, in which each start of it is a line

	mu    sync.Mutex
	pids  []int // of children
	alive int
	most  int
	asked []string // of the user, and who children are
	edits []string
}

// newFamily makes a parent in a folder.
func newFamily(dir string, k *keeper.Keeper, change func(*Options, *Kit)) (*family, error) {
	d, err := home.Open(filepath.Join(dir, "home"))
	if err != nil {
		return nil, err
	}
	f := &family{dir: dir}
	var servers []config.Server
	for _, name := range []string{"demo", "second", "third"} {
		servers = append(servers, config.Server{
			Name: name, Scope: config.User, Transport: config.Stdio, Command: os.Args[0], Timeout: 10 * time.Second,
			Args: []string{hosttest.Argument, "good", "starts=" + filepath.Join(dir, name)},
		})
	}
	f.host = host.New(host.Options{
		Home: d, Dir: dir, Environ: os.Environ(), Keeper: k, Servers: servers,
		Elicit: func(_ context.Context, server string, p mcp.ElicitParams) (mcp.ElicitResult, error) {
			f.note(server + " asks " + p.Message)
			return mcp.ElicitResult{Action: mcp.ElicitAccept, Content: jsontext.Value(`{}`)}, nil
		},
	})
	tools := append(mcptools.New(mcptools.Options{Host: f.host}), looker{f.host, "wait", "look"}, looker{f.host, "ask", "question"})
	o := Options{
		Command: func() *exec.Cmd { return exec.Command(os.Args[0], childArgument) },
		Job:     func() Job { return Job{Model: "p/m"} },
		Started: func(pid int) func() { return f.started(pid, k.Watch(pid)) }, Grace: 300 * time.Millisecond,
	}
	f.kit = Kit{Tools: tools}
	o.Kit = func(role Role, who string) Kit {
		f.note(who)
		k := f.kit
		if role == Work {
			k.Tools = append([]loop.Tool{own{f}}, k.Tools...)
		}
		return k
	}
	if change != nil {
		change(&o, &f.kit)
	}
	f.tool = New(o)
	return f, nil
}

func (f *family) note(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, text)
}

func (f *family) started(pid int, gone func()) func() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pids = append(f.pids, pid)
	f.alive++
	f.most = max(f.most, f.alive)
	return func() {
		gone()
		f.mu.Lock()
		defer f.mu.Unlock()
		f.alive--
	}
}

// open makes the family of a test.
func open(t testing.TB, change func(*Options, *Kit)) *family {
	t.Helper()
	f, err := newFamily(t.TempDir(), &keeper.Keeper{}, change)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.host.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// ask has a child that only reads do something and returns what the parent's model is told.
func (f *family) ask(ctx context.Context, t testing.TB, task string, progress func(string)) loop.Output {
	t.Helper()
	out, err := f.have(ctx, Plan, task, progress)
	if err != nil {
		t.Error(err)
	}
	return out
}

// have has a child of a role do something.
func (f *family) have(ctx context.Context, role Role, task string, progress func(string)) (loop.Output, error) {
	if progress == nil {
		progress = func(string) {}
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	call := &model.Call{ID: "1", Name: ToolName, Arguments: jsontext.Value(fmt.Sprintf(`{"task":%q,"role":%q}`, task, role))}
	return f.tool.Run(ctx, call, progress)
}

func textOf(out loop.Output) string { return model.Message{Content: out.Content}.String() }

// outlive is a parent that waits to be killed, with a child that does not leave by itself in the middle of a call.
func outlive(dir string) {
	k := keeper.New(hosttest.Keeper)
	f, err := newFamily(dir, k, nil)
	if err == nil {
		_, err = f.host.Listing(context.Background(), "demo")
	}
	if err != nil {
		panic(err)
	}
	go f.tool.Run(context.Background(), &model.Call{Arguments: jsontext.Value(`{"task":"stay"}`)}, func(string) {}) //nolint:errcheck // It does not return.
	for _, task := range []string{"call look {}", "hang"} {
		go f.tool.Run(context.Background(), &model.Call{Arguments: jsontext.Value(fmt.Sprintf(`{"task":%q}`, task))}, func(text string) { //nolint:errcheck // It does not return.
			if strings.Contains(text, "still waiting") {
				f.mu.Lock()
				defer f.mu.Unlock()
				if len(f.pids) == 3 {
					server, err := os.ReadFile(filepath.Join(f.dir, "demo"))
					fmt.Println(strings.TrimSpace(string(server)), strings.Trim(fmt.Sprint(f.pids), "[]"), err)
				}
			}
		})
	}
	time.Sleep(time.Minute)
	os.Exit(0)
}
