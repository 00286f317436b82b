package broker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/loop"
	"github.com/elyra-go/elyra/agent/internal/model"
)

// tool is a tool of a parent: what it does is a function.
type tool struct {
	name string
	do   func(ctx context.Context, args string, progress func(string)) (loop.Output, error)
}

// spec has what JSON could write in another way.
func (t tool) Spec() model.Tool {
	return model.Tool{Name: t.name, Description: "a <b> & \u2028", InputSchema: jsontext.Value("{ \"type\":\"object\",\n\"title\":\"\\u003ca\\/b\" }"), Deferred: t.name == "late"}
}
func (t tool) Concurrent(jsontext.Value) bool { return t.name == "wait" }
func (t tool) Run(ctx context.Context, c *model.Call, progress func(string)) (loop.Output, error) {
	return t.do(ctx, string(c.Arguments), progress)
}

func says(text string) (loop.Output, error) {
	return loop.Output{Content: []model.Block{model.Text(text)}}, nil
}

// join makes a parent with tools and a child, and ends both with the test. The child's tools are by name.
func join(t *testing.T, allow Gate, most int, tools ...loop.Tool) (map[string]loop.Tool, *Conn) {
	t.Helper()
	if allow == nil {
		allow = func(context.Context, loop.Tool, *model.Call) error { return nil }
	}
	toParent, fromChild := io.Pipe()
	toChild, fromParent := io.Pipe()
	parent := New(toParent, fromParent, ConnOptions{Serve: NewDesk(tools, allow, most).Serve, AtOnce: 2})
	child := New(toChild, fromChild, ConnOptions{})
	ran := make(chan error, 2)
	for _, c := range []*Conn{parent, child} {
		go func() { ran <- c.Run() }()
	}
	t.Cleanup(func() {
		fromChild.Close()
		fromParent.Close()
		for range 2 {
			if err := <-ran; err != nil {
				t.Error(err)
			}
		}
	})
	byName := map[string]loop.Tool{}
	for _, tool := range Tools(child, Offers(tools)) {
		byName[tool.Spec().Name] = tool
	}
	return byName, child
}

func call(ctx context.Context, t loop.Tool, args string) (string, error) {
	out, err := t.Run(ctx, &model.Call{Name: t.Spec().Name, Arguments: jsontext.Value(args)}, func(string) {})
	return model.Message{Content: out.Content}.String(), err
}

// The child's model is told the same bytes as the parent's.
func TestAnOfferIsTheSameBytes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"wait", "late"} {
		original := tool{name: name}
		tools, _ := join(t, nil, 0, original)
		got, want := tools[name].Spec(), original.Spec()
		if got.Name != want.Name || got.Description != want.Description || got.Deferred != want.Deferred || !bytes.Equal(got.InputSchema, want.InputSchema) {
			t.Errorf("%+v, want %+v", got, want)
		}
		if tools[name].Concurrent(nil) != original.Concurrent(nil) {
			t.Errorf("%s runs beside others otherwise than in the parent", name)
		}
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	picture := &model.Image{MIMEType: "image/png", Data: []byte{0, 1, 255}}
	tools, _ := join(t, func(_ context.Context, _ loop.Tool, c *model.Call) error {
		switch string(c.Arguments) {
		case `{"deny":1}`:
			return errors.New("the user does not allow this")
		case `{"rewrite":1}`:
			c.Arguments = jsontext.Value(`{"safe":1}`)
		}
		return nil
	}, 0, tool{"echo", func(_ context.Context, args string, _ func(string)) (loop.Output, error) { return says(args) }},
		tool{"panics", func(context.Context, string, func(string)) (loop.Output, error) { panic("oh") }},
		tool{"fails", func(context.Context, string, func(string)) (loop.Output, error) {
			return loop.Output{}, errors.New("no disk")
		}},
		tool{"draws", func(context.Context, string, func(string)) (loop.Output, error) {
			return loop.Output{Content: []model.Block{{Image: picture}}, IsError: true}, nil
		}})
	for _, tt := range []struct{ tool, args, want, err string }{
		{"echo", "{\"a\":\n1e400}", `{"a":1e400}`, ""},
		{"echo", `{"deny":1}`, "", "the user does not allow this"},
		{"echo", `{"rewrite":1}`, `{"safe":1}`, ""},
		{"echo", `[]`, "", "no JSON object"},
		{"panics", `{}`, "", "it failed: oh"},
		{"fails", `{}`, "", "no disk"},
	} {
		got, err := call(t.Context(), tools[tt.tool], tt.args)
		if got != tt.want || tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s %s: %q, %v", tt.tool, tt.args, got, err)
		}
	}
	out, err := tools["draws"].Run(t.Context(), &model.Call{Arguments: jsontext.Value(`{}`)}, nil)
	if err != nil || !out.IsError || len(out.Content) != 1 || !bytes.Equal(out.Content[0].Image.Data, picture.Data) {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestBoundsOfCalls(t *testing.T) {
	t.Parallel()
	begun := make(chan bool, 10)
	wait := tool{"wait", func(ctx context.Context, _ string, progress func(string)) (loop.Output, error) {
		progress("begun")
		begun <- true
		<-ctx.Done()
		begun <- false
		return loop.Output{}, ctx.Err()
	}}
	tools, _ := join(t, nil, 3, wait)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	for range 2 {
		go func() {
			_, err := call(ctx, tools["wait"], `{}`)
			ended <- err
		}()
		<-begun
	}
	if _, err := call(t.Context(), tools["wait"], `{}`); err == nil || !strings.Contains(err.Error(), "more than 2 calls") {
		t.Errorf("a third call: %v", err)
	}
	cancel()
	for range 2 {
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled call: %v", err)
		}
		if <-begun {
			t.Error("the parent's call goes on")
		}
	}
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := call(ctx, tools["wait"], `{}`)
		cancel()
		if err != nil && strings.Contains(err.Error(), "has made 3 calls") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("no bound of calls: %v", err)
		}
	}
}

// What ends a connection ends the requests of both sides, and later ones are not sent.
func TestTheEndOfAConnection(t *testing.T) {
	t.Parallel()
	in, other := io.Pipe()
	c := New(in, io.Discard, ConnOptions{MaxLine: 1000})
	ran := make(chan error, 1)
	go func() { ran <- c.Run() }()
	asked := make(chan error, 1)
	go func() { asked <- c.Request(context.Background(), "x", struct{}{}, nil, nil) }()
	fmt.Fprintln(other, strings.Repeat("x", 2000))
	if err := <-ran; err == nil || !strings.Contains(err.Error(), "longer than 1000 bytes") {
		t.Error(err)
	}
	if err := <-asked; !errors.Is(err, ErrEnded) {
		t.Error(err)
	}
	if err := c.Request(context.Background(), "x", struct{}{}, nil, nil); !errors.Is(err, ErrEnded) {
		t.Error(err)
	}
}

// A side that asks and does not read costs a bounded number of answers.
func TestAnswersThatAreNotRead(t *testing.T) {
	t.Parallel()
	in, other := io.Pipe()
	_, out := io.Pipe() // nobody reads
	var begun atomic.Int64
	c := New(in, out, ConnOptions{AtOnce: 2, Serve: func(context.Context, string, jsontext.Value, func(string)) (any, error) {
		begun.Add(1)
		return nil, errors.New("no")
	}})
	go func() {
		for n := 0; ; n++ {
			if _, err := fmt.Fprintf(other, `{"jsonrpc":"2.0","id":%d,"method":"x"}`+"\n", n); err != nil {
				return
			}
		}
	}()
	if err := c.Run(); err == nil || !strings.Contains(err.Error(), "does not read its answers") {
		t.Error(err)
	}
	in.Close()
	if n := begun.Load(); n == 0 || n > 300 { // those whose answers are queued, and one for each worker
		t.Errorf("%d requests were served", n)
	}
}

// An end that serves nothing says so, however often it is asked.
func TestNothingIsServed(t *testing.T) {
	t.Parallel()
	toOne, fromOther := io.Pipe()
	toOther, fromOne := io.Pipe()
	one, other := New(toOne, fromOne, ConnOptions{AtOnce: 1}), New(toOther, fromOther, ConnOptions{})
	var ends sync.WaitGroup
	for _, c := range []*Conn{one, other} {
		ends.Go(func() { c.Run() }) //nolint:errcheck // The pipes are closed under it.
	}
	for range 3 {
		if err := other.Request(t.Context(), "x", struct{}{}, nil, nil); err == nil || err.Error() != "nothing is served here" {
			t.Error(err)
		}
	}
	fromOne.Close()
	fromOther.Close()
	ends.Wait()
}

// Whatever a child writes, the parent's end returns, and only calls that are whole run.
func FuzzChild(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"call","params":{"name":"echo","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"call","params":{"name":"echo","arguments":{},"more":1}}` + "\n" + `{"jsonrpc":"2.0","method":"cancel","params":{"id":1}}`,
		`{"jsonrpc":"2.0","id":"a","result":{}}`,
		`{"jsonrpc":"2.0","method":"progress","params":{"id":1,"text":"x"}}`,
		"\n\n{", "null", "[1]",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		echo := tool{"echo", func(_ context.Context, args string, _ func(string)) (loop.Output, error) {
			if jsontext.Value(args).Kind() != '{' {
				t.Errorf("called with %q", args)
			}
			return says("x")
		}}
		desk := NewDesk([]loop.Tool{echo}, func(context.Context, loop.Tool, *model.Call) error { return nil }, 0)
		c := New(bytes.NewReader(input), io.Discard, ConnOptions{Serve: desk.Serve})
		c.Run() //nolint:errcheck // Most of it is nonsense.
	})
}
