package mcpclient

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// childVariable makes the test binary a server; its value says which behaviour.
const childVariable = "ELYRA_TEST_MCP_CHILD"

// server answers what the process tests ask. Its zero value is a modern server, which refuses initialize.
type server struct {
	in     io.Reader
	out    io.Writer
	legacy bool                            // It only knows initialize.
	tool   func(name string) string        // the text of a tool's result
	before func(method string) (stop bool) // is called for each message
}

// serve runs to the end of input.
func (s server) serve() {
	lines := bufio.NewScanner(s.in)
	for lines.Scan() {
		m, refused := wire.Parse(lines.Bytes(), wire.Limits{})
		if refused != nil || s.before != nil && s.before(m.Method) {
			return
		}
		if m.ID == nil {
			continue
		}
		fmt.Fprintf(s.out, "{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", m.ID, s.answer(m))
	}
}

func (s server) answer(m wire.Message) string {
	switch {
	case m.Method == mcp.MethodDiscover && !s.legacy:
		return `"result":` + discovered
	case m.Method == mcp.MethodInitialize && s.legacy:
		return `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"child","version":"1"}}`
	case m.Method == mcp.MethodListTools:
		return `"result":{"tools":[{"name":"pid","inputSchema":{"type":"object"}}]}`
	case m.Method == mcp.MethodCallTool:
		var p mcp.CallToolParams
		if err := unmarshal(m.Params, &p); err != nil {
			return `"error":{"code":-32602,"message":"bad params"}`
		}
		text := strconv.Itoa(os.Getpid())
		if s.tool != nil {
			text = s.tool(p.Name)
		}
		return fmt.Sprintf(`"result":{"content":[{"type":"text","text":%q}]}`, text)
	}
	return `"error":{"code":-32601,"message":"unknown method"}`
}

// child is the main function of the server processes.
func child(behaviour string) int {
	s := server{in: os.Stdin, out: os.Stdout}
	switch behaviour {
	case "well-behaved":
		fmt.Fprintln(os.Stderr, "hello from standard error")
		s.serve()
		fmt.Fprintln(os.Stderr, "end of input")
	case "ignores-eof":
		s.serve()
		time.Sleep(time.Minute)
	case "ignores-eof-term":
		signal.Ignore(syscall.SIGTERM)
		s.serve()
		time.Sleep(time.Minute)
	case "orphans-child", "dies-with-child":
		return withGrandchild(s, behaviour)
	case "grandchild": // It inherited the streams of its parent and keeps them open.
		time.Sleep(time.Minute)
	case "prints-garbage":
		fmt.Print("Server v1.0 ready\n\n{\"level\":\"info\"}\nnull\n")
		s.before = func(method string) bool {
			fmt.Println("got", method)
			return false
		}
		s.serve()
	case "exits-on-probe":
		s.legacy = true
		s.before = func(method string) bool { return method == mcp.MethodDiscover }
		s.serve()
	case "closes-output":
		calls := 0
		s.before = func(method string) bool {
			if method == mcp.MethodCallTool {
				calls++
			}
			return calls == 2
		}
		s.serve()
		os.Stdout.Close()
		time.Sleep(time.Minute)
	case "slow":
		time.Sleep(time.Second)
		s.serve()
	case "fails":
		for i := range 1000 {
			fmt.Fprintf(os.Stderr, "line %d of the trace\n", i)
		}
		fmt.Fprintln(os.Stderr, "no configuration found")
		return 4
	default:
		fmt.Fprintln(os.Stderr, "unknown behaviour", behaviour)
		return 2
	}
	return 0
}

// withGrandchild starts a process that would outlive the server.
func withGrandchild(s server, behaviour string) int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"=grandchild")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	s.tool = func(string) string { return strconv.Itoa(cmd.Process.Pid) }
	if behaviour == "dies-with-child" {
		calls := 0
		s.before = func(method string) bool {
			if method == mcp.MethodCallTool {
				calls++
			}
			return calls == 2
		}
	}
	s.serve()
	if behaviour == "dies-with-child" {
		fmt.Fprintln(os.Stderr, strings.ToLower("About to die"))
		return 3
	}
	return 0
}
