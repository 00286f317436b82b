package tools

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/zone"
)

//go:embed fetch.md
var fetchPrompt string

const fetchSchema = `{"type":"object","additionalProperties":false,"required":["url"],"properties":{
"url":{"type":"string","description":"The address, https://…"}}}`

// Bounds of what a call gets.
const (
	maxURL       = 4 << 10
	maxFetched   = 10 << 20
	maxRedirects = 10
	fetchTime    = 30 * time.Second
)

// Destination is where a call goes.
type Destination struct {
	Host string // small letters, no port
	URL  string // all of it, in visible ASCII
}

// Reacher is a tool that speaks to another machine.
type Reacher interface {
	// Reach says where a call would go. The error is what Run would fail with.
	Reach(args jsontext.Value) (Destination, error)
}

type fetchTool struct {
	*session
	base     *http.Transport // certificates, proxy
	resolver *net.Resolver   // nil: the system's
	bounds   webLimits
}

// newFetch returns the tool with the usual bounds.
func newFetch(s *session) fetchTool {
	base := s.Transport
	if base == nil {
		base = &http.Transport{}
	}
	return fetchTool{s, base, nil, webLimits{bytes: maxFetched, redirects: maxRedirects, time: fetchTime}}
}

func (fetchTool) Spec() model.Tool { return spec("fetch", fetchPrompt, fetchSchema) }
func (fetchTool) Kind() Kind       { return Network }

func (fetchTool) parse(args jsontext.Value) (*url.URL, error) {
	var a struct {
		URL string `json:"url"`
	}
	if err := decode(args, &a, "url"); err != nil {
		return nil, err
	}
	return parseAddress(a.URL)
}

func (t fetchTool) Describe(args jsontext.Value) string {
	u, err := t.parse(args)
	if err != nil {
		return "fetch"
	}
	return line("fetch", u.String())
}

func (t fetchTool) Paths(args jsontext.Value) ([]Path, error) {
	_, err := t.parse(args)
	return nil, err
}

func (t fetchTool) Reach(args jsontext.Value) (Destination, error) {
	u, err := t.parse(args)
	if err != nil {
		return Destination{}, err
	}
	return Destination{hostOf(u), u.String()}, nil
}

// Near says where a host is when its name or address shows that it is not on the Internet, "" when it does not.
func Near(host string) string {
	switch zone.OfHost(host) {
	case zone.Public:
		return ""
	case zone.Loopback:
		return "on this machine"
	}
	return "in a private network"
}

func (t fetchTool) Run(ctx context.Context, call Call) (Output, error) {
	begun := t.Now()
	u, err := t.parse(call.Arguments)
	if err != nil {
		return failed(fmt.Errorf("fetch: %w", err)), nil
	}
	out, err := t.fetch(ctx, u)
	switch {
	case ctx.Err() != nil:
		return Output{}, ctx.Err()
	case err != nil:
		return failed(fmt.Errorf("fetch: %w", err)), nil
	}
	out.Details.Duration = t.Now().Sub(begun)
	return out, nil
}

// fetch gets a page within its time and shows it.
func (t fetchTool) fetch(ctx context.Context, u *url.URL) (Output, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.bounds.time, fmt.Errorf("there was no whole answer within %v", t.bounds.time))
	defer cancel()
	w := web{base: t.base, resolver: t.resolver, limits: t.bounds, host: hostOf(u), near: t.Allowed != nil && t.Allowed(hostOf(u))}
	got, err := w.get(ctx, u)
	switch {
	case ctx.Err() != nil: // Also without an error: what ended with its time may be a part.
		return Output{}, context.Cause(ctx)
	case err != nil:
		return Output{}, errors.New(result.OneLine(err.Error(), 500))
	case got.elsewhere != "":
		return Output{Text: fmt.Sprintf("%s redirects to another place (status %d): %s\nIt was not followed. Call fetch again with that address if it is what you need.",
			shownURL(got.url), got.status, shownAddress(got.elsewhere))}, nil
	}
	return t.output(got)
}

// shownURL is an address of the model's or a server's for a text of ours.
func shownURL(u *url.URL) string { return shownAddress(u.String()) }

func shownAddress(address string) string {
	return strings.NewReplacer("<", "%3C", ">", "%3E", `"`, "%22").Replace(result.OneLine(address, maxURL))
}
