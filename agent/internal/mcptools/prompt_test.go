package mcptools

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/internal/mcp"
)

func TestArgumentsOfAPrompt(t *testing.T) {
	t.Parallel()
	two := Prompt{Command: "s:p", Prompt: mcp.Prompt{Arguments: []mcp.PromptArgument{{Name: "who", Required: true}, {Name: "tone"}}}}
	one := Prompt{Command: "s:p", Prompt: mcp.Prompt{Arguments: []mcp.PromptArgument{{Name: "text", Required: true}}}}
	for _, tt := range []struct {
		prompt Prompt
		line   string
		want   map[string]string
	}{
		{two, "", map[string]string{}},
		{two, "Ada", map[string]string{"who": "Ada"}},
		{two, `who="Ada Lovelace"`, map[string]string{"who": "Ada Lovelace"}},
		{two, "tone=brief Ada", map[string]string{"who": "Ada", "tone": "brief"}},
		{two, "Ada very brief, please", map[string]string{"who": "Ada", "tone": "very brief, please"}},
		{two, "a=b c", map[string]string{"who": "a=b", "tone": "c"}},
		{two, "who= tone=", map[string]string{}},
		{one, `say "this" and=that `, map[string]string{"text": `say "this" and=that`}},
		{one, `text="a b"`, map[string]string{"text": "a b"}},
		{Prompt{}, "nothing to take", map[string]string{}},
	} {
		if got := tt.prompt.Read(tt.line); !maps.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.line, got, tt.want)
		}
	}
	if got := two.Missing(map[string]string{"who": ""}); !slices.Equal(got, []string{"who"}) {
		t.Errorf("missing %v", got)
	}
}

// Names become one word each, and different prompts never share a command.
func TestCommandsOfPrompts(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"greet": "greet", "say hello/you": "say_hello_you", "все": "все", "a:b": "a_b", "\x1b[2J": "_2J", "": "_", "\xff": "_",
		strings.Repeat("x", 100): strings.Repeat("x", 64), "v1.2-beta_3": "v1.2-beta_3",
	} {
		if got := word(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	o := open(t, nil, program("a", "good", "prompts"), program("b", "good", "prompts"), program("b/", "good", "prompts"), program("b:", "good", "prompts"), program("none", "good"))
	if known, unknown := Prompts(o.Host); len(known) != 0 || len(unknown) != 5 {
		t.Errorf("before anything was asked: %v, %v", known, unknown)
	}
	for _, server := range []string{"a", "b", "b/", "b:", "none"} {
		if _, err := o.Host.Listing(t.Context(), server); err != nil {
			t.Fatal(err)
		}
	}
	known, unknown := Prompts(o.Host)
	commands := map[string]Prompt{}
	for _, p := range known {
		if other, twice := commands[p.Command]; twice {
			t.Errorf("%q is %q of %q and %q of %q", p.Command, p.Name, p.Server, other.Name, other.Server)
		}
		commands[p.Command] = p
		if strings.ContainsAny(p.Command, " /\x1b\n") {
			t.Errorf("the command %q", p.Command)
		}
		found, server, err := FindPrompt(t.Context(), o.Host, p.Command)
		if err != nil || !server || found.Name != p.Name || found.Server != p.Server {
			t.Errorf("%q finds %+v, %t, %v", p.Command, found, server, err)
		}
	}
	if len(known) != 16 || len(unknown) != 0 {
		t.Errorf("%d prompts; unknown: %v", len(known), unknown)
	}
	if p := commands["b:greet"]; p.Server != "b" {
		t.Errorf("b:greet is of %q", p.Server)
	}
	if _, server, err := FindPrompt(t.Context(), o.Host, "nobody:greet"); server || err != nil {
		t.Errorf("of no server: %t, %v", server, err)
	}
	for command, want := range map[string]string{"a:gret": `did you mean "greet"`, "a:": "it has greet", "none:x": "has no prompts"} {
		if _, server, err := FindPrompt(t.Context(), o.Host, command); !server || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %t, %v", command, server, err)
		}
	}
}

func FuzzReadArguments(f *testing.F) {
	for _, s := range []string{"", "a b", `who="x`, "who=1 who=2", "'", "=", "tone=a b c"} {
		f.Add(s)
	}
	p := Prompt{Prompt: mcp.Prompt{Arguments: []mcp.PromptArgument{{Name: "who", Required: true}, {Name: "tone"}}}}
	f.Fuzz(func(t *testing.T, line string) {
		for name := range p.Read(line) {
			if !p.has(name) {
				t.Errorf("%q gives a value to %q", line, name)
			}
		}
	})
}
