package hostile

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
)

// observed keeps what a client would fail its test with.
type observed struct {
	testing.TB
	mu     sync.Mutex
	errors []string
}

func (o *observed) Errorf(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.errors = append(o.errors, fmt.Sprintf(format, args...))
}

func (o *observed) Error(args ...any) { o.Errorf("%s", fmt.Sprint(args...)) }

// TestSurvive plays a server that gives one answer, right or wrong, to every line, and a good one to probes.
func TestSurvive(t *testing.T) {
	t.Parallel()
	refusal := `{"jsonrpc":"2.0","error":{"code":-32600,"message":"m"}}`
	for name, tt := range map[string]struct{ answer, want string }{
		"the right code":  {refusal, ""},
		"another code":    {strings.Replace(refusal, "-32600", "-32700", 1), "with code -32700"},
		"an id of null":   {strings.Replace(refusal, `"error"`, `"id":null,"error"`, 1), "JSONRPCError"},
		"no JSON-RPC":     {`{"error":"m"}`, "the server wrote"},
		"one too many":    {refusal + "\n" + refusal, "came"},
		"a result at all": {`{"jsonrpc":"2.0","id":7,"result":{}}`, "no request in flight"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fromServer, toClient := io.Pipe()
			fromClient, toServer := io.Pipe()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			go func() {
				defer toClient.Close()
				New(t, fromClient, io.Discard).serve(ctx, toClient, tt.answer)
			}()
			o := &observed{TB: t}
			c := New(o, fromServer, toServer)
			c.Survive(Input{"an empty object", []string{`{}`}, unreadable})
			toServer.Close()
			found := strings.Join(o.errors, "\n")
			if tt.want == "" && found != "" || !strings.Contains(found, tt.want) {
				t.Errorf("the test was failed with %q, want something with %q", found, tt.want)
			}
		})
	}
}

// serve answers lines as the other end.
func (c *Client) serve(ctx context.Context, w io.Writer, answer string) {
	const discovered = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`
	for {
		select {
		case <-ctx.Done():
			return
		case line, ok := <-c.lines:
			if !ok {
				return
			}
			if _, rest, probe := strings.Cut(line, `"id":"alive`); probe {
				id, _, _ := strings.Cut(rest, `"`)
				line = `{"jsonrpc":"2.0","id":"alive` + id + `","result":` + discovered + `}`
			} else {
				line = answer
			}
			fmt.Fprintln(w, line)
		}
	}
}

func TestInputsAreNamedApart(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, in := range Inputs() {
		if seen[in.Name] || len(in.Lines) == 0 {
			t.Errorf("%q is there twice, or empty", in.Name)
		}
		seen[in.Name] = true
	}
}
