package hosttest

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpserver"
	"github.com/elyra-go/elyra/internal/wire"
)

// catalog is what the program offers. Options change it: "tools=200" adds that many, "storm" announces a change of the
// tools whenever they were listed, "other-words" describes echo in other words, "instructions=…" is what it says about itself,
// "prompts" adds prompts with completions.
type catalog struct {
	server  *mcpserver.Server
	storm   bool
	prompts *prompts // nil: none

	mu     sync.Mutex
	tools  []mcp.Tool
	listed atomic.Int64 // how often the tools were asked for
}

func newCatalog(options []string) *catalog {
	yes, no := true, false
	text := jsontext.Value(`{"type":"object","properties":{"text":{"type":"string","description":"what to say"}},"required":["text"]}`)
	none := jsontext.Value(`{"type":"object","properties":{}}`)
	c := &catalog{storm: has(options, "storm"), tools: []mcp.Tool{
		{Name: "ask", Description: "Asks the user for permission.", InputSchema: none},
		{Name: "big", Description: "Answers with a very long text.", InputSchema: none},
		{Name: "crash", Description: "Ends the server in the middle of the call.", InputSchema: none},
		{Name: "echo", Description: "Says a text back.", InputSchema: text, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: &yes, DestructiveHint: &no}},
		{Name: "environment", Description: "Answers with the environment of the server.", InputSchema: none},
		{Name: "fail", Description: "Fails.", InputSchema: none},
		{Name: "flaky", Description: "Ends the server at the first call only.", InputSchema: none, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: &yes}},
		{Name: "grow", Description: "Adds one more tool.", InputSchema: none},
		{Name: "pid", Description: "Answers with the process id and the folder.", InputSchema: none},
		{Name: "wait", Description: "Waits until it is cancelled, and reports progress.", InputSchema: none},
	}}
	if has(options, "other-words") {
		c.tools[3].Description = "Repeats what it hears."
	}
	instructions := ""
	for _, o := range options {
		if n, ok := strings.CutPrefix(o, "tools="); ok {
			count, err := strconv.Atoi(n)
			if err != nil {
				panic(err)
			}
			for i := range count {
				c.tools = append(c.tools, mcp.Tool{Name: fmt.Sprintf("tool_%04d", i), Description: fmt.Sprintf("Does task number %d.", i), InputSchema: none})
			}
		}
		if text, ok := strings.CutPrefix(o, "instructions="); ok {
			instructions = text
		}
	}
	o := mcpserver.Options{
		Info: mcp.Implementation{Name: "hosttest", Version: "1"}, Instructions: instructions, Catalog: c,
		DrainTimeout: 100 * time.Millisecond, ToolsTTL: time.Hour,
	}
	if has(options, "prompts") {
		p := newPrompts()
		o.Prompts, o.Completer = p, p
		c.prompts = p
	}
	c.server = mcpserver.New(o)
	return c
}

func (c *catalog) Tools() []mcp.Tool {
	c.listed.Add(1)
	if c.storm {
		go c.server.ToolsChanged()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]mcp.Tool(nil), c.tools...)
}

func (c *catalog) CallTool(ctx context.Context, call *mcpserver.Call) (*mcp.CallToolResult, error) {
	switch call.Name {
	case "ask":
		return ask(ctx, call)
	case "big":
		return text(strings.Repeat("line of a very long text\n", 10_000)), nil
	case "crash":
		fmt.Fprintln(os.Stderr, "panic: the disk is on fire")
		os.Exit(1)
	case "echo":
		var args struct {
			Text string `json:"text"`
		}
		if err := json.Unmarshal(call.Arguments, &args); err != nil {
			return nil, err
		}
		return text(args.Text), nil
	case "environment":
		return text(strings.Join(os.Environ(), "\n")), nil
	case "fail":
		return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text("no such customer")}, IsError: true}, nil
	case "flaky":
		return c.flaky()
	case "grow":
		c.mu.Lock()
		c.tools = append(c.tools, mcp.Tool{Name: fmt.Sprintf("new_%d", len(c.tools)), InputSchema: jsontext.Value(`{"type":"object"}`)})
		c.mu.Unlock()
		c.server.ToolsChanged()
		if c.prompts != nil {
			c.prompts.grow()
			c.server.PromptsChanged()
		}
		return text("grown"), nil
	case "listed":
		return text(fmt.Sprint(c.listed.Load())), nil
	case "pid":
		folder, err := os.Getwd()
		return text(fmt.Sprint(os.Getpid(), " ", folder)), err
	case "wait":
		for n := 1.0; ; n++ {
			call.Progress(n, 0, "still waiting")
			select {
			case <-ctx.Done():
				fmt.Fprintln(os.Stderr, "wait was cancelled")
				return nil, ctx.Err()
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	if !strings.HasPrefix(call.Name, "tool_") && !strings.HasPrefix(call.Name, "new_") {
		return nil, wire.Errorf(wire.CodeInvalidParams, "unknown tool: %s", call.Name)
	}
	return text("done " + call.Name), nil
}

// flaky ends the process unless the file says that it did so before.
func (c *catalog) flaky() (*mcp.CallToolResult, error) {
	mark := os.Getenv("HOSTTEST_MARK")
	if _, err := os.Stat(mark); err != nil {
		if err := os.WriteFile(mark, nil, 0o600); err != nil {
			return nil, err
		}
		os.Exit(1)
	}
	return text("the second time"), nil
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{mcp.Text(s)}}
}

// ask asks for permission, in the way of the era.
func ask(ctx context.Context, call *mcpserver.Call) (*mcp.CallToolResult, error) {
	question := mcp.ElicitParams{Mode: mcp.ElicitModeForm, Message: "May I?", RequestedSchema: jsontext.Value(`{"type":"object","properties":{}}`)}
	var answer mcp.ElicitResult
	if call.Peer.Modern() {
		raw, answered := call.InputResponses["may"]
		if !answered {
			params, err := json.Marshal(question)
			if err != nil {
				return nil, err
			}
			return nil, &mcpserver.InputRequired{Requests: map[string]mcp.InputRequest{"may": {Method: mcp.MethodElicit, Params: params}}}
		}
		if err := json.Unmarshal(raw, &answer); err != nil {
			return nil, err
		}
	} else {
		var err error
		if answer, err = call.Elicit(ctx, question); err != nil {
			return nil, err
		}
	}
	return text("the answer is " + answer.Action), nil
}
