package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

func TestS1_oneMessagePerLine(t *testing.T) {
	// The fake's schemas and results contain line breaks; each answer is one line anyway.
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		c.one(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}`)
		got := c.one(call(`2`, "list", `{}`))
		if !strings.Contains(got, `"structuredContent":[1,2]`) {
			t.Errorf("got %s", got)
		}
	})
}

func TestS1_aLineThatIsRefusedDoesNotEndTheConnection(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 80) + `1` + strings.Repeat(`}`, 80)
	tests := []struct {
		name, line string
		code       int
		id         string
	}{
		{"no JSON", "hello", wire.CodeParse, ""},
		{"bytes that are not UTF-8", "{\"jsonrpc\":\"2.0\",\"method\":\"\xff\xfe\"}", wire.CodeParse, ""},
		{"no object", `"hi"`, wire.CodeInvalidRequest, ""},
		{"a batch without 2025-03-26", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, wire.CodeInvalidRequest, ""},
		{"too deep", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":` + deep + `}`, wire.CodeInvalidRequest, "9"},
		{"too long", `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"x":"` + strings.Repeat("x", 5000) + `"}}`, wire.CodeInvalidRequest, "8"},
	}
	bubble(t, func(o *Options) { o.Limits.MaxLine = 4000 }, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for _, tt := range tests {
			expectError(t, c.one(tt.line), tt.code, tt.id)
			c.alive()
		}
		// These are not worth a word.
		if got := c.send("", "   ", "\r", "\t\r"); len(got) != 0 {
			t.Errorf("blank lines were answered: %q", got)
		}
		if got := c.one(call(`1`, "echo", `{}`) + " \r"); !strings.Contains(got, `"id":1,"result"`) {
			t.Errorf("a line with trailing white space was answered with %s", got)
		}
	})
}

func TestS2_ids(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		for _, id := range []string{`null`, `true`, `1.5`, `1e2`, `[]`, `{}`} {
			expectError(t, c.one(call(id, "echo", `{}`)), wire.CodeInvalidRequest, "")
		}
		// S3: any other id comes back as the bytes it was.
		for _, id := range []string{`0`, `-1`, `9007199254740993`, `123456789012345678901234567890`, `""`, `"1"`, `"é\u00e9\/"`} {
			if got := c.one(call(id, "echo", `{}`)); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":`+id+`,"result"`) {
				t.Errorf("id %s was answered with %s", id, got)
			}
		}
	})
}

func TestS6_notificationsAreNeverAnswered(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		got := c.send(
			`{"jsonrpc":"2.0","method":"tools/call","params":{`+modernMeta+`,"name":"echo"}}`,
			`{"jsonrpc":"2.0","method":"initialize","params":{"protocolVersion":"2025-11-25"}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized","params":[1]}`,
			`{"jsonrpc":"2.0","method":"no/such"}`,
		)
		if len(got) != 0 {
			t.Errorf("notifications were answered: %q", got)
		}
		c.alive()
	})
}

func TestS7_modernCallsNeverCauseRequests(t *testing.T) {
	// Not even on a connection whose legacy session has the capability.
	bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
		var failed error
		o, _ := testOptions(catalogFunc(func(ctx context.Context, call *Call) (*mcp.CallToolResult, error) {
			_, failed = call.Elicit(ctx, mcp.ElicitParams{Message: "?"})
			return &mcp.CallToolResult{}, nil
		}))
		c := connect(t, New(o))
		c.send(initialize(mcp.V2025_11_25, `{"elicitation":{}}`), initialized)
		if got := c.one(call(`1`, "x", `{}`)); !strings.Contains(got, `"id":1,"result"`) {
			t.Errorf("got %s", got)
		}
		if !errors.Is(failed, ErrCannotElicit) {
			t.Errorf("Elicit: %v", failed)
		}
	})
}

// catalogFunc is a catalog whose every call is one function.
type catalogFunc func(context.Context, *Call) (*mcp.CallToolResult, error)

func (catalogFunc) Tools() []mcp.Tool { return nil }
func (f catalogFunc) CallTool(ctx context.Context, call *Call) (*mcp.CallToolResult, error) {
	return f(ctx, call)
}

func TestS8_endOfInput(t *testing.T) {
	t.Run("accepted calls are answered", func(t *testing.T) {
		bubble(t, nil, func(t *testing.T, s *Server, f *fakeCatalog) {
			c := connect(t, s)
			c.send(call(`1`, "wait", `{}`), call(`2`, "wait", `{}`))
			time.AfterFunc(1500*time.Millisecond, func() { close(f.release) })
			start := time.Now()
			if err := c.end(); err != nil {
				t.Errorf("Serve: %v", err)
			}
			if d := time.Since(start); d != 1500*time.Millisecond {
				t.Errorf("Serve returned after %v", d)
			}
			got := c.quiet()
			if !slices.Equal(ids(t, got), []string{"1", "2"}) || strings.Contains(strings.Join(got, ""), `"error"`) {
				t.Errorf("got %q", got)
			}
		})
	})
	t.Run("but only for two seconds", func(t *testing.T) {
		bubble(t, nil, func(t *testing.T, s *Server, f *fakeCatalog) {
			c := connect(t, s)
			c.send(call(`1`, "wait", `{}`))
			start := time.Now()
			if err := c.end(); err != nil {
				t.Errorf("Serve: %v", err)
			}
			if d := time.Since(start); d != 2*time.Second {
				t.Errorf("Serve returned after %v", d)
			}
			got := c.quiet()
			if len(got) != 1 {
				t.Fatalf("got %q", got)
			}
			expectError(t, got[0], mcp.CodeUnavailable, "1")
			if len(f.ended) != 1 || !errors.Is(f.ended[0], errEnded) {
				t.Errorf("the call's context ended with %v", f.ended)
			}
		})
	})
	t.Run("even if a call ignores its context", func(t *testing.T) {
		bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
			free := make(chan struct{})
			o, logged := testOptions(catalogFunc(func(context.Context, *Call) (*mcp.CallToolResult, error) {
				<-free
				return &mcp.CallToolResult{}, nil
			}))
			c := connect(t, New(o))
			c.send(call(`1`, "x", `{}`))
			if err := c.end(); err != nil {
				t.Errorf("Serve: %v", err)
			}
			got := c.quiet()
			close(free)
			if got = append(got, c.quiet()...); len(got) != 1 {
				t.Errorf("got %q", got)
			}
			if !strings.Contains(logged.String(), "left behind") {
				t.Error("the log does not mention it")
			}
		})
	})
	t.Run("the end of the context does the same", func(t *testing.T) {
		bubble(t, nil, func(t *testing.T, s *Server, f *fakeCatalog) {
			c := connect(t, s)
			c.send(call(`1`, "wait", `{}`))
			time.AfterFunc(time.Second, func() { close(f.release) })
			c.stop()
			if err := <-c.ended; !errors.Is(err, context.Canceled) {
				t.Errorf("Serve: %v", err)
			}
			if got := c.quiet(); len(got) != 1 || !strings.Contains(got[0], "released") {
				t.Errorf("got %q", got)
			}
		})
	})
}

func TestServe_interruptsAConnectionByDeadline(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		ours, theirs := net.Pipe()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Serve(ctx, theirs, theirs) }()
		synctest.Wait()
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Serve: %v", err)
		}
		// The connection is still open: closing it is the caller's business.
		if err := ours.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := ours.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("Read: %v", err)
		}
		theirs.Close()
		ours.Close()
	})
}

// stuck is a stream like a terminal: nothing interrupts its Read.
type stuck chan struct{}

func (s stuck) Read([]byte) (int, error) { <-s; return 0, io.EOF }
func (s stuck) Close() error             { return nil }

func TestServe_leavesAReadThatCannotBeInterrupted(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		ctx, stop := context.WithCancel(t.Context())
		in := make(stuck)
		time.AfterFunc(time.Minute, stop)
		start := time.Now()
		if err := s.Serve(ctx, in, io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("Serve: %v", err)
		}
		if d := time.Since(start); d > time.Minute+time.Second {
			t.Errorf("Serve returned after %v", d)
		}
		close(in)
	})
}

func TestServe_writeError(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, f *fakeCatalog) {
		c := dial(t, s)
		synctest.Wait()
		c.out.CloseWithError(errors.New("gone"))
		if _, err := io.WriteString(c.in, call(`1`, "wait", `{}`)+"\n"+call(`2`, "echo", `{}`)+"\n"); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if err := <-c.ended; err == nil || !strings.Contains(err.Error(), "gone") {
			t.Errorf("Serve: %v", err)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("Serve waited %v for a call whose answer nobody can get", d)
		}
		if len(f.ended) != 1 {
			t.Errorf("the call was not ended: %v", f.ended)
		}
	})
}

func TestRule8_failuresAreLoggedAndNotTold(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"fail", "panic"} {
		t.Run(tool, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				o, logged := testOptions(newFake())
				c := connect(t, New(o))
				got := c.one(call(`1`, tool, `{}`))
				if !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "AAAAAAAA") {
					t.Errorf("got %s", got)
				}
				if strings.Contains(got, "secret") || strings.Contains(got, ".go") {
					t.Errorf("the client was told the cause: %s", got)
				}
				log := logged.String()
				if !strings.Contains(log, "incident=AAAAAAAA") || !strings.Contains(log, secret) {
					t.Errorf("the log lacks the cause: %s", log)
				}
				if tool == "panic" && !strings.Contains(log, "fake_test.go") {
					t.Errorf("the log lacks the stack: %s", log)
				}
				c.alive()
			})
		})
	}
}

func TestRule8_aWrappedErrorOfAnotherServerIsNotOurs(t *testing.T) {
	bubble(t, nil, func(t *testing.T, _ *Server, _ *fakeCatalog) {
		o, _ := testOptions(catalogFunc(func(context.Context, *Call) (*mcp.CallToolResult, error) {
			return nil, fmt.Errorf("ask the other server: %w", wire.Errorf(mcp.CodeUnsupportedVersion, "no"))
		}))
		if got := connect(t, New(o)).one(call(`1`, "x", `{}`)); !strings.Contains(got, `"isError":true`) {
			t.Errorf("got %s", got)
		}
	})
}
