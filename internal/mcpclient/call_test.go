package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// call runs the tool "x" without arguments.
func call(t *testing.T, c *Client, o CallOptions) (*mcp.CallToolResult, error) {
	t.Helper()
	return c.CallTool(t.Context(), "x", nil, o)
}

func TestC2_TheResultTypeDecides(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ result, err string }{
		"absent":           {`{"content":[{"type":"text","text":"done"}]}`, ""},
		"complete":         {`{"resultType":"complete","content":[{"type":"text","text":"done"}]}`, ""},
		"unknown":          {`{"resultType":"later","content":[]}`, `"later"`},
		"of a wrong type":  {`{"resultType":7,"content":[]}`, "resultType"},
		"no object at all": {`[]`, "resultType"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connected(t, Options{}, func(f *fake) {
				f.result(f.expect(mcp.MethodCallTool), tt.result)
				f.end()
			})
			r, err := call(t, c, CallOptions{})
			if tt.err != "" {
				mention(t, err, tt.err)
				return
			}
			if err != nil || len(r.Content) != 1 || r.Content[0].Text != "done" {
				t.Errorf("result %+v, error %v", r, err)
			}
		})
	}
}

func TestC4_ASilentRequestTimesOutAndIsCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := connected(t, Options{}, func(f *fake) {
			m := f.expect(mcp.MethodCallTool)
			cancelled := paramsOf(t, f.expect(mcp.NotifyCancelled))
			if string(cancelled["requestId"]) != string(m.ID) {
				t.Errorf("cancelled %s instead of %s", cancelled["requestId"], m.ID)
			}
			f.result(m, `{"content":[]}`) // Too late, and ignored.
			f.result(f.expect(mcp.MethodCallTool), `{"content":[{"type":"text","text":"second"}]}`)
			f.end()
		})
		start := time.Now()
		_, err := call(t, c, CallOptions{})
		if !errors.Is(err, ErrTimeout) || time.Since(start) != time.Minute {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
		if r, err := call(t, c, CallOptions{}); err != nil || r.Content[0].Text != "second" {
			t.Errorf("the next call got %+v, %v", r, err)
		}
		c.Close()
	})
}

func TestC4_ProgressKeepsARequestAliveUpToALimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := connected(t, Options{MaxCallTime: 5 * time.Minute}, func(f *fake) {
			m := f.expect(mcp.MethodCallTool)
			var p struct {
				Meta struct {
					Token jsontext.Value `json:"progressToken"`
				} `json:"_meta"`
			}
			if err := unmarshal(m.Params, &p); err != nil || p.Meta.Token == nil {
				t.Errorf("no progress token: %s", m.line)
			}
			for i := range 5 {
				time.Sleep(50 * time.Second)
				f.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":20,"message":"step"}}`, p.Meta.Token, i)
			}
			f.expect(mcp.NotifyCancelled)
			f.end()
		})
		start := time.Now()
		var seen []float64
		_, err := call(t, c, CallOptions{Progress: func(done, total float64, message string) {
			seen = append(seen, done)
			if total != 20 || message != "step" {
				t.Errorf("progress %v %q", total, message)
			}
		}})
		if !errors.Is(err, ErrTimeout) || time.Since(start) != 5*time.Minute {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
		if !slices.Equal(seen, []float64{0, 1, 2, 3, 4}) {
			t.Errorf("progress %v", seen)
		}
		synctest.Wait()
		c.Close()
	})
}

func TestC4_OnlyIncreasingProgressIsReportedAndAllOfItBeforeTheResult(t *testing.T) {
	t.Parallel()
	c := connected(t, Options{}, func(f *fake) {
		m := f.expect(mcp.MethodCallTool)
		for _, p := range []string{"1", "1", "0.5", "2.5", `"3"`, "2", "4"} {
			f.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%s}}`, m.ID, p)
		}
		f.send(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":99,"progress":9}}`)
		f.send(`{"jsonrpc":"2.0","method":"notifications/progress"}`)
		f.result(m, `{"content":[]}`)
		f.end()
	})
	var seen []float64
	if _, err := call(t, c, CallOptions{Progress: func(done, _ float64, _ string) { seen = append(seen, done) }}); err != nil {
		t.Error(err)
	}
	if !slices.Equal(seen, []float64{1, 2.5, 4}) {
		t.Errorf("progress %v", seen)
	}
}

func TestC4_TheTimeoutOfOneCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := connected(t, Options{MaxCallTime: time.Minute}, func(f *fake) {
			f.expect(mcp.MethodCallTool)
			f.expect(mcp.NotifyCancelled)
			f.end()
		})
		start := time.Now()
		if _, err := call(t, c, CallOptions{Timeout: 2 * time.Hour}); !errors.Is(err, ErrTimeout) || time.Since(start) != 2*time.Hour {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
		c.Close()
	})
}

func TestC4_ATimeoutCoversAServerThatDoesNotRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := connected(t, Options{}, func(f *fake) {
			time.Sleep(61 * time.Second)
			io.Copy(io.Discard, f.in)
		})
		var wg sync.WaitGroup
		for range 400 { // More than the queue holds.
			wg.Go(func() {
				if _, err := call(t, c, CallOptions{}); !errors.Is(err, ErrTimeout) {
					t.Errorf("error %v", err)
				}
			})
		}
		wg.Wait()
		c.Close()
	})
}

func TestC14_TheEndOfTheContextIsToldToTheServer(t *testing.T) {
	t.Parallel()
	for _, open := range []string{mcp.V2026_07_28, mcp.V2025_11_25} {
		t.Run(open, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			c := connect(t, scripted(t, func(f *fake) {
				if mcp.Modern(open) {
					f.openModern()
				} else {
					f.initialize(open)
				}
				m := f.expect(mcp.MethodCallTool)
				cancel(errors.New("the user pressed escape"))
				p := paramsOf(t, f.expect(mcp.NotifyCancelled))
				if string(p["requestId"]) != string(m.ID) || !strings.Contains(string(p["reason"]), "pressed escape") {
					t.Errorf("cancelled with %v", p)
				}
				f.end()
			}), Options{Era: open})
			_, err := c.CallTool(ctx, "x", nil, CallOptions{})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			mention(t, err, `"x"`, "pressed escape")
			if _, err := c.CallTool(ctx, "x", nil, CallOptions{}); !errors.Is(err, ErrNotSent) || !errors.Is(err, context.Canceled) {
				t.Errorf("a call after the end: %v", err)
			}
			c.Close()
		})
	}
}

func TestC14_CloseCancelsWhatIsInFlight(t *testing.T) {
	t.Parallel()
	started := make(chan struct{})
	c := connected(t, Options{}, func(f *fake) {
		f.expect(mcp.MethodCallTool)
		close(started)
		f.expect(mcp.NotifyCancelled)
		f.end()
	})
	failed := make(chan error)
	go func() {
		_, err := call(t, c, CallOptions{})
		failed <- err
	}()
	<-started
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := <-failed; !errors.Is(err, ErrDisconnected) {
		t.Errorf("error %v", err)
	}
	if _, err := call(t, c, CallOptions{}); !errors.Is(err, ErrNotSent) || !errors.Is(err, ErrDisconnected) {
		t.Errorf("a call after Close: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("the second Close: %v", err)
	}
}

func TestC6_AFailedToolIsAResultAndARefusalAnError(t *testing.T) {
	t.Parallel()
	c := connected(t, Options{}, func(f *fake) {
		m := f.expect(mcp.MethodCallTool)
		if got := string(paramsOf(t, m)["arguments"]); got != `{"a":9007199254740993,"b":[]}` {
			t.Errorf("arguments %s", got)
		}
		f.result(m, `{"content":[{"type":"text","text":"no such order"},{"type":"image","data":"%%%","mimeType":"image/png"},7],"structuredContent":null,"isError":true,"later":1}`)
		f.refuse(f.expect(mcp.MethodCallTool), wire.CodeInvalidParams, "unknown tool", `{"x":1}`)
		f.refuse(f.expect("resources/read"), mcp.CodeLegacyResourceNotFound, "gone", "")
		f.end()
	})
	r, err := c.CallTool(t.Context(), "x", map[string]any{"a": uint64(9007199254740993), "b": []string(nil)}, CallOptions{})
	if err != nil || !r.IsError || r.Content[0].Text != "no such order" || string(r.StructuredContent) != "null" {
		t.Fatalf("result %+v, error %v", r, err)
	}
	if len(r.Content) != 3 || !strings.Contains(r.Content[1].Text, "malformed") || !strings.Contains(r.Content[2].Text, "malformed") {
		t.Errorf("content %+v", r.Content)
	}
	var refused *wire.Error
	if _, err := call(t, c, CallOptions{}); !errors.As(err, &refused) || refused.Code != wire.CodeInvalidParams {
		t.Errorf("error %v", err)
	}
	if _, err := c.Request(t.Context(), "resources/read", map[string]string{"uri": "x:y"}); !errors.As(err, &refused) || refused.Code != mcp.CodeLegacyResourceNotFound {
		t.Errorf("error %v", err)
	}
	if _, err := c.CallTool(t.Context(), "x", []int{1}, CallOptions{}); err == nil {
		t.Error("arguments that are no object were sent")
	}
	if _, err := c.Request(t.Context(), "x", 7); err == nil {
		t.Error("params that are no object were sent")
	}
}

func TestC12_ADeadConnectionFailsEverythingInFlight(t *testing.T) {
	t.Parallel()
	tr := scripted(t, func(f *fake) {
		f.openModern()
		for range 3 {
			f.expect(mcp.MethodCallTool)
		}
	}, func(f *fake) {
		f.openModern()
		f.end()
	})
	c := connect(t, tr, Options{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if _, err := call(t, c, CallOptions{}); !errors.Is(err, ErrDisconnected) || errors.Is(err, ErrNotSent) {
				t.Errorf("error %v", err)
			}
		})
	}
	wg.Wait()
	<-c.Done()
	if !errors.Is(c.Err(), ErrDisconnected) {
		t.Errorf("Err() = %v", c.Err())
	}
	if _, err := call(t, c, CallOptions{}); !errors.Is(err, ErrNotSent) {
		t.Errorf("a later call: %v", err)
	}
	// The transport is a factory: the owner restarts the server by connecting again.
	if again := connect(t, tr, Options{}); again.Err() != nil {
		t.Error(again.Err())
	}
}

func TestC12_TheErrorOfAnInMemoryServerIsTold(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	_, err := Connect(t.Context(), Pipe(func(context.Context, io.Reader, io.Writer) error { return boom }), Options{})
	if !errors.Is(err, boom) || !errors.Is(err, ErrDisconnected) {
		t.Errorf("error %v", err)
	}
}

func TestST_LinesThatAreNoMessageAreSkippedCountedAndLogged(t *testing.T) {
	t.Parallel()
	log, text := logTo()
	c := connected(t, Options{Log: log}, func(f *fake) {
		m := f.expect(mcp.MethodCallTool)
		f.send("Listening on \x1b[31mport 80")
		f.send("")
		f.send(`{"id":%s,"message":"a log line with an id"}`, m.ID)
		f.send(`[{"jsonrpc":"2.0","id":%s,"result":{}}]`, m.ID) // A batch, which this version does not have.
		f.send(`{"jsonrpc":"2.0","id":12345,"result":{}}`)      // A message, but nobody's answer.
		f.send(`{"jsonrpc":"2.0","method":"notifications/unknown"}`)
		f.result(m, `{"content":[]}`)
		f.end()
	})
	if _, err := call(t, c, CallOptions{}); err != nil {
		t.Error(err)
	}
	if c.SkippedLines() != 3 {
		t.Errorf("%d lines were skipped", c.SkippedLines())
	}
	if got := text(); !strings.Contains(got, "Listening on") || strings.Contains(got, `\x1b`) {
		t.Errorf("log: %s", got)
	}
}

func TestST_AResponseThatCannotBeUsedFailsItsRequestAtOnce(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"result and error":  `{"jsonrpc":"2.0","id":%s,"result":{},"error":{"code":1,"message":"x"}}`,
		"no error code":     `{"jsonrpc":"2.0","id":%s,"error":{"message":"x"}}`,
		"no jsonrpc member": `{"id":%s,"result":{"content":[]}}`,
		"too deep":          `{"jsonrpc":"2.0","id":%s,"result":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`,
		"too long":          `{"jsonrpc":"2.0","id":%s,"result":"` + strings.Repeat("x", wire.DefaultMaxLine) + `"}`,
		"no UTF-8":          "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":\"\xff\"}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connected(t, Options{}, func(f *fake) {
				m := f.expect(mcp.MethodCallTool)
				f.send("%s", strings.Replace(line, "%s", string(m.ID), 1))
				f.end()
			})
			_, err := call(t, c, CallOptions{})
			mention(t, err, "response cannot be used")
		})
	}
}

func TestST_BatchesAreReceivedInTheVersionsThatHaveThem(t *testing.T) {
	t.Parallel()
	c := connect(t, scripted(t, func(f *fake) {
		f.initialize(mcp.V2025_03_26)
		m := f.expect(mcp.MethodCallTool)
		f.send(`[{"jsonrpc":"2.0","method":"notifications/a"},{"jsonrpc":"2.0","id":%s,"result":{"content":[]}},7]`, m.ID)
		f.end()
	}), Options{Era: mcp.V2025_03_26})
	if _, err := call(t, c, CallOptions{}); err != nil {
		t.Error(err)
	}
}

func TestConcurrentCallsGetTheirOwnResults(t *testing.T) {
	t.Parallel()
	c := connected(t, Options{}, func(f *fake) {
		var held []message
		for {
			m, ok := f.next()
			if !ok {
				return
			}
			if held = append(held, m); len(held) < 8 {
				continue
			}
			for _, m := range slices.Backward(held) { // Answers come in another order than requests.
				f.result(m, fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, paramsOf(t, m)["name"]))
			}
			held = nil
		}
	})
	var wg sync.WaitGroup
	for i := range 80 {
		wg.Go(func() {
			name := fmt.Sprint("tool", i)
			r, err := c.CallTool(t.Context(), name, nil, CallOptions{})
			if err != nil || r.Content[0].Text != name {
				t.Errorf("%s got %+v, %v", name, r, err)
			}
		})
	}
	wg.Wait()
}
