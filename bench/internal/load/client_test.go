package load

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// message is what the fake server reads of a request.
type message struct {
	ID     json.RawMessage
	Method string
	Params map[string]json.RawMessage
}

// fake answers each request with what answer returns after the id, until the client goes away, and
// sends what it read.
func fake(t *testing.T, answer func(message) string) (io.Reader, io.Writer, <-chan message) {
	t.Helper()
	requests, toServer := io.Pipe()
	answers, fromServer := io.Pipe()
	read := make(chan message, 1000)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		lines := bufio.NewScanner(requests)
		for lines.Scan() {
			var m message
			if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
				t.Errorf("the client sent %q: %v", lines.Text(), err)
			}
			read <- m
			if m.ID != nil {
				go fmt.Fprintf(fromServer, `{"jsonrpc":"2.0","id":%s,%s}`+"\n", m.ID, answer(m))
			}
		}
	}()
	t.Cleanup(func() {
		toServer.Close()
		answers.Close()
		<-ended
	})
	return answers, toServer, read
}

func fine(message) string { return `"result":{"structuredContent":{"bytes":5}}` }

func TestEachEraOpensItsWay(t *testing.T) {
	t.Parallel()
	for era, methods := range map[string][]string{
		Modern: {"tools/list", "tools/call"},
		Legacy: {"initialize", "notifications/initialized", "tools/list", "tools/call"},
	} {
		r, w, read := fake(t, fine)
		c, err := Open(r, w, era)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Bytes int }
		if _, err := c.Ask(List()); err != nil {
			t.Fatal(err)
		}
		if err := c.Structured("usage", "{}", &got); err != nil || got.Bytes != 5 {
			t.Errorf("%s: Structured gave %+v, %v", era, got, err)
		}
		for _, want := range methods {
			m := <-read
			if m.Method != want || (m.Params["_meta"] != nil) != (era == Modern) {
				t.Errorf("%s: the client sent %+v; want %s", era, m, want)
			}
		}
	}
}

func TestRunCountsEveryAnswer(t *testing.T) {
	t.Parallel()
	for _, inFlight := range []int{1, 16} {
		r, w, read := fake(t, fine)
		c, err := Open(r, w, Modern)
		if err != nil {
			t.Fatal(err)
		}
		calls, took, err := c.Run(Call("place", "{}"), inFlight, 0)
		if err != nil || calls != inFlight || took <= 0 {
			t.Errorf("Run with %d in flight and no time: %d calls in %v, %v", inFlight, calls, took, err)
		}
		if len(read) != calls {
			t.Errorf("the server read %d requests, the client counted %d", len(read), calls)
		}
	}
}

func TestAnErrorEndsTheMeasurement(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"protocol error": `"error":{"code":-32602,"message":"no"}`,
		"tool error":     `"result":{"content":[],"isError":true}`,
	} {
		r, w, _ := fake(t, func(message) string { return answer })
		c, err := Open(r, w, Modern)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Run(Call("place", "{}"), 4, time.Minute); err == nil || !strings.Contains(err.Error(), "the server answered") {
			t.Errorf("%s: Run gave %v, want the answer as an error", name, err)
		}
	}
}

func TestAnswersMayBeLong(t *testing.T) {
	t.Parallel()
	want := strings.Repeat("x", 300_000)
	r, w, _ := fake(t, func(message) string { return `"result":{"structuredContent":"` + want + `"}` })
	c, err := Open(r, w, Modern)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var got string
		if err := c.Structured("place", "{}", &got); err != nil || got != want {
			t.Errorf("got %d characters, %v; want %d", len(got), err, len(want))
		}
	}
}

func TestNotifiedPassesOverOthers(t *testing.T) {
	t.Parallel()
	const updated = "notifications/resources/updated"
	for lines, want := range map[string]string{
		`{"jsonrpc":"2.0","method":"notifications/message","params":{}}` + "\n" + `{"jsonrpc":"2.0","method":"` + updated + `","params":{}}` + "\n": "",
		`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n": "in place of a notification",
		"": "EOF",
	} {
		c, err := Open(strings.NewReader(lines), io.Discard, Modern)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Notified(updated); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("after %q: %v, want %q", lines, err, want)
		}
	}
}
