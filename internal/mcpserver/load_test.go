package mcpserver

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

func TestRule5_aThousandCallsAtOnce(t *testing.T) {
	const calls = 1000
	t.Run("within the limit", func(t *testing.T) {
		bubble(t, func(o *Options) { o.MaxInFlight = calls }, func(t *testing.T, s *Server, f *fakeCatalog) {
			c := connect(t, s)
			var lines []string
			for i := range calls {
				lines = append(lines, call(strconv.Itoa(i), "wait", `{}`))
			}
			if got := c.send(lines...); len(got) != 0 {
				t.Fatalf("%d early answers", len(got))
			}
			close(f.release)
			got := c.quiet()
			if n := len(slices.Compact(ids(t, got))); n != calls || strings.Contains(strings.Join(got, ""), `"error"`) {
				t.Errorf("%d of %d calls were answered", n, calls)
			}
		})
	})
	t.Run("beyond the limit", func(t *testing.T) {
		bubble(t, nil, func(t *testing.T, s *Server, f *fakeCatalog) {
			c := connect(t, s)
			var lines []string
			for i := range calls {
				lines = append(lines, call(strconv.Itoa(i), "wait", `{}`))
			}
			refused := c.send(lines...)
			if len(refused) != calls-64 {
				t.Fatalf("%d calls were refused", len(refused))
			}
			for _, line := range refused {
				m, _ := wire.Parse([]byte(line), wire.Limits{})
				expectError(t, line, mcp.CodeBusy, string(m.ID))
			}
			c.alive()
			close(f.release)
			if got := c.quiet(); len(got) != 64 {
				t.Errorf("%d calls were answered", len(got))
			}
			if got := c.one(call(`1`, "echo", `{}`)); !strings.Contains(got, `"result"`) {
				t.Errorf("the slots were not given back: %s", got)
			}
		})
	})
}

func TestRule5_callsThatWaitForAHumanGiveTheirSlotBack(t *testing.T) {
	bubble(t, func(o *Options) { o.MaxInFlight, o.MaxWaiting = 2, 3 }, func(t *testing.T, s *Server, f *fakeCatalog) {
		c := connect(t, s)
		c.one(initialize(mcp.V2025_11_25, `{"elicitation":{"form":{}}}`))
		for i := range 3 {
			if got := c.one(legacy(strconv.Itoa(i), "tools/call", `{"name":"ask"}`)); !strings.Contains(got, `"method":"elicitation/create"`) {
				t.Fatalf("call %d: %s", i, got)
			}
		}
		if got := c.one(legacy(`3`, "tools/call", `{"name":"ask"}`)); !strings.Contains(got, "already wait") {
			t.Errorf("beyond the limit of waiting calls: %s", got)
		}
		if got := c.send(legacy(`4`, "tools/call", `{"name":"wait"}`), legacy(`5`, "tools/call", `{"name":"wait"}`)); len(got) != 0 {
			t.Errorf("got %q", got)
		}
		expectError(t, c.one(legacy(`6`, "tools/call", `{"name":"wait"}`)), mcp.CodeBusy, "6")
		// An answered question moves its call back even though all slots are taken.
		if got := c.one(`{"jsonrpc":"2.0","id":"ask-AAAAAAAA-2","result":{"action":"accept","content":{}}}`); !strings.Contains(got, `"id":1,"result"`) {
			t.Errorf("got %s", got)
		}
		close(f.release)
		c.quiet()
		// Cancelled calls stop waiting.
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}`)
		if got := c.one(legacy(`7`, "tools/call", `{"name":"ask"}`)); !strings.Contains(got, `"method":"elicitation/create"`) {
			t.Errorf("got %s", got)
		}
	})
}

func TestRule5_listensAreLimited(t *testing.T) {
	bubble(t, func(o *Options) { o.MaxListens, o.MaxInFlight = 2, 1 }, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		listen := func(id string) string {
			return c.one(`{"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{"toolsListChanged":true}}}`)
		}
		listen(`1`)
		listen(`2`)
		expectError(t, listen(`3`), mcp.CodeBusy, "3")
		expectError(t, listen(`1`), wire.CodeInvalidRequest, "1")
		expectError(t, c.one(call(`1`, "echo", `{}`)), wire.CodeInvalidRequest, "1")
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
		if got := listen(`3`); !strings.Contains(got, mcp.NotifyAcknowledged) {
			t.Errorf("got %s", got)
		}
	})
}

func TestRule6_aClientThatStopsReadingHarmsOnlyItself(t *testing.T) {
	bubble(t, func(o *Options) { o.Queue = 4 }, func(t *testing.T, s *Server, _ *fakeCatalog) {
		listen := `{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{"toolsListChanged":true}}}`
		stalled, healthy := dial(t, s), connect(t, s)
		synctest.Wait()
		if err := stalled.write(listen); err != nil {
			t.Fatal(err)
		}
		healthy.one(listen)
		start := time.Now()
		const changes = 50
		for range changes {
			s.ToolsChanged()
			synctest.Wait()
		}
		if d := time.Since(start); d != 0 {
			t.Errorf("ToolsChanged waited %v for the client that does not read", d)
		}
		if got := healthy.quiet(); len(got) != changes {
			t.Errorf("the other client got %d of %d notifications", len(got), changes)
		}
		if err := <-stalled.ended; err == nil || !strings.Contains(err.Error(), "stopped reading") {
			t.Errorf("the connection of the stalled client ended with %v", err)
		}
		if d := time.Since(start); d > time.Second {
			t.Errorf("that took %v", d)
		}
		healthy.alive()
	})
}

func TestRule6_answersToAStalledClientWaitWithoutGrowing(t *testing.T) {
	bubble(t, func(o *Options) { o.Queue = 4 }, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c, other := dial(t, s), connect(t, s)
		go func() { // blocks once the server no longer reads
			for i := range 10_000 {
				if c.write(call(strconv.Itoa(i), "echo", `{}`)) != nil {
					return
				}
			}
		}()
		synctest.Wait()
		s.mu.Lock()
		for conn := range s.conns {
			conn.mu.Lock()
			if n := len(conn.flights); n > 64 {
				t.Errorf("%d calls are open", n)
			}
			conn.mu.Unlock()
		}
		s.mu.Unlock()
		other.alive()
		c.stop()
		<-c.ended
		other.alive()
	})
}

func TestS31_S50_S51_S52_subscriptions(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		listen := func(id, filter string) string {
			return `{"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":` + filter + `}}`
		}
		got := c.send(listen(`1`, `{"toolsListChanged":true,"resourcesListChanged":true}`), listen(`"1"`, `{"toolsListChanged":true}`), listen(`2`, `{"toolsListChanged":false}`))
		for i, want := range []string{`"subscriptionId":1},"notifications":{"toolsListChanged":true}`, `"subscriptionId":"1"},"notifications":{"toolsListChanged":true}`, `"subscriptionId":2},"notifications":{}`} {
			if want = strings.Replace(want, `"sub`, `"io.modelcontextprotocol/sub`, 1); !strings.Contains(got[i], want) {
				t.Errorf("acknowledgement %d is %s", i, got[i])
			}
		}
		s.ToolsChanged()
		if got := c.quiet(); len(got) != 2 || !strings.Contains(got[0], `Id":1}`) || !strings.Contains(got[1], `Id":"1"}`) {
			t.Errorf("got %q", got)
		}
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		s.ToolsChanged()
		if got := c.quiet(); len(got) != 1 || !strings.Contains(got[0], `Id":"1"}`) {
			t.Errorf("after a cancel: %q", got)
		}
		// S53: the end of the server ends each with a cancellation and a result.
		c.stop()
		<-c.ended
		end := strings.Join(c.quiet(), "\n")
		for _, id := range []string{`"1"`, `2`} {
			cancelled, result := strings.Index(end, `"requestId":`+id), strings.Index(end, `"id":`+id+`,"result"`)
			if cancelled < 0 || result < cancelled {
				t.Errorf("subscription %s ended with\n%s", id, end)
			}
		}
	})
}

func TestS49_elicitationEndsWithItsCall(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *Server, _ *fakeCatalog) {
		c := connect(t, s)
		c.one(initialize(mcp.V2025_06_18, `{"elicitation":{}}`))
		c.send(legacy(`1`, "tools/call", `{"name":"ask"}`))
		if got := c.one(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`); !strings.Contains(got, `"requestId":"ask-AAAAAAAA-1"`) {
			t.Errorf("the question was not withdrawn: %s", got)
		}
		for _, answer := range []string{`{"action":"maybe"}`, `{"action":"accept","content":[]}`, `5`} {
			c.send(legacy(`2`, "tools/call", `{"name":"ask"}`))
			s.mu.Lock()
			var id string
			for conn := range s.conns {
				for id = range conn.asks {
				}
			}
			s.mu.Unlock()
			if got := c.one(`{"jsonrpc":"2.0","id":` + id + `,"result":` + answer + `}`); !strings.Contains(got, `"isError":true`) {
				t.Errorf("%s led to %s", answer, got)
			}
		}
		// The client goes away: the call ends at once.
		c.send(legacy(`3`, "tools/call", `{"name":"ask"}`))
		start := time.Now()
		if err := c.end(); err != nil || time.Since(start) != 0 {
			t.Errorf("Serve: %v after %v", err, time.Since(start))
		}
	})
}
