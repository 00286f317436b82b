package mcpclient

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
)

const withPrompts = `{"tools":{},"prompts":{},"completions":{}}`

// open is a server with prompts and completions that speaks a version.
func (f *fake) open(version string) {
	if mcp.Modern(version) {
		m := f.expect(mcp.MethodDiscover)
		f.result(m, fmt.Sprintf(`{"resultType":"complete","supportedVersions":[%q],"capabilities":%s,"ttlMs":0,"cacheScope":"private"}`, version, withPrompts))
		return
	}
	m := f.expect(mcp.MethodInitialize)
	f.result(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":%s,"serverInfo":{"name":"fake","version":"1"}}`, version, withPrompts))
	f.expect(mcp.NotifyInitialized)
}

func TestPromptsAndCompletionsInBothEras(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.Versions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			complete := ""
			if mcp.Modern(version) {
				complete = `"resultType":"complete",`
			}
			c := connect(t, scripted(t, func(f *fake) {
				f.open(version)
				m := f.expect(mcp.MethodGetPrompt)
				if p := paramsOf(t, m); string(p["name"]) != `"greet"` || string(p["arguments"]) != `{"tone":"brief","who":"Ada"}` {
					t.Errorf("asked %s", m.line)
				}
				f.result(m, `{`+complete+`"description":"A greeting","messages":[{"role":"user","content":{"type":"text","text":"Greet Ada."}},`+
					`{"role":"assistant","content":{"type":"image","mimeType":"image/png","data":"AAAA"}}]}`)
				m = f.expect(mcp.MethodComplete)
				_, told := paramsOf(t, m)["context"]
				if told != (version >= mcp.V2025_06_18) {
					t.Errorf("the other arguments are told: %t, in %s", told, m.line)
				}
				f.result(m, `{`+complete+`"completion":{"values":["Ada","Alan"],"total":2}}`)
				f.end()
			}), Options{Era: version})
			got, err := c.GetPrompt(t.Context(), "greet", map[string]string{"who": "Ada", "tone": "brief"})
			if err != nil || got.Description != "A greeting" || len(got.Messages) != 2 || got.Messages[0].Content.Text != "Greet Ada." ||
				got.Messages[1].Role != mcp.RoleAssistant || len(got.Messages[1].Content.Data) != 3 {
				t.Errorf("%+v, %v", got, err)
			}
			values, err := c.Complete(t.Context(), mcp.CompletionRef{Type: mcp.RefPrompt, Name: "greet"}, "who", "A", map[string]string{"tone": "brief"})
			if err != nil || !slices.Equal(values, []string{"Ada", "Alan"}) {
				t.Errorf("completions %q, %v", values, err)
			}
		})
	}
}

// A modern server may ask before it fills a prompt in.
func TestAPromptWithAQuestion(t *testing.T) {
	t.Parallel()
	c := connect(t, scripted(t, func(f *fake) {
		f.open(mcp.V2026_07_28)
		m := f.expect(mcp.MethodGetPrompt)
		f.result(m, `{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}},"requestState":"s"}`)
		m = f.expect(mcp.MethodGetPrompt)
		if !strings.Contains(m.line, `"action":"accept"`) || !strings.Contains(m.line, `"requestState":"s"`) {
			t.Errorf("the answer is %s", m.line)
		}
		f.result(m, `{"resultType":"complete","messages":[{"role":"user","content":{"type":"text","text":"Go on."}}]}`)
		f.end()
	}), Options{Elicit: accept})
	if got, err := c.GetPrompt(t.Context(), "greet", nil); err != nil || got.Messages[0].Content.Text != "Go on." {
		t.Errorf("%+v, %v", got, err)
	}
}

// A server that does not say that it completes is not asked.
func TestNoCompletionsUndeclared(t *testing.T) {
	t.Parallel()
	c := connected(t, Options{}, func(f *fake) { f.end() })
	if values, err := c.Complete(t.Context(), mcp.CompletionRef{Type: mcp.RefPrompt, Name: "greet"}, "who", "", nil); values != nil || err != nil {
		t.Errorf("%q, %v", values, err)
	}
}

func TestBrokenPrompts(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`[]`:                        "an error",
		`{}`:                        "an error",
		`{"messages":"x"}`:          "an error",
		`{"messages":[]}`:           "an error",
		`{"messages":[7]}`:          "user [message 1 of the prompt is malformed and was left out]",
		`{"messages":[{"role":7}]}`: "user [message 1 of the prompt is malformed and was left out]",
		`{"messages":[{"role":"x","content":{"type":"text","text":"a"}}],"description":7}`: "user a",
		`{"messages":[` + strings.Repeat(`{},`, maxMessages) + `{}]}`:                      "an error",
	} {
		got, err := decodePrompt(jsontext.Value(raw))
		said := "an error"
		if err == nil {
			said = got.Messages[0].Role + " " + got.Messages[0].Content.Text
		}
		if said != want {
			t.Errorf("%.60s: %s, want %s", raw, said, want)
		}
	}
}

func FuzzPrompt(f *testing.F) {
	for _, s := range []string{`{"messages":[{"role":"user","content":{"type":"text","text":"a"}}]}`, `{"messages":[{"content":{"type":"resource","resource":{"uri":"a","text":"b"}}}]}`, `{"messages":[null]}`, `{`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := decodePrompt(raw)
		if err != nil {
			return
		}
		for _, m := range got.Messages {
			if m.Content.Type == "" || m.Role != mcp.RoleUser && m.Role != mcp.RoleAssistant {
				t.Fatalf("%q has the message %+v", raw, m)
			}
		}
	})
}
