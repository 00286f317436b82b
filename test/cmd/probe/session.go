package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
	"github.com/elyra-go/elyra/internal/wire"
)

// session is a connection to the server, and what was checked on it.
type session struct {
	*mcpclient.Client
	ctx     context.Context
	kind    server
	era     string
	command []string
	folder  string
	tools   map[string]mcp.Tool

	answer  mcp.ElicitResult  // what the user says when asked
	asked   *mcp.ElicitParams // what the user was asked last
	updated chan string       // the URIs of updated resources

	passed, failed int
	note           string
}

// check counts, and says what did not hold.
func (s *session) check(what string, holds bool, seen any) {
	if holds {
		s.passed++
		return
	}
	s.failed++
	fmt.Fprintf(os.Stderr, "probe: %s, %s: %s: %v\n", s.kind.name, cmp.Or(s.era, "auto"), what, seen)
}

// open connects, and checks what every server says of itself.
func (s *session) open() bool {
	var skipped []string
	client, err := mcpclient.Connect(s.ctx, s.transport(), mcpclient.Options{
		Info: mcp.Implementation{Name: "elyra-probe", Version: "1"}, Era: s.era,
		Elicit: func(_ context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error) {
			s.asked = &p // read after the call has returned, which follows the answer
			return s.answer, nil
		},
		OnNotification: func(method string, params jsontext.Value) {
			var p mcp.ResourceUpdated
			if method == mcp.NotifyResourceUpdated && json.Unmarshal(params, &p) == nil {
				select {
				case s.updated <- p.URI:
				default:
				}
			}
		},
		OnSkippedTool: func(name string, reason error) { skipped = append(skipped, fmt.Sprintf("%s: %v", name, reason)) },
	})
	s.check("connect", err == nil, err)
	if err != nil {
		return false
	}
	s.Client = client
	s.check("its name", s.Server().Name == s.kind.name, s.Server())
	s.check("the revision", s.Version() == cmp.Or(s.era, s.kind.version), s.Version())
	tools, err := s.ListTools(s.ctx)
	s.check("tools/list", err == nil && len(tools) > 0 && len(skipped) == 0, fmt.Sprint(err, skipped))
	s.tools = map[string]mcp.Tool{}
	for _, tool := range tools {
		s.tools[tool.Name] = tool
	}
	s.note = fmt.Sprintf("%s, %d tools", s.Version(), len(tools))
	return true
}

// call runs a tool that must exist and succeed, and returns its text.
func (s *session) call(tool string, args any) string {
	_, listed := s.tools[tool]
	s.check(tool+" is listed", listed, s.tools)
	result, err := s.CallTool(s.ctx, tool, args, mcpclient.CallOptions{Timeout: 20 * time.Second})
	s.check(tool, err == nil && !result.IsError, outcome(result, err))
	return text(result)
}

// fails runs a tool that must fail: by an error of the protocol, or by a result that says so, as servers differ.
func (s *session) fails(what, tool string, args any) {
	result, err := s.CallTool(s.ctx, tool, args, mcpclient.CallOptions{Timeout: 20 * time.Second})
	_, refused := errors.AsType[*wire.Error](err)
	s.check(what, refused || result != nil && result.IsError, outcome(result, err))
}

// request sends a request and decodes its result.
func (s *session) request(method string, params, dst any) {
	raw, err := s.Request(s.ctx, method, params)
	if err == nil {
		err = json.Unmarshal(raw, dst)
	}
	s.check(method, err == nil, err)
}

func outcome(result *mcp.CallToolResult, err error) string {
	return fmt.Sprintf("%s, %v", text(result), err)
}

// text is the text of a result, "" of none.
func text(result *mcp.CallToolResult) string {
	var b strings.Builder
	if result != nil {
		for _, block := range result.Content {
			b.WriteString(block.Text)
		}
	}
	return b.String()
}
