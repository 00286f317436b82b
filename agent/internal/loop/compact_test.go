package loop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// long is a conversation of prompts, calls and answers with so many tokens in each.
func long(rounds int, each int) []model.Message {
	text := strings.Repeat("x", each*bytesPerToken)
	var history []model.Message
	for i := range rounds {
		id := fmt.Sprint("h", i)
		history = append(history,
			model.Message{Role: model.User, Content: []model.Block{model.Text(fmt.Sprint("prompt ", i))}},
			model.Message{Role: model.Assistant, Content: []model.Block{{Call: &model.Call{ID: id, Name: "echo", Arguments: []byte(`{}`)}}}},
			model.Message{Role: model.User, Content: []model.Block{{Result: &model.Result{CallID: id, Content: []model.Block{model.Text(text)}}}}},
			model.Message{Role: model.Assistant, Content: []model.Block{model.Text(fmt.Sprint("answer ", i))}},
		)
	}
	return history
}

func TestAFullConversationIsShortened(t *testing.T) {
	t.Parallel()
	a, s, m := agent(t, func(o *Options) { o.History = long(10, 10_000) }, []Tool{echo()}, says("the summary"), says("done"))
	if _, err := a.Prompt(t.Context(), model.Text("go")); err != nil {
		t.Fatal(err)
	}
	if m.summary != "the summary" || m.keep == 0 || m.keep > 12 {
		t.Errorf("summary %q, kept %d", m.summary, m.keep)
	}
	request := s.requests[1].Messages
	if !strings.Contains(request[0].String(), "the summary") || request[len(request)-1].String() != "go" {
		t.Errorf("the request after it begins with %q", request[0].String())
	}
	if asked := s.requests[0].Messages; !strings.Contains(asked[len(asked)-1].String(), "shortened") {
		t.Error("the model was not asked for a summary")
	}
}

// Wherever the cut falls, no call is divided from its result.
func TestNoCallIsDividedFromItsResult(t *testing.T) {
	t.Parallel()
	for keep := int64(1); keep < 60_000; keep += 1_777 {
		a, _, m := agent(t, func(o *Options) { o.History, o.Keep = long(6, 8_000), keep }, []Tool{echo()}, says("the summary"), says("done"))
		if err := a.Compact(t.Context(), "names"); err != nil {
			t.Fatal(err)
		}
		if err := paired(a.History()); err != nil {
			t.Errorf("keep %d: %v", keep, err)
		}
		if m.keep == 0 {
			t.Errorf("keep %d: nothing was kept", keep)
		}
	}
}

func TestAnOverflowIsMendedOnce(t *testing.T) {
	t.Parallel()
	overflow := answer{err: &model.Error{Kind: model.ErrOverflow, Message: "too long"}}
	a, _, m := agent(t, func(o *Options) { o.History = long(3, 100) }, []Tool{echo()}, overflow, says("the summary"), says("done"))
	if last, err := a.Prompt(t.Context(), model.Text("go")); err != nil || last.String() != "done" || m.summary == "" {
		t.Errorf("%q, %v, summary %q", last.String(), err, m.summary)
	}
	a, s, _ := agent(t, func(o *Options) { o.History = long(3, 100) }, []Tool{echo()}, overflow, says("the summary"), overflow)
	var failed *model.Error
	if _, err := a.Prompt(t.Context(), model.Text("go")); !errors.As(err, &failed) || failed.Kind != model.ErrOverflow || len(s.requests) != 3 {
		t.Errorf("%v after %d requests", err, len(s.requests))
	}
}

func TestASummaryThatFailsLosesNothing(t *testing.T) {
	t.Parallel()
	for name, failing := range map[string]answer{
		"an error":  {err: &model.Error{Kind: model.ErrServer, Message: "down"}},
		"no text":   {m: model.Message{Content: []model.Block{model.Text("  ")}}},
		"cancelled": {before: func(context.Context) {}, err: context.Canceled},
	} {
		a, _, m := agent(t, func(o *Options) { o.History = long(5, 100) }, []Tool{echo()}, failing)
		if err := a.Compact(t.Context(), ""); err == nil {
			t.Errorf("%s: no error", name)
		}
		if len(a.History()) != 20 || m.summary != "" {
			t.Errorf("%s: %d messages are left", name, len(a.History()))
		}
	}
	a, _, _ := agent(t, nil, nil)
	if err := a.Compact(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "nothing to summarise") {
		t.Error(err)
	}
}

func TestTheVendorsCountIsBelieved(t *testing.T) {
	t.Parallel()
	history := long(2, 10)
	history[len(history)-1].Usage = &model.Usage{Input: 90_000, Output: 3_000}
	a, _, m := agent(t, func(o *Options) { o.History = history }, []Tool{echo()}, says("the summary"), says("done"))
	if _, err := a.Prompt(t.Context(), model.Text("go")); err != nil || m.summary == "" {
		t.Errorf("%v, summary %q", err, m.summary)
	}
}
