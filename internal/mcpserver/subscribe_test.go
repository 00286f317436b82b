package mcpserver

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// listenTo is a request to listen; kinds are the members of the filter.
func listenTo(id, kinds string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"subscriptions/listen","params":{` + modernMeta + `,"notifications":{` + kinds + `}}}`
}

func watching(uris ...string) string {
	return `"resourceSubscriptions":["` + strings.Join(uris, `","`) + `"]`
}

// updatedNotice is what a modern client is told.
func updatedNotice(id, uri string) string {
	return `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `},"uri":"` + uri + `"}}`
}

func cancel(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
}

func TestS50_S51_S52_eachSubscriptionIsToldWhatItAskedFor(t *testing.T) {
	offering(t, nil, func(t *testing.T, s *Server, f *shelf) {
		c := connect(t, s)
		got := c.one(listenTo(`"one"`, `"promptsListChanged":true,`+watching("fake:a", "other:x", "fake:refuse", "fake:fail", "fake:panic", "fake:a", "fake:b")))
		want := `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"one"},"notifications":{"promptsListChanged":true,"resourceSubscriptions":["fake:a","fake:b"]}}}`
		if got != want {
			t.Errorf("acknowledged with\n%s, want\n%s", got, want)
		}
		c.one(listenTo(`2`, `"resourcesListChanged":true,`+watching("fake:b")))
		c.one(listenTo(`3`, `"toolsListChanged":true`))
		f.change("fake:a")
		f.change("fake:b")
		f.change("fake:c")
		if got := strings.Join(c.quiet(), "\n"); got != updatedNotice(`"one"`, "fake:a")+"\n"+updatedNotice(`"one"`, "fake:b")+"\n"+updatedNotice(`2`, "fake:b") {
			t.Errorf("told\n%s", got)
		}
		for kind, change := range map[string]func(){
			`resources/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":2}`:   s.ResourcesChanged,
			`prompts/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"one"}`: s.PromptsChanged,
			`tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":3}`:       s.ToolsChanged,
		} {
			change()
			if got := c.quiet(); len(got) != 1 || !strings.Contains(got[0], kind) {
				t.Errorf("told %s, want %s", got, kind)
			}
		}
		// After a cancel nothing more is told, whatever the catalog does.
		c.send(cancel(`"one"`))
		f.change("fake:a")
		f.change("fake:b")
		if got := c.quiet(); len(got) != 1 || got[0] != updatedNotice(`2`, "fake:b") {
			t.Errorf("after a cancel: %s", got)
		}
		if f.stopped != 2 {
			t.Errorf("%d were stopped, want 2", f.stopped)
		}
		if err := c.end(); err != nil || f.stopped != 3 {
			t.Errorf("at the end %d were stopped, want 3: %v", f.stopped, err)
		}
		f.change("fake:b")
	})
}

func TestS50_theAcknowledgementComesFirst(t *testing.T) {
	offering(t, nil, func(t *testing.T, s *Server, f *shelf) {
		c := connect(t, s)
		if got := c.send(listenTo(`1`, `"toolsListChanged":true,`+watching("fake:slow", "fake:a"))); len(got) != 0 {
			t.Fatalf("acknowledged at once: %s", got)
		}
		f.change("fake:a") // before it could be known: told once, afterwards
		f.change("fake:a")
		s.ToolsChanged()
		c.alive()
		close(f.settle)
		got := c.quiet()
		if len(got) != 2 || !strings.Contains(got[0], "acknowledged") || got[1] != updatedNotice(`1`, "fake:a") {
			t.Errorf("got %s", got)
		}
	})
	t.Run("what takes too long is told when it is there", func(t *testing.T) {
		offering(t, nil, func(t *testing.T, s *Server, f *shelf) {
			c := connect(t, s)
			c.send(listenTo(`1`, watching("fake:slow")))
			time.Sleep(settleTime)
			if got := c.quiet(); len(got) != 1 || !strings.Contains(got[0], `["fake:slow"]`) {
				t.Errorf("got %s", got)
			}
			close(f.settle)
			if got := c.quiet(); len(got) != 1 || got[0] != updatedNotice(`1`, "fake:slow") {
				t.Errorf("got %s", got)
			}
		})
	})
}

func TestS53_S54_anEndWhileItIsOpened(t *testing.T) {
	for _, end := range []string{"cancel", "close", "unsubscribe"} {
		t.Run(end, func(t *testing.T) {
			offering(t, nil, func(t *testing.T, s *Server, f *shelf) {
				c := connect(t, s)
				request := listenTo(`1`, watching("fake:slow", "fake:a"))
				if end == "unsubscribe" {
					c.send(initialize(mcp.V2025_11_25, `{}`), initialized)
					request = legacy(`1`, "resources/subscribe", `{"uri":"fake:slow"}`)
				}
				c.send(request)
				stopped := 2
				switch end {
				case "cancel":
					if got := c.send(cancel(`1`)); len(got) != 0 {
						t.Errorf("answered with %s", got)
					}
				case "unsubscribe":
					c.one(legacy(`2`, "resources/unsubscribe", `{"uri":"fake:slow"}`))
					close(f.settle)
					c.quiet()
					stopped = 1
				case "close":
					if err := c.end(); err != nil {
						t.Error(err)
					}
					got := c.quiet()
					if len(got) != 2 || strings.Contains(strings.Join(got, ""), "subscriptionId") {
						t.Errorf("got %s", got)
					}
				}
				synctest.Wait()
				if f.stopped != stopped {
					t.Errorf("%d were stopped, want %d", f.stopped, stopped)
				}
				f.change("fake:slow")
				if got := c.quiet(); len(got) != 0 {
					t.Errorf("told %s", got)
				}
			})
		})
	}
}

func TestLegacySubscriptions(t *testing.T) {
	for _, version := range mcp.Versions()[1:] {
		t.Run(version, func(t *testing.T) {
			offering(t, nil, func(t *testing.T, s *Server, f *shelf) {
				c := connect(t, s)
				c.send(initialize(version, `{}`), initialized)
				subscribe := func(id, uri string) string { return c.one(legacy(id, "resources/subscribe", `{"uri":"`+uri+`"}`)) }
				for range 2 { // the second changes nothing
					if got := subscribe(`1`, "fake:a"); got != `{"jsonrpc":"2.0","id":1,"result":{}}` {
						t.Errorf("got %s", got)
					}
				}
				expectError(t, subscribe(`1`, "other:x"), mcp.CodeLegacyResourceNotFound, "1")
				expectError(t, subscribe(`1`, "fake:refuse"), wire.CodeInvalidParams, "1")
				expectError(t, subscribe(`1`, "fake:panic"), wire.CodeInternal, "1")
				expectError(t, c.one(legacy(`1`, "resources/subscribe", `{}`)), wire.CodeInvalidParams, "1")
				f.change("fake:a")
				if got := c.quiet(); len(got) != 1 || got[0] != `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"fake:a"}}` {
					t.Errorf("told %s", got)
				}
				for _, uri := range []string{"fake:a", "fake:never"} {
					if got := c.one(legacy(`2`, "resources/unsubscribe", `{"uri":"`+uri+`"}`)); got != `{"jsonrpc":"2.0","id":2,"result":{}}` {
						t.Errorf("got %s", got)
					}
				}
				f.change("fake:a")
				if got := c.quiet(); len(got) != 0 || f.stopped != 1 {
					t.Errorf("after the end: %s, %d stopped", got, f.stopped)
				}
				subscribe(`3`, "fake:a")
				s.ResourcesChanged()
				s.PromptsChanged()
				if got := c.quiet(); len(got) != 2 {
					t.Errorf("lists: %s", got)
				}
				// A new session has no subscriptions.
				c.send(initialize(version, `{}`))
				f.change("fake:a")
				if got := c.quiet(); len(got) != 0 || f.stopped != 2 {
					t.Errorf("after initialize: %s, %d stopped", got, f.stopped)
				}
			})
		})
	}
}

func TestOneConnectionWatchesSoMuchOnly(t *testing.T) {
	offering(t, func(o *Options) { o.MaxWatched = 4 }, func(t *testing.T, s *Server, f *shelf) {
		c, other := connect(t, s), connect(t, s)
		c.send(initialize(mcp.V2025_11_25, `{}`), initialized)
		honoured := func(c *client, id string, uris ...string) string {
			got := c.one(listenTo(id, watching(uris...)))
			_, after, _ := strings.Cut(got, `"notifications":`)
			return strings.TrimSuffix(after, "}}")
		}
		if got := c.one(legacy(`1`, "resources/subscribe", `{"uri":"fake:1"}`)); strings.Contains(got, "error") {
			t.Error(got)
		}
		if got := honoured(c, `2`, "other:x", "fake:2", "fake:3", "fake:4", "fake:5"); got != `{"resourceSubscriptions":["fake:2","fake:3"]}` {
			t.Errorf("honoured %s", got)
		}
		if got := honoured(c, `3`, "fake:6", "fake:7"); got != `{"resourceSubscriptions":["fake:6"]}` {
			t.Errorf("honoured %s", got) // the place of what cannot be watched is free again
		}
		if got := honoured(c, `4`, "fake:8"); got != `{}` {
			t.Errorf("honoured %s", got)
		}
		expectError(t, c.one(legacy(`5`, "resources/subscribe", `{"uri":"fake:9"}`)), mcp.CodeBusy, "5")
		if got := honoured(other, `1`, "fake:1"); got != `{"resourceSubscriptions":["fake:1"]}` {
			t.Errorf("another connection: honoured %s", got)
		}
		c.send(cancel(`2`))
		if got := honoured(c, `6`, "fake:10", "fake:11", "fake:12"); got != `{"resourceSubscriptions":["fake:10","fake:11"]}` {
			t.Errorf("after a cancel: honoured %s", got)
		}
		for _, c := range []*client{c, other} {
			if err := c.end(); err != nil {
				t.Error(err)
			}
		}
		if opened := 1 + 2 + 1 + 1 + 2; f.stopped != opened {
			t.Errorf("%d were stopped, want %d", f.stopped, opened)
		}
	})
}

// A subscriber that stops reading keeps nobody waiting. When it reads again it is told once of what
// changed meanwhile.
func TestS13_aSubscriberThatStopsReading(t *testing.T) {
	offering(t, func(o *Options) { o.Queue = 4 }, func(t *testing.T, s *Server, f *shelf) {
		stuck, c := dial(t, s), connect(t, s)
		uris := []string{}
		for i := range 20 {
			uris = append(uris, fmt.Sprint("fake:", i))
		}
		if err := stuck.write(listenTo(`1`, watching(uris...))); err != nil {
			t.Fatal(err)
		}
		c.one(listenTo(`1`, watching("fake:1")))
		const rounds = 50
		for range rounds {
			for _, uri := range uris {
				f.change(uri)
			}
			if got := c.quiet(); len(got) != 1 {
				t.Fatalf("the other one was told %s", got)
			}
		}
		go stuck.read()
		got := stuck.quiet()
		told := map[string]int{}
		for _, line := range got[1:] {
			told[line]++
		}
		if len(told) != len(uris) || len(got) > 1+2*len(uris) {
			t.Errorf("told of %d resources in %d messages", len(told), len(got))
		}
		stuck.alive()
		f.change("fake:1")
		if got := stuck.quiet(); len(got) != 1 {
			t.Errorf("then told %s", got)
		}
	})
}
