package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/mcpclient"
)

// everything is the reference server that does all that the protocol has, for clients to be tried on.
func everything() server {
	return server{name: "mcp-servers/everything", version: mcp.V2025_11_25, args: func(string) []string { return []string{"stdio"} }, drive: func(s *session) {
		s.check("instructions", s.Instructions() != "", s.Instructions())
		said := s.call("echo", map[string]any{"message": "Grüße, \u2028 and \n"})
		s.check("an echo", strings.Contains(said, "Grüße, \u2028 and \n"), said)
		said = s.call("get-sum", map[string]any{"a": 2, "b": 3})
		s.check("a sum", strings.Contains(said, "5"), said)
		s.fails("an argument of the wrong type", "get-sum", map[string]any{"a": "two", "b": 3})
		s.fails("an unknown tool", "no-such-tool", nil)
		s.kinds()
		s.reports()
		s.cancels()
		s.elicits()
		s.offers()
	}}
}

// kinds checks results that are more than text.
func (s *session) kinds() {
	r, err := s.CallTool(s.ctx, "get-structured-content", map[string]any{"location": "New York"}, mcpclient.CallOptions{})
	s.check("structured content", err == nil && strings.Contains(string(r.StructuredContent), `"temperature":33`), outcome(r, err))
	r, err = s.CallTool(s.ctx, "get-tiny-image", nil, mcpclient.CallOptions{})
	picture := err == nil && slices.ContainsFunc(r.Content, func(c mcp.Content) bool {
		return c.Type == mcp.ContentImage && c.MIMEType == "image/png" && strings.HasPrefix(string(c.Data), "\x89PNG")
	})
	s.check("a picture", picture, outcome(r, err))
	var wg sync.WaitGroup
	wrong := make([]string, 16)
	for i := range wrong {
		wg.Go(func() {
			want := fmt.Sprintf("number %d!", i)
			if r, err := s.CallTool(s.ctx, "echo", map[string]any{"message": want}, mcpclient.CallOptions{}); !strings.Contains(text(r), want) {
				wrong[i] = outcome(r, err)
			}
		})
	}
	wg.Wait()
	s.check("many calls at once", strings.Join(wrong, "") == "", wrong)
}

func (s *session) reports() {
	var seen []string
	r, err := s.CallTool(s.ctx, "trigger-long-running-operation", map[string]any{"duration": 0.25, "steps": 5}, mcpclient.CallOptions{
		Progress: func(done, total float64, _ string) { seen = append(seen, fmt.Sprintf("%v/%v", done, total)) },
	})
	s.check("a long call", err == nil && !r.IsError, outcome(r, err))
	s.check("its progress", strings.Join(seen, " ") == "1/5 2/5 3/5 4/5 5/5", seen)
}

// cancels gives up a call and goes on.
func (s *session) cancels() {
	ctx, cancel := context.WithTimeout(s.ctx, 100*time.Millisecond)
	defer cancel()
	_, err := s.CallTool(ctx, "trigger-long-running-operation", map[string]any{"duration": 30, "steps": 30}, mcpclient.CallOptions{})
	s.check("a call that is given up", errors.Is(err, context.DeadlineExceeded), err)
	said := s.call("echo", map[string]any{"message": "still there"})
	s.check("a call after it", strings.Contains(said, "still there"), said)
}

// elicits lets the server ask, with each answer.
func (s *session) elicits() {
	if s.Version() < mcp.V2025_06_18 {
		return // nobody could be asked yet
	}
	for answer, want := range map[string]string{
		mcp.ElicitAccept: "Name: Ada", mcp.ElicitDecline: "declined", mcp.ElicitCancel: "cancelled",
	} {
		s.asked, s.answer = nil, mcp.ElicitResult{Action: answer}
		if answer == mcp.ElicitAccept {
			s.answer.Content = jsontext.Value(`{"name":"Ada","integer":7}`)
		}
		said := s.call("trigger-elicitation-request", nil)
		s.check("the question", s.asked != nil && strings.Contains(string(s.asked.RequestedSchema), `"firstLine"`), s.asked)
		s.check("the answer "+answer, strings.Contains(said, want), said)
	}
}

// offers checks what the server has besides tools.
func (s *session) offers() {
	var list mcp.ListResourcesResult
	s.request(mcp.MethodListResources, nil, &list)
	if s.check("resources", len(list.Resources) > 0, list); len(list.Resources) > 0 {
		var read mcp.ReadResourceResult
		s.request(mcp.MethodReadResource, map[string]any{"uri": list.Resources[0].URI}, &read)
		s.check("a resource", len(read.Contents) == 1 && read.Contents[0].Text != "", read)
		s.request(mcp.MethodSubscribe, map[string]any{"uri": list.Resources[0].URI}, &struct{}{})
		s.call("toggle-subscriber-updates", nil) // tells of all that is subscribed to, as if it had changed
		select {
		case uri := <-s.updated:
			s.check("the updated resource", uri == list.Resources[0].URI, uri)
		case <-s.ctx.Done():
			s.check("the updated resource", false, "nothing was told")
		}
	}
	var prompts mcp.ListPromptsResult
	s.request(mcp.MethodListPrompts, nil, &prompts)
	s.check("prompts", slices.ContainsFunc(prompts.Prompts, func(p mcp.Prompt) bool { return p.Name == "args-prompt" && len(p.Arguments) > 0 }), prompts)
	var prompt mcp.GetPromptResult
	s.request(mcp.MethodGetPrompt, map[string]any{"name": "args-prompt", "arguments": map[string]any{"city": "Kassel"}}, &prompt)
	s.check("a prompt", len(prompt.Messages) > 0 && strings.Contains(prompt.Messages[0].Content.Text, "Kassel"), prompt)
}
