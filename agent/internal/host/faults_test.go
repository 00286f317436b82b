package host

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/config"
	"github.com/elyra-go/elyra/internal/mcp"
)

func TestAChangeOfToolsIsFetchedAndKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "good"))
	if found, err := f.Search(t.Context(), "echo", SearchOptions{}); err != nil || found.Total != 10 {
		t.Fatalf("found %+v, %v", found, err)
	}
	if _, err := f.call("a", "grow", `{}`); err != nil {
		t.Fatal(err)
	}
	f.until("the new tool is found", func() bool {
		found, err := f.Search(t.Context(), "echo", SearchOptions{})
		return err == nil && found.Total == 11
	})
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	f.open(nil, f.program("a", "good"))
	if found, err := f.Search(t.Context(), "echo", SearchOptions{}); err != nil || found.Total != 11 || len(f.started("a")) != 1 {
		t.Errorf("the cache was not updated: %d tools, %v", found.Total, err)
	}
}

func TestC31_WhatIsSubscribedIsComparedAndSubscribedAgain(t *testing.T) {
	t.Parallel()
	asked := mcp.SubscriptionFilter{ToolsListChanged: true, PromptsListChanged: true}
	if got := unheard(asked, mcp.SubscriptionFilter{PromptsListChanged: true, ResourcesListChanged: true}); len(got) != 1 || got[0] != "tools" {
		t.Errorf("unheard %v", got)
	}
	if got := unheard(asked, asked); len(got) != 0 {
		t.Errorf("unheard %v", got)
	}
	f := newFixture(t)
	f.open(nil, f.program("a", "good"))
	if _, err := f.call("a", "crash", `{}`); err == nil {
		t.Fatal("the server did not end")
	}
	if _, err := f.call("a", "grow", `{}`); err != nil {
		t.Fatal(err)
	}
	f.until("the change after the second start is heard", func() bool {
		l, err := f.Listing(t.Context(), "a")
		return err == nil && len(l.Tools) == 11
	})
}

// until waits for a condition.
func (f *fixture) until(what string, condition func() bool) {
	f.t.Helper()
	for end := time.Now().Add(10 * time.Second); !condition(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("not in time: %s", what)
		}
	}
}

// A server that announces a change whenever its tools were listed is listed at most once a second.
func TestAStormOfChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "good", "storm"))
	if _, err := f.Listing(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	first := f.fetchedAt("a")
	time.Sleep(1500 * time.Millisecond)
	if got, err := f.call("a", "echo", `{"text":"calm"}`); err != nil || got != "calm" {
		t.Errorf("got %q, %v", got, err)
	}
	if took := f.fetchedAt("a").Sub(first); took <= 0 || took > 1500*time.Millisecond {
		t.Errorf("fetched again after %v", took)
	}
	lists, err := f.call("a", "listed", `{}`)
	if err != nil {
		t.Fatal(err)
	}
	if lists != "2" && lists != "3" {
		t.Errorf("listed %s times in a second and a half", lists)
	}
}

func (f *fixture) fetchedAt(server string) time.Time {
	f.t.Helper()
	l, err := f.Listing(f.t.Context(), server)
	if err != nil {
		f.t.Fatal(err)
	}
	return l.Fetched
}

func TestAReloadKeepsWhatDidNotChange(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	kept, changed, gone := f.program("kept", "good"), f.program("changed", "good"), f.program("gone", "good")
	f.open(nil, changed, gone, kept)
	for _, name := range []string{"kept", "changed", "gone"} {
		if _, err := f.call(name, "pid", `{}`); err != nil {
			t.Fatal(err)
		}
	}
	// A call that is under way in the server that stays.
	ctx, cancel := context.WithCancel(t.Context())
	waiting, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		once := false
		_, err := f.Call(ctx, "kept", "wait", jsontext.Value(`{}`), CallOptions{Progress: func(float64, float64, string) {
			if !once {
				once = true
				close(waiting)
			}
		}})
		ended <- err
	}()
	<-waiting
	kept.Timeout = 20 * time.Second
	changed.Args = append(changed.Args, "tools=1")
	fresh := f.program("new", "good")
	plan := f.Reload([]config.Server{changed, kept, fresh})
	if len(plan.Keep) != 1 || len(plan.Restart) != 1 || len(plan.Stop) != 1 || len(plan.Start) != 1 {
		t.Errorf("the plan %+v", plan)
	}
	for name, starts := range map[string]int{"kept": 1, "changed": 2, "new": 1} {
		if _, err := f.call(name, "pid", `{}`); err != nil || len(f.started(name)) != starts {
			t.Errorf("%s: %v, started %d times", name, err, len(f.started(name)))
		}
	}
	if _, err := f.call("gone", "pid", `{}`); err == nil {
		t.Error("a server that is gone answers")
	}
	f.until("the processes of what changed are gone", func() bool {
		return !alive(f.started("gone")[0]) && !alive(f.started("changed")[0])
	})
	select {
	case err := <-ended:
		t.Errorf("the call in the server that stays ended: %v", err)
	default:
	}
	cancel()
	<-ended
}

func TestCloseEndsStubbornServersAndTheirChildren(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(nil, f.program("a", "stubborn"), f.program("b", "good"), f.program("c", "spinning"))
	for _, name := range []string{"a", "b", "c"} {
		if _, err := f.call(name, "pid", `{}`); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 8*time.Second {
		t.Errorf("closing took %v", took)
	}
	for _, name := range []string{"a", "b", "c"} {
		// The system reaps an orphan when it comes to it.
		f.until("the group of server "+name+" is gone", func() bool { return !alive(f.started(name)[0]) })
	}
}

func TestAServerThatNeverAnswersEndsWithItsStartTime(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.open(func(o *Options) { o.StartTime = 300 * time.Millisecond }, f.program("a", "hang"))
	_, err := f.call("a", "echo", `{}`)
	if err == nil || !strings.Contains(err.Error(), "it did not answer within 300ms") {
		t.Errorf("error %v", err)
	}
	f.until("its process is gone", func() bool { return !alive(f.started("a")[0]) })
}
