package backendtest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/elyra-go/elyra/window"
	"github.com/elyra-go/elyra/window/headless"
)

// Page carries out the suite's orders for a backend whose pages are written in Go, as driver.js does in a web view.
func Page(ctx context.Context, p *headless.Page) {
	var background work
	defer background.Wait()
	for ctx.Err() == nil {
		next, err := p.Do(headless.Fetch{Method: "POST", URL: "/next"})
		if err != nil || next.Status != 200 {
			return
		}
		var o order
		if err := json.NewDecoder(next.Body).Decode(&o); err != nil {
			return
		}
		r, err := perform(p, o, &background)
		if err != nil {
			r.Error = err.Error()
		}
		report, _ := json.Marshal(r)
		send(p, "/result", report)
		if o.Op == "close" {
			p.Close()
		}
	}
}

func send(p *headless.Page, path string, body []byte) {
	header := map[string]string{window.BodyHeader: window.BodyBytes}
	_, _ = p.Do(headless.Fetch{Method: "POST", URL: path, Header: header, Body: body})
}

func perform(p *headless.Page, o order, background *work) (result, error) {
	f := headless.Fetch{Method: o.Method, URL: o.URL, Header: o.Header, Body: o.Body}
	switch o.Op {
	case "word":
		_, word, _ := strings.Cut(p.Script, `"`)
		return result{Text: strings.TrimSuffix(word, `";`)}, nil
	case "fetch":
		if o.Size > 0 {
			f.Body = bytes.Repeat([]byte{7}, o.Size)
		}
		return finish(p.Do(f))
	case "blob", "form":
		// Go has bytes only, which is what a backend makes of the others.
		f.Method = "POST"
		return finish(p.Do(f))
	case "foreign":
		f = headless.Fetch{Method: "POST", URL: o.URL, Header: map[string]string{"Origin": "null"}}
		r, err := finish(p.Do(f))
		r.Text = "undefined"
		return r, err
	case "stream":
		response, err := p.Do(headless.Fetch{Method: "POST", URL: o.URL})
		if err != nil {
			return result{}, err
		}
		background.streams = append(background.streams, response.Body)
		background.Go(func() { follow(p, response.Body) })
	case "ignore":
		_, err := p.Do(headless.Fetch{Method: "POST", URL: o.URL})
		return result{}, err
	case "begin":
		background.Go(func() { _, _ = finish(p.Do(headless.Fetch{Method: "POST", URL: o.URL})) })
	case "flood":
		return flood(p, o)
	case "reload":
		for _, stream := range background.streams {
			stream.Close()
		}
		background.streams = nil
	}
	return result{}, nil
}

// work is what a page does beside its orders. It ends with the window at the latest.
type work struct {
	sync.WaitGroup
	streams []io.Closer // that the page reads
}

func flood(p *headless.Page, o order) (result, error) {
	var all sync.WaitGroup
	var answered atomic.Int64
	for range o.Size {
		all.Go(func() {
			if r, err := finish(p.Do(headless.Fetch{Method: "POST", URL: o.URL})); err == nil && r.Status == 203 {
				answered.Add(1)
			}
		})
	}
	all.Wait()
	return result{Text: strconv.FormatInt(answered.Load(), 10)}, nil
}

// follow reports what a stream brings. It ends with the stream, at the latest when the window closes.
func follow(p *headless.Page, body io.ReadCloser) {
	defer body.Close()
	chunk := make([]byte, 1024)
	for {
		n, err := body.Read(chunk)
		if err != nil {
			send(p, "/chunk", []byte("the end"))
			return
		}
		send(p, "/chunk", chunk[:n])
	}
}

func finish(response *headless.Response, err error) (result, error) {
	if err != nil {
		return result{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	r := result{Status: response.Status, Header: map[string]string{}, Body: body[:min(len(body), 4096)]}
	for name, value := range response.Header {
		r.Header[strings.ToLower(name)] = value
	}
	r.Text = strconv.Itoa(len(body))
	return r, err
}
