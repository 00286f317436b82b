package mcpclient

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// names returns the names of tools.
func names(tools []mcp.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return out
}

func tool(name string) string {
	return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name)
}

func TestC27_PagesAreFollowedToTheirEnd(t *testing.T) {
	t.Parallel()
	c := connected(t, Options{}, func(f *fake) {
		m := f.expect(mcp.MethodListTools)
		if _, there := paramsOf(t, m)["cursor"]; there {
			t.Errorf("the first page has a cursor: %s", m.line)
		}
		f.result(m, `{"tools":[`+tool("a")+`],"nextCursor":""}`)
		m = f.expect(mcp.MethodListTools)
		if got := string(paramsOf(t, m)["cursor"]); got != `""` {
			t.Errorf("cursor %s", got)
		}
		f.result(m, `{"tools":[`+tool("b")+`],"nextCursor":"\u0032/="}`)
		m = f.expect(mcp.MethodListTools)
		if got := string(paramsOf(t, m)["cursor"]); got != `"\u0032/="` {
			t.Errorf("cursor %s", got)
		}
		f.result(m, `{"tools":[`+tool("c")+`],"nextCursor":null}`)
		f.end()
	})
	tools, err := c.ListTools(t.Context())
	if err != nil || !slices.Equal(names(tools), []string{"a", "b", "c"}) {
		t.Errorf("tools %v, error %v", names(tools), err)
	}
}

func TestC27_PagesEndAtARepeatAndAtAHundred(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cursor func(page int) string
		pages  int32
	}{
		"the same cursor for ever": {func(int) string { return "x" }, 2},
		"a circle":                 {func(page int) string { return fmt.Sprint(page % 3) }, 4},
		"no end":                   {func(page int) string { return fmt.Sprint(page) }, 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var pages atomic.Int32
			c := connected(t, Options{}, func(f *fake) {
				for {
					m, ok := f.next()
					if !ok {
						return
					}
					n := pages.Add(1)
					f.result(m, fmt.Sprintf(`{"tools":[%s],"nextCursor":%q}`, tool(fmt.Sprint("t", n)), tt.cursor(int(n))))
				}
			})
			tools, err := c.ListTools(t.Context())
			if err != nil || pages.Load() != tt.pages || len(tools) != int(tt.pages) {
				t.Errorf("%d tools of %d pages, error %v", len(tools), pages.Load(), err)
			}
		})
	}
}

func TestToolsThatCannotBeUsedAreLeftOutOneByOne(t *testing.T) {
	t.Parallel()
	skipped := map[string]string{}
	c := connected(t, Options{OnSkippedTool: func(name string, reason error) { skipped[name] = reason.Error() }}, func(f *fake) {
		f.result(f.expect(mcp.MethodListTools), `{"tools":[`+strings.Join([]string{
			`{"name":"whole","title":"T","description":"D","inputSchema":{"type":"object","$defs":{}},"outputSchema":{"type":"array"},"annotations":{"readOnlyHint":true},"icons":[],"future":1}`,
			`7`, `null`, `{}`, `{"name":""}`, `{"name":5}`,
			`{"name":"list","inputSchema":[]}`,
			`{"name":"string","inputSchema":{"type":"string"}}`,
			`{"name":"union","inputSchema":{"type":["object","null"]}}`,
			tool("whole"),
			`{"name":"untyped","inputSchema":{"properties":{}}}`,
			`{"name":"bare"}`,
			`{"name":"odd hints","title":7,"description":null,"inputSchema":{"type":"object","type":"object"},"outputSchema":7,"annotations":{"readOnlyHint":"yes"}}`,
		}, ",")+`]}`)
		f.end()
	})
	tools, err := c.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	want := []mcp.Tool{
		{
			Name: "whole", Title: "T", Description: "D", InputSchema: jsontext.Value(`{"type":"object","$defs":{}}`),
			OutputSchema: jsontext.Value(`{"type":"array"}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: &yes},
		},
		{Name: "untyped", InputSchema: jsontext.Value(`{"properties":{}}`)},
		{Name: "bare", InputSchema: jsontext.Value(`{"type":"object"}`)},
		{Name: "odd hints", InputSchema: jsontext.Value(`{"type":"object","type":"object"}`)},
	}
	if !reflect.DeepEqual(tools, want) {
		t.Errorf("tools %+v\nwant  %+v", tools, want)
	}
	for name, reason := range map[string]string{"": "name", "list": "no JSON object", "string": `"string"`, "union": "null", "whole": "same name"} {
		if !strings.Contains(skipped[name], reason) {
			t.Errorf("%q was skipped because %q, want %q", name, skipped[name], reason)
		}
	}
}

func TestAListThatIsNoneIsAnError(t *testing.T) {
	t.Parallel()
	for _, result := range []string{`{"tools":{}}`, `{"tools":[],"nextCursor":7}`} {
		c := connected(t, Options{}, func(f *fake) {
			f.result(f.expect(mcp.MethodListTools), result)
			f.end()
		})
		_, err := c.ListTools(t.Context())
		mention(t, err, "tools/list")
	}
}

func TestAServerWithoutToolsHasAnEmptyList(t *testing.T) {
	t.Parallel()
	for declared, want := range map[string]bool{`{}`: true, `{"tools":{}}`: false} {
		c := connect(t, scripted(t, func(f *fake) {
			f.result(f.expect(mcp.MethodDiscover), `{"supportedVersions":["2026-07-28"],"capabilities":`+declared+`}`)
			f.refuse(f.expect(mcp.MethodListTools), wire.CodeMethodNotFound, "no", "")
			f.end()
		}), Options{})
		if tools, err := c.ListTools(t.Context()); (err == nil) != want || len(tools) != 0 {
			t.Errorf("capabilities %s: tools %v, error %v", declared, tools, err)
		}
	}
}

// acknowledge answers subscriptions/listen with what was asked for.
func (f *fake) acknowledge() message {
	m := f.expect(mcp.MethodListen)
	f.send(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"notifications":%s}}`,
		m.ID, paramsOf(f.t, m)["notifications"])
	return m
}

// notify sends a notification of a subscription.
func (f *fake) notify(m message, method string) {
	f.send(`{"jsonrpc":"2.0","method":%q,"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}`, method, m.ID)
}

func TestC13_NotificationsReachTheirSubscription(t *testing.T) {
	t.Parallel()
	got := make(chan string, 10)
	on := func(name string) func(string, jsontext.Value) {
		return func(method string, _ jsontext.Value) { got <- name + " " + method }
	}
	c := connected(t, Options{OnNotification: on("none")}, func(f *fake) {
		a := f.acknowledge()
		f.notify(a, "notifications/one")
		b := f.acknowledge()
		f.notify(b, "notifications/two")
		f.notify(a, "notifications/three")
		f.send(`{"jsonrpc":"2.0","method":"notifications/four"}`)
		f.send(`{"jsonrpc":"2.0","method":"notifications/lost","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":77}}}`)
		m := f.expect(mcp.NotifyCancelled)
		if id := paramsOf(t, m)["requestId"]; string(id) != string(a.ID) {
			t.Errorf("cancelled %s", id)
		}
		f.notify(a, "notifications/late")
		f.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s}}`, b.ID)
		f.result(b, `{"resultType":"complete"}`)
		f.end()
	})
	a, err := c.Listen(t.Context(), mcp.SubscriptionFilter{ToolsListChanged: true}, on("a"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Listen(t.Context(), mcp.SubscriptionFilter{ResourceSubscriptions: []string{"x:y"}}, on("b"))
	if err != nil {
		t.Fatal(err)
	}
	if !a.Filter().ToolsListChanged || a.Filter().ResourceSubscriptions != nil || !slices.Equal(b.Filter().ResourceSubscriptions, []string{"x:y"}) {
		t.Errorf("filters %+v, %+v", a.Filter(), b.Filter())
	}
	for _, want := range []string{"a notifications/one", "b notifications/two", "a notifications/three", "none notifications/four"} {
		if s := <-got; s != want {
			t.Errorf("got %q, want %q", s, want)
		}
	}
	a.Close()
	<-b.Done()
	if a.Err() != nil || b.Err() != nil {
		t.Errorf("errors %v, %v", a.Err(), b.Err())
	}
	c.Close()
	if len(got) > 0 {
		t.Errorf("unexpected %q", <-got)
	}
}

func TestC12_ASubscriptionEndsWithItsConnectionAndIsOpenedAnew(t *testing.T) {
	t.Parallel()
	dies := make(chan struct{})
	tr := scripted(t, func(f *fake) {
		f.openModern()
		f.acknowledge()
		<-dies
	}, func(f *fake) {
		f.openModern()
		f.acknowledge()
		f.expect(mcp.NotifyCancelled)
		f.end()
	})
	listen := func(c *Client) *Subscription {
		s, err := c.Listen(t.Context(), mcp.SubscriptionFilter{}, func(string, jsontext.Value) {})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := listen(connect(t, tr, Options{}))
	if s.Err() != nil {
		t.Error(s.Err())
	}
	close(dies)
	<-s.Done()
	if !errors.Is(s.Err(), ErrDisconnected) {
		t.Errorf("error %v", s.Err())
	}
	again := connect(t, tr, Options{})
	s = listen(again)
	again.Close()
	if !errors.Is(s.Err(), ErrDisconnected) {
		t.Errorf("error %v", s.Err())
	}
}

func TestC13_ASubscriptionThatIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script func(f *fake)
		err    string
	}{
		"refused":       {func(f *fake) { f.refuse(f.expect(mcp.MethodListen), -32601, "no listening here", "") }, "no listening here"},
		"ended at once": {func(f *fake) { f.result(f.expect(mcp.MethodListen), `{}`) }, "at once"},
		"silence":       {func(f *fake) { f.expect(mcp.MethodListen); f.expect(mcp.NotifyCancelled) }, "not acknowledged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := connected(t, Options{}, func(f *fake) { tt.script(f); f.end() })
				_, err := c.Listen(t.Context(), mcp.SubscriptionFilter{}, nil)
				mention(t, err, tt.err)
				c.Close()
			})
		})
	}
	c := connect(t, scripted(t, func(f *fake) { f.initialize(mcp.V2025_11_25); f.end() }), Options{Era: mcp.V2025_11_25})
	_, err := c.Listen(t.Context(), mcp.SubscriptionFilter{}, nil)
	mention(t, err, mcp.V2025_11_25, "no subscriptions")
}

func TestAFloodOfLogMessagesNeitherStopsTheReaderNorHidesAChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		seen := map[string]int{}
		c := connected(t, Options{OnNotification: func(method string, _ jsontext.Value) {
			time.Sleep(time.Second)
			seen[method]++
		}}, func(f *fake) {
			m := f.expect(mcp.MethodCallTool)
			for range 10 * queueRoom {
				f.send(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)
			}
			f.send(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			f.result(m, `{"content":[]}`)
			f.end()
		})
		if _, err := call(t, c, CallOptions{}); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Hour)
		c.Close()
		if n := seen["notifications/message"]; n < queueRoom/2 || n > queueRoom || seen[mcp.NotifyToolsChanged] != 1 {
			t.Errorf("seen %v", seen)
		}
	})
}
