package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/internal/hostile"
	"github.com/elyra-go/elyra/internal/wire"
)

// TestKilledUnderThreeAgents kills the app while three agents write. Each write is answered once: it ran, or it is said
// that nobody knows. What was said to have run is in the database, and nothing is there twice.
func TestKilledUnderThreeAgents(t *testing.T) {
	t.Parallel()
	const agents, writes = 3, 18 // together fewer than the app's limit a minute
	home := t.TempDir()
	app := startApp(t, home)
	var working []*hostile.Process
	for range agents {
		working = append(working, mcpProcess(t, home))
	}
	for _, p := range working {
		p.Alive()
	}
	item := func(agent, write int) string { return fmt.Sprintf("item %d of agent %d.", write, agent) }
	for a, p := range working {
		var lines []string
		for w := range writes {
			args := fmt.Sprintf(`{"input":{"customerId":%d,"item":%q,"quantity":1,"priceCents":1}}`, a+1, item(a, w))
			lines = append(lines, hostile.Call(fmt.Sprint(w), "orders_store", args))
		}
		p.Write(lines...)
	}
	first, ok := working[0].Next() // so that writes are in flight
	if !ok {
		t.Fatal("the first agent's stream ended")
	}
	if err := app.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}

	ran := make([]map[string]bool, agents) // by the request's id
	for a, p := range working {
		ran[a] = map[string]bool{}
		answer := func(m wire.Message) {
			id := string(m.ID)
			if _, twice := ran[a][id]; twice {
				t.Errorf("agent %d: request %s is answered twice", a, id)
			}
			switch {
			case m.Error != nil && strings.Contains(m.Error.Message, "not known whether this ran"):
				ran[a][id] = false
			case m.Error == nil && !strings.Contains(string(m.Result), "isError"):
				ran[a][id] = true
			default:
				t.Errorf("agent %d: request %s is answered with %s %v", a, id, m.Result, m.Error)
			}
		}
		left := writes
		if a == 0 {
			answer(first)
			left--
		}
		for range left {
			m, ok := p.Next()
			if !ok {
				t.Fatalf("agent %d: the stream ended with %d of %d answers", a, len(ran[a]), writes)
			}
			answer(m)
		}
	}

	unknown := 0
	for a, p := range working {
		p.Alive() // the same connection goes on, without the app
		m := p.Ask(`"list"`, hostile.Call(`"list"`, "orders_index", fmt.Sprintf(`{"query":{"customerId":%d,"perPage":100}}`, a+1)))
		for w := range writes {
			found := strings.Count(string(m.Result), `"item":"`+item(a, w)+`"`)
			said, answered := ran[a][fmt.Sprint(w)]
			if !said {
				unknown++
			}
			if !answered || found > 1 || said && found != 1 {
				t.Errorf("agent %d: %q is there %d times; answered %t, said to have run %t", a, item(a, w), found, answered, said)
			}
		}
	}
	t.Logf("of %d writes %d were in flight when the app was killed", agents*writes, unknown)

	again := startApp(t, home) // over what the killed one left behind
	fresh := mcpProcess(t, home)
	fresh.Ask(`1`, hostile.Call(`1`, "customers_show", `{"id":1}`))
	fresh.CloseInput()
	fresh.Exited()
	if log := again.quit(); !strings.Contains(log, "tool=customers_show") {
		t.Errorf("a new agent was not served by the app that was started again:\n%s", log)
	}
	for a, p := range working {
		p.CloseInput()
		if log := p.Exited(); !strings.Contains(log, "going on without a window") {
			t.Errorf("agent %d: the log does not say what happened:\n%s", a, log)
		}
	}
}

// TestQuitUnderThreeAgents closes the app in order while three agents write: all that the app took is answered by it, and
// what came later is refused or answered as after a quit.
func TestQuitUnderThreeAgents(t *testing.T) {
	t.Parallel()
	const agents, writes = 3, 18
	home := t.TempDir()
	app := startApp(t, home)
	var working []*hostile.Process
	for a := range agents {
		p := mcpProcess(t, home)
		p.Alive()
		var lines []string
		for w := range writes {
			args := fmt.Sprintf(`{"input":{"customerId":%d,"item":"item %d.","quantity":1,"priceCents":1}}`, a+1, w)
			lines = append(lines, hostile.Call(fmt.Sprint(w), "orders_store", args))
		}
		p.Write(lines...)
		working = append(working, p)
	}
	app.quit()
	for a, p := range working {
		ran := map[string]bool{}
		for range writes {
			m, ok := p.Next()
			if !ok {
				t.Fatalf("agent %d: the stream ended after %d answers", a, len(ran))
			}
			text := string(m.Result)
			if m.Error != nil {
				text = m.Error.Message
			}
			ran[string(m.ID)] = m.Error == nil && !strings.Contains(text, "isError")
			refused := slices.ContainsFunc([]string{"the user closed the app", "the server is going away", "not known whether this ran", "cancel"}, func(reason string) bool {
				return strings.Contains(text, reason)
			})
			if !ran[string(m.ID)] && !refused {
				t.Errorf("agent %d: request %s is answered with %s", a, m.ID, text)
			}
		}
		m := p.Ask(`"list"`, hostile.Call(`"list"`, "orders_index", fmt.Sprintf(`{"query":{"customerId":%d,"perPage":100}}`, a+1)))
		for w := range writes {
			if found := strings.Count(string(m.Result), fmt.Sprintf(`"item":"item %d."`, w)); found > 1 || ran[fmt.Sprint(w)] && found != 1 {
				t.Errorf("agent %d: item %d is there %d times, and was said to have run: %t", a, w, found, ran[fmt.Sprint(w)])
			}
		}
	}
}

// TestTwoStartsOfOneApp starts the app twice at once in an empty home, and then once more.
func TestTwoStartsOfOneApp(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	type outcome struct {
		code int
		said string
	}
	ended := make(chan outcome, 2)
	for range 2 {
		var said strings.Builder
		cmd := program(t, session(t, home), "--headless")
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cmd.Process.Kill() })
		go func() {
			cmd.Wait()
			ended <- outcome{cmd.ProcessState.ExitCode(), said.String()}
		}()
	}
	refused := func(o outcome) {
		t.Helper()
		if o.code != 5 || !strings.Contains(o.said, "another instance of the app is already listening") {
			t.Errorf("the second start ended with code %d:\n%s", o.code, o.said)
		}
	}
	select {
	case o := <-ended:
		refused(o)
	case <-time.After(30 * time.Second):
		t.Fatal("two instances run at once")
	}
	third := program(t, session(t, home), "--headless")
	said, _ := third.CombinedOutput()
	refused(outcome{third.ProcessState.ExitCode(), string(said)})
	agent := mcpProcess(t, home)
	if m := agent.Ask(`1`, hostile.Call(`1`, "customers_index", `{"query":{"perPage":1}}`)); !strings.Contains(string(m.Result), `"total":324`) {
		t.Errorf("after two first starts the list is %s", m.Result)
	}
}
