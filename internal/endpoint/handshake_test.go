package endpoint

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func newHandshake(token byte, appID string) *handshake {
	return &handshake{
		token: bytes.Repeat([]byte{token}, tokenSize), appID: appID,
		self: Peer{"1.0", "b"}, rand: rand.Reader,
	}
}

func lineOf(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	if err := writeLine(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func always() bool { return true }

// TestServerRefuses tries what a stranger may say to the server. The stranger sees the challenge and makes
// its answer of it.
func TestServerRefuses(t *testing.T) {
	t.Parallel()
	nonce := bytes.Repeat([]byte{7}, nonceSize)
	hello := lineOf(t, helloLine{Elyra: handshakeVersion, Nonce: nonce})
	prove := func(h *handshake, step string) func(challengeLine) string {
		return func(c challengeLine) string {
			h.nonceC, h.nonceS = nonce, c.Nonce
			return lineOf(t, answerLine{Proof: h.mac(step, "1.0", "b"), Version: "1.0", Build: "b"})
		}
	}
	cases := []struct {
		name   string
		hello  string
		answer func(challengeLine) string // nil: the server must have refused the hello
		want   string
	}{
		{"wrong token", hello, prove(newHandshake(2, "app"), "client"), "could not prove"},
		{"another app", hello, prove(newHandshake(1, "other"), "client"), "could not prove"},
		{"proof of another step", hello, prove(newHandshake(1, "app"), "server"), "could not prove"},
		{"the server's own proof sent back", hello, func(c challengeLine) string {
			return lineOf(t, answerLine{Proof: c.Proof})
		}, "could not prove"},
		{"changed build", hello, func(c challengeLine) string {
			line := prove(newHandshake(1, "app"), "client")(c)
			return strings.Replace(line, `"build":"b"`, `"build":"c"`, 1)
		}, "could not prove"},
		{"no proof", hello, func(challengeLine) string { return "{}\n" }, "could not prove"},
		{"wrong version", lineOf(t, helloLine{Elyra: 2, Nonce: nonce}), nil, "version 2"},
		{"short nonce", lineOf(t, helloLine{Elyra: 1, Nonce: nonce[:8]}), nil, "no usable nonce"},
		{"no JSON", "GET / HTTP/1.1\r\n", nil, "malformed"},
		{"MCP without a handshake", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n", nil, "version 0"},
		{"oversize", strings.Repeat("x", 1<<20), nil, "longer than"},
		{"oversize answer", hello, func(challengeLine) string { return strings.Repeat(" ", 1<<16) }, "longer than"},
		{"closed at once", "", nil, "closed the connection"},
		{"closed within a line", hello[:20], nil, "closed the connection"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server, client := net.Pipe()
			defer server.Close()
			go func() {
				defer client.Close()
				io.WriteString(client, c.hello)
				var challenge challengeLine
				if c.answer != nil && readLine(bufio.NewReaderSize(client, maxHandshakeLine), &challenge) == nil {
					io.WriteString(client, c.answer(challenge))
				}
			}()
			_, err := newHandshake(1, "app").server(bufio.NewReaderSize(server, maxHandshakeLine), server, always)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

// TestClientRefuses tries what a program squatting on the address may say.
func TestClientRefuses(t *testing.T) {
	t.Parallel()
	nonce := bytes.Repeat([]byte{7}, nonceSize)
	challenge := func(h *handshake, step string) func(helloLine) string {
		return func(hello helloLine) string {
			h.nonceC, h.nonceS = hello.Nonce, nonce
			return lineOf(t, challengeLine{Elyra: 1, Nonce: nonce, Proof: h.mac(step)})
		}
	}
	cases := []struct {
		name   string
		answer func(helloLine) string
		want   string
	}{
		{"wrong token", challenge(newHandshake(2, "app"), "server"), "could not prove"},
		{"another app", challenge(newHandshake(1, "other"), "server"), "could not prove"},
		{"another step", challenge(newHandshake(1, "app"), "client"), "could not prove"},
		{"hello sent back", func(h helloLine) string { return lineOf(t, h) }, "could not prove"},
		{"older version", func(helloLine) string { return `{"elyra":0}` + "\n" }, "version 0"},
		{"welcome at once", func(helloLine) string { return `{"version":"1","build":"b"}` + "\n" }, "version 0"},
		{"an error page", func(helloLine) string { return "HTTP/1.1 400 Bad Request\r\n\r\n" }, "malformed"},
		{"oversize", func(helloLine) string { return strings.Repeat("x", 1<<16) }, "longer than"},
		{"closed", func(helloLine) string { return "" }, "closed the connection"},
		{"unproved welcome", func(h helloLine) string {
			return challenge(newHandshake(1, "app"), "server")(h) + `{"version":"1","build":"b"}` + "\n"
		}, "could not prove"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server, client := net.Pipe()
			defer client.Close()
			go func() {
				r := bufio.NewReaderSize(server, maxHandshakeLine)
				var hello helloLine
				if readLine(r, &hello) != nil {
					return
				}
				io.WriteString(server, c.answer(hello))
				if c.want == "closed the connection" {
					server.Close()
				}
				io.Copy(io.Discard, r)
			}()
			_, err := newHandshake(1, "app").client(bufio.NewReaderSize(client, maxHandshakeLine), client)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

// TestReplay repeats each side's half of a good handshake to the other.
func TestReplay(t *testing.T) {
	t.Parallel()
	var fromClient, fromServer bytes.Buffer
	server, client := net.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := newHandshake(1, "app").server(bufio.NewReaderSize(server, maxHandshakeLine), io.MultiWriter(server, &fromServer), always)
		done <- err
	}()
	_, err := newHandshake(1, "app").client(bufio.NewReaderSize(client, maxHandshakeLine), io.MultiWriter(client, &fromClient))
	if err := errors.Join(err, <-done); err != nil {
		t.Fatalf("the good handshake: %v", err)
	}
	r := bufio.NewReaderSize(&fromClient, maxHandshakeLine)
	if _, err := newHandshake(1, "app").server(r, io.Discard, always); !errors.Is(err, errUnproved) {
		t.Errorf("the server, hearing an old client: %v", err)
	}
	r = bufio.NewReaderSize(&fromServer, maxHandshakeLine)
	if _, err := newHandshake(1, "app").client(r, io.Discard); !errors.Is(err, errUnproved) {
		t.Errorf("the client, hearing an old server: %v", err)
	}
}

// TestHalfOpen connects and then says too little for two seconds.
func TestHalfOpen(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{"nothing": "", "half a line": `{"elyra":1,`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server, client := net.Pipe()
				o, err := Options{AppID: "app", Paths: Paths{ConfigDir: t.TempDir()}}.prepare()
				if err != nil {
					t.Fatal(err)
				}
				o.Log = slog.New(slog.DiscardHandler)
				l := &Listener{o: o, bound: bound{token: make([]byte, tokenSize)}, conns: map[net.Conn]bool{}}
				go io.WriteString(client, said)
				start := time.Now()
				_, _, err = l.prove(server)
				if err == nil || time.Since(start) != handshakeTime {
					t.Errorf("after %v: %v, want a timeout after %v", time.Since(start), err, handshakeTime)
				}
				client.Close()
				server.Close()
			})
		})
	}
}

func TestNothingIsReadBeyondTheLimitBeforeTheProof(t *testing.T) {
	t.Parallel()
	endless := &countingReader{line: []byte(strings.Repeat("a", 999))}
	_, err := newHandshake(1, "app").server(bufio.NewReaderSize(endless, maxHandshakeLine), io.Discard, always)
	if err == nil || endless.n > 4096 {
		t.Errorf("read %d bytes, error %v", endless.n, err)
	}
}

// countingReader repeats a line without end.
type countingReader struct {
	line []byte
	n    int
}

func (r *countingReader) Read(p []byte) (int, error) {
	n := copy(p, r.line)
	r.n += n
	return n, nil
}

func FuzzServerHandshake(f *testing.F) {
	nonce := bytes.Repeat([]byte{7}, nonceSize)
	var good bytes.Buffer
	writeLine(&good, helloLine{Elyra: 1, Nonce: nonce})
	writeLine(&good, answerLine{Proof: nonce, Version: "1", Build: "b"})
	f.Add(good.Bytes())
	f.Add([]byte("{}\n{}\n"))
	f.Add([]byte(`{"elyra":1,"nonce":"\u0041"}` + "\n[]\n"))
	f.Add([]byte(strings.Repeat("[", 4000)))
	f.Fuzz(func(t *testing.T, said []byte) {
		r := bufio.NewReaderSize(bytes.NewReader(said), maxHandshakeLine)
		if _, err := newHandshake(1, "app").server(r, io.Discard, always); err == nil {
			t.Errorf("somebody without the token was let in by %q", said)
		}
	})
}

func FuzzClientHandshake(f *testing.F) {
	f.Add([]byte(`{"elyra":1,"nonce":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=","proof":"BwcH"}` + "\n"))
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"elyra":1,"elyra":1}` + "\n"))
	f.Fuzz(func(t *testing.T, said []byte) {
		var sent bytes.Buffer
		r := bufio.NewReaderSize(bytes.NewReader(said), maxHandshakeLine)
		if _, err := newHandshake(1, "app").client(r, &sent); err == nil {
			t.Errorf("a server without the token was believed: %q", said)
		}
		if lines := bytes.Count(sent.Bytes(), []byte("\n")); lines != 1 {
			t.Errorf("the client said %d lines to a stranger, want its hello alone", lines)
		}
	})
}

func BenchmarkHandshake(b *testing.B) {
	for b.Loop() {
		server, client := net.Pipe()
		done := make(chan error, 1)
		go func() {
			_, err := newHandshake(1, "app").server(bufio.NewReaderSize(server, maxHandshakeLine), server, always)
			done <- err
		}()
		_, err := newHandshake(1, "app").client(bufio.NewReaderSize(client, maxHandshakeLine), client)
		if err := errors.Join(err, <-done); err != nil {
			b.Fatal(fmt.Errorf("handshake: %w", err))
		}
	}
}
