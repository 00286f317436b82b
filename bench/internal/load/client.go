// Package load drives an MCP server with requests and measures how it keeps up. It writes lines and
// reads lines: it is no client for anything else, and so light that the server is what is measured.
//
// It promises that both servers of a comparison get the same bytes in the same way, and that an answer
// which is no success ends the measurement. It must import neither server's code.
package load

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
)

// The two eras of the protocol, each by the revision that stands for it.
const (
	Modern = "2026-07-28"
	Legacy = "2025-11-25"
)

// Client is one connection to a server. It is not safe for concurrent use.
type Client struct {
	w      io.Writer
	r      *bufio.Reader
	meta   string // what a request of the era says about itself
	lastID int64
	buffer []byte // requests to be sent together
	long   []byte // an answer that does not fit the reader, such as a list of many tools
}

// Open returns a client that speaks the era. A legacy one has introduced itself.
func Open(r io.Reader, w io.Writer, era string) (*Client, error) {
	c := &Client{w: w, r: bufio.NewReaderSize(r, 64<<10)}
	if era == Modern {
		c.meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"` + era + `",` +
			`"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
		return c, nil
	}
	_, err := c.ask("initialize", `"protocolVersion":"`+era+`","capabilities":{},"clientInfo":{"name":"bench","version":"1"}`)
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(w, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return c, err
}

// Request is what is asked again and again.
type Request struct {
	Method string
	Params string // the members of the params, without braces
}

// Call is the request that calls a tool with arguments.
func Call(tool, arguments string) Request {
	return Request{"tools/call", `"name":"` + tool + `","arguments":` + arguments}
}

// Watch is the request of the legacy era that subscribes to a resource.
func Watch(uri string) Request { return Request{"resources/subscribe", `"uri":"` + uri + `"`} }

// List is the request for all tools.
func List() Request { return Request{"tools/list", ``} }

// append appends the request's line under the next id.
func (c *Client) append(dst []byte, r Request) []byte {
	c.lastID++
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = strconv.AppendInt(dst, c.lastID, 10)
	dst = append(append(append(dst, `,"method":"`...), r.Method...), `","params":{`...)
	dst = append(dst, r.Params...)
	meta := c.meta
	if r.Params == "" && meta != "" {
		meta = meta[1:]
	}
	return append(append(dst, meta...), "}}\n"...)
}

// Notified waits for a notification of a method. Others are passed over.
func (c *Client) Notified(method string) error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		if bytes.Contains(line, []byte(`"id":`)) {
			return fmt.Errorf("the server sent, in place of a notification: %.500s", line)
		}
		if bytes.Contains(line, []byte(`"method":"`+method+`"`)) {
			return nil
		}
	}
}

// answer reads the next answer, valid until the following one.
func (c *Client) answer() ([]byte, error) {
	line, err := c.line()
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(line, []byte(`"result":`)) || bytes.Contains(line, []byte(`"isError":true`)) {
		return nil, fmt.Errorf("the server answered: %.500s", line)
	}
	return line, nil
}

// line reads the next line, valid until the following one.
func (c *Client) line() ([]byte, error) {
	line, err := c.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		c.long = c.long[:0]
		for errors.Is(err, bufio.ErrBufferFull) {
			c.long = append(c.long, line...)
			line, err = c.r.ReadSlice('\n')
		}
		c.long = append(c.long, line...)
		line = c.long
	}
	if err != nil {
		return nil, fmt.Errorf("read a line: %w", err)
	}
	return line, nil
}

func (c *Client) ask(method, params string) ([]byte, error) {
	if _, err := c.w.Write(c.append(nil, Request{method, params})); err != nil {
		return nil, fmt.Errorf("send %s: %w", method, err)
	}
	return c.answer()
}

// Ask sends one request and returns the result of its answer.
func (c *Client) Ask(r Request) (json.RawMessage, error) {
	line, err := c.ask(r.Method, r.Params)
	if err != nil {
		return nil, err
	}
	var message struct{ Result json.RawMessage }
	if err := json.Unmarshal(line, &message); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Method, err)
	}
	return message.Result, nil
}

// Structured calls a tool and decodes its structured result.
func (c *Client) Structured(tool, arguments string, dst any) error {
	raw, err := c.Ask(Call(tool, arguments))
	if err != nil {
		return err
	}
	var result struct{ StructuredContent json.RawMessage }
	if err := json.Unmarshal(raw, &result); err != nil {
		return fmt.Errorf("call %s: %w", tool, err)
	}
	if err := json.Unmarshal(result.StructuredContent, dst); err != nil {
		return fmt.Errorf("call %s: %w", tool, err)
	}
	return nil
}

// Run keeps inFlight requests waiting for their answers for as long as d, and returns how many were
// answered and how long that took.
func (c *Client) Run(r Request, inFlight int, d time.Duration) (calls int, took time.Duration, err error) {
	began := time.Now()
	calls, err = c.keep(r, inFlight, func(int) bool { return time.Since(began) < d })
	return calls, time.Since(began), err
}

// Repeat is Run for n requests, or inFlight when that is more.
func (c *Client) Repeat(r Request, inFlight, n int) error {
	_, err := c.keep(r, inFlight, func(sent int) bool { return sent < n })
	return err
}

// keep sends inFlight requests and another one for each answer while more says so. Requests that can be
// sent together leave in one write, as those of a client that has several things to do.
func (c *Client) keep(r Request, inFlight int, more func(sent int) bool) (calls int, err error) {
	sent := 0
	c.buffer = c.buffer[:0]
	for ; sent < inFlight; sent++ {
		c.buffer = c.append(c.buffer, r)
	}
	for calls < sent {
		if len(c.buffer) > 0 && c.r.Buffered() == 0 {
			if _, err := c.w.Write(c.buffer); err != nil {
				return calls, fmt.Errorf("send %s: %w", r.Method, err)
			}
			c.buffer = c.buffer[:0]
		}
		if _, err := c.answer(); err != nil {
			return calls, err
		}
		calls++
		if more(sent) {
			c.buffer = c.append(c.buffer, r)
			sent++
		}
	}
	return calls, nil
}
