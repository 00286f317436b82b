package loop

import (
	"errors"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// foreign is a tool of a server that the model has as its own.
type foreign struct{ tool }

func (f foreign) Spec() model.Tool {
	spec := f.tool.Spec()
	spec.Deferred = true
	return spec
}

// refusing is an agent that follows a script. Its requests do not all have the same tools.
func refusing(t *testing.T, answers ...answer) (*Agent, *script, *[]string) {
	t.Helper()
	s, notices := &script{t: t, answers: answers}, new([]string)
	a, err := New(Options{
		Provider: s, Model: model.Spec{Provider: "p", ID: "m", Context: 100_000, MaxOutput: 8_000}, Store: &memory{},
		Tools: []Tool{echo(), foreign{tool{name: "bad"}}, foreign{tool{name: "good"}}, foreign{tool{name: "worse"}}},
		On: func(e Event) {
			if e.Kind == KindNotice {
				*notices = append(*notices, e.Text)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a, s, notices
}

// offered are the tools of each request.
func (s *script) offered() string {
	var all []string
	for _, r := range s.requests {
		var names []string
		for _, t := range r.Tools {
			names = append(names, t.Name)
		}
		all = append(all, strings.Join(names, ","))
	}
	return strings.Join(all, " ")
}

func refuses(tool int) answer {
	return answer{err: &model.Error{Kind: model.ErrInvalid, Message: "schema is invalid", Tool: tool}}
}

// One bad schema costs its tool, not every turn.
func TestAToolThatAVendorRefusesIsLeftOut(t *testing.T) {
	t.Parallel()
	a, s, notices := refusing(t, refuses(2), refuses(3), says("done"), says("again"), says("elsewhere"))
	for _, want := range []string{"done", "again"} {
		if last, err := a.Prompt(t.Context(), model.Text("go")); err != nil || last.String() != want {
			t.Errorf("%q, %v", last.String(), err)
		}
	}
	a.SetModel(s, model.Spec{Provider: "q", ID: "m", Context: 100_000, MaxOutput: 8_000}, "")
	if _, err := a.Prompt(t.Context(), model.Text("go")); err != nil {
		t.Error(err)
	}
	want := "echo,bad,good,worse echo,good,worse echo,good echo,good echo,bad,good,worse"
	if got := s.offered(); got != want {
		t.Errorf("the requests had the tools\n%s, want\n%s", got, want)
	}
	if len(*notices) != 2 || !strings.Contains((*notices)[0], "the tool bad is left out") || !strings.Contains((*notices)[0], "schema is invalid") {
		t.Errorf("notices %q", *notices)
	}
}

func TestRefusalsThatLeaveNothingOut(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]answer{
		"our own tool":      refuses(1),
		"no tool is named":  refuses(0),
		"a tool that is no": refuses(5),
		"another error":     {err: &model.Error{Kind: model.ErrServer, Tool: 2}},
	} {
		a, s, _ := refusing(t, first)
		var failed *model.Error
		if _, err := a.Prompt(t.Context(), model.Text("go")); !errors.As(err, &failed) || len(s.requests) != 1 {
			t.Errorf("%s: %v after %d requests", name, err, len(s.requests))
		}
	}
}
