package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// elicitForm is a question as both eras put it.
const elicitForm = `{"message":"Which city?","requestedSchema":{"type":"object","properties":{"city":{"type":"string"}}}}`

// city is a user who knows the city, and checks the question.
func city(t *testing.T) func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
	return func(_ context.Context, p mcp.ElicitParams) (mcp.ElicitResult, error) {
		if p.Mode != mcp.ElicitModeForm || p.Message != "Which city?" || !strings.Contains(string(p.RequestedSchema), `"city"`) {
			t.Errorf("question %+v", p)
		}
		return mcp.ElicitResult{Action: mcp.ElicitAccept, Content: jsontext.Value("{\n\"city\": \"Bern\"}")}, nil
	}
}

func TestC28_InputIsAnsweredWithANewIDAndTheStateAsItCame(t *testing.T) {
	t.Parallel()
	const state = `"a\u0062\/ \u00e9 AEAD=="` // Escapes that a decoder would write in another way.
	c := connected(t, Options{Elicit: city(t)}, func(f *fake) {
		first := f.expect(mcp.MethodCallTool)
		f.result(first, `{"resultType":"input_required","requestState":`+state+`,"inputRequests":{"b":{"method":"elicitation/create","params":`+elicitForm+`},"a":{"method":"elicitation/create","params":`+elicitForm+`}}}`)
		second := f.expect(mcp.MethodCallTool)
		if string(first.ID) == string(second.ID) {
			t.Errorf("the id %s was used again", second.ID)
		}
		p := paramsOf(t, second)
		if string(p["requestState"]) != state {
			t.Errorf("state %s", p["requestState"])
		}
		const answer = `{"action":"accept","content":{"city":"Bern"}}`
		if want := `{"a":` + answer + `,"b":` + answer + `}`; string(p["inputResponses"]) != want {
			t.Errorf("responses %s, want %s", p["inputResponses"], want)
		}
		if string(p["arguments"]) != `{"q":1}` || string(p["name"]) != `"x"` || p["_meta"] == nil {
			t.Errorf("the second request is not complete: %s", second.line)
		}
		f.result(second, `{"resultType":"input_required","requestState":""}`)
		third := f.expect(mcp.MethodCallTool)
		if p := paramsOf(t, third); string(p["requestState"]) != `""` || p["inputResponses"] != nil {
			t.Errorf("the answers of one round went into the next, or the state is missing: %s", third.line)
		}
		f.result(third, `{"resultType":"input_required","inputRequests":{"c":{"method":"elicitation/create","params":`+elicitForm+`}}}`)
		fourth := f.expect(mcp.MethodCallTool)
		if p := paramsOf(t, fourth); p["requestState"] != nil || p["inputResponses"] == nil {
			t.Errorf("a state that the server did not send: %s", fourth.line)
		}
		f.result(fourth, `{"resultType":"complete","content":[]}`)
		after := f.expect(mcp.MethodCallTool)
		if strings.Contains(after.line, "input") || strings.Contains(after.line, "requestState") {
			t.Errorf("answers leaked into another request: %s", after.line)
		}
		f.result(after, `{"content":[]}`)
		f.end()
	})
	if _, err := c.CallTool(t.Context(), "x", map[string]int{"q": 1}, CallOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := call(t, c, CallOptions{}); err != nil {
		t.Error(err)
	}
}

func TestC28_InputIsAskedAtMostEightTimes(t *testing.T) {
	t.Parallel()
	requests := 0
	c := connected(t, Options{}, func(f *fake) {
		for {
			m, ok := f.next()
			if !ok {
				return
			}
			requests++
			f.result(m, `{"resultType":"input_required","requestState":"again"}`)
		}
	})
	_, err := call(t, c, CallOptions{})
	mention(t, err, "more than 8 times")
	c.Close()
	if requests != 9 {
		t.Errorf("%d requests", requests)
	}
}

func TestC28_InputThatCannotBeGivenIsAnErrorThatSaysSo(t *testing.T) {
	t.Parallel()
	ask := func(method, params string) string {
		return fmt.Sprintf(`{"resultType":"input_required","inputRequests":{"a":{"method":%q,"params":%s}}}`, method, params)
	}
	for name, tt := range map[string]struct {
		o      Options
		method string
		result string
		err    string
	}{
		"nobody can be asked":    {Options{}, mcp.MethodCallTool, ask("elicitation/create", elicitForm), "did not declare elicitation"},
		"sampling":               {Options{Elicit: accept}, mcp.MethodCallTool, ask("sampling/createMessage", `{}`), "sampling/createMessage"},
		"a mode not declared":    {Options{Elicit: accept}, mcp.MethodCallTool, ask("elicitation/create", `{"mode":"url","message":"m","url":"https://x"}`), `"url"`},
		"a question unreadable":  {Options{Elicit: accept}, mcp.MethodCallTool, ask("elicitation/create", `{"message":7}`), "question cannot be used"},
		"neither of the two":     {Options{Elicit: accept}, mcp.MethodCallTool, `{"resultType":"input_required"}`, "without saying which"},
		"a state of wrong type":  {Options{Elicit: accept}, mcp.MethodCallTool, `{"resultType":"input_required","requestState":{}}`, "no string"},
		"requests of wrong type": {Options{Elicit: accept}, mcp.MethodCallTool, `{"resultType":"input_required","inputRequests":[]}`, "cannot be used"},
		"a method that may not":  {Options{Elicit: accept}, mcp.MethodListTools, `{"resultType":"input_required","requestState":"s"}`, "does not allow"},
		"an unknown action": {Options{Elicit: func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
			return mcp.ElicitResult{Action: "maybe"}, nil
		}}, mcp.MethodCallTool, ask("elicitation/create", elicitForm), `"maybe"`},
		"content that is no object": {Options{Elicit: func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
			return mcp.ElicitResult{Action: mcp.ElicitAccept, Content: jsontext.Value(`[1]`)}, nil
		}}, mcp.MethodCallTool, ask("elicitation/create", elicitForm), "no JSON object"},
		"asking failed": {Options{Elicit: func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
			return mcp.ElicitResult{}, errors.New("the terminal is gone")
		}}, mcp.MethodCallTool, ask("elicitation/create", elicitForm), "the terminal is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := connected(t, tt.o, func(f *fake) {
				f.result(f.expect(tt.method), tt.result)
				f.end() // The request is not sent again.
			})
			_, err := c.Request(t.Context(), tt.method, map[string]any{"name": "x"})
			mention(t, err, tt.method, tt.err)
		})
	}
}

func TestC28_AQuestionEndsWithItsServer(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	elicit := func(ctx context.Context, _ mcp.ElicitParams) (mcp.ElicitResult, error) {
		close(asked)
		<-ctx.Done()
		return mcp.ElicitResult{}, errors.New("nobody answered")
	}
	c := connected(t, Options{Elicit: elicit}, func(f *fake) {
		f.result(f.expect(mcp.MethodCallTool), `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":`+elicitForm+`}}}`)
		<-asked
	})
	if _, err := call(t, c, CallOptions{}); !errors.Is(err, ErrDisconnected) {
		t.Errorf("error %v", err)
	}
}

func TestC29_DeclaredModesAndAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer   mcp.ElicitResult
		question string
		want     string
	}{
		"accept without content": {mcp.ElicitResult{Action: mcp.ElicitAccept}, `{"message":"m"}`, `{"action":"accept","content":{}}`},
		"decline drops content":  {mcp.ElicitResult{Action: mcp.ElicitDecline, Content: jsontext.Value(`{"a":1}`)}, `{"message":"m"}`, `{"action":"decline"}`},
		"cancel":                 {mcp.ElicitResult{Action: mcp.ElicitCancel}, `{"mode":"form","message":"m"}`, `{"action":"cancel"}`},
		"url has no content":     {mcp.ElicitResult{Action: mcp.ElicitAccept, Content: jsontext.Value(`{"a":1}`)}, `{"mode":"url","message":"m","url":"https://x"}`, `{"action":"accept"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			elicit := func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) { return tt.answer, nil }
			c := connected(t, Options{Elicit: elicit, ElicitURL: true}, func(f *fake) {
				m := f.expect(mcp.MethodCallTool)
				if !strings.Contains(m.line, `"elicitation":{"form":{},"url":{}}`) {
					t.Errorf("declared: %s", m.line)
				}
				f.result(m, `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":`+tt.question+`}}}`)
				m = f.expect(mcp.MethodCallTool)
				if got := string(paramsOf(t, m)["inputResponses"]); got != `{"a":`+tt.want+`}` {
					t.Errorf("answered %s", got)
				}
				f.result(m, `{"content":[]}`)
				f.end()
			})
			if _, err := call(t, c, CallOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestLegacyServersMayAsk(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		o               Options
		request, answer string // without the envelope
	}{
		"ping":                  {Options{}, `"method":"ping"`, `"result":{}`},
		"roots":                 {Options{}, `"method":"roots/list"`, `"code":-32601`},
		"sampling":              {Options{Elicit: accept}, `"method":"sampling/createMessage","params":{}`, `"code":-32601`},
		"elicitation, declared": {Options{Elicit: city(t)}, `"method":"elicitation/create","params":` + elicitForm, `"result":{"action":"accept","content":{"city":"Bern"}}`},
		"elicitation, not":      {Options{}, `"method":"elicitation/create","params":` + elicitForm, `"code":-32601`},
		"elicitation, url":      {Options{Elicit: accept}, `"method":"elicitation/create","params":{"mode":"url","message":"m"}`, `"code":-32602`},
		"elicitation, broken":   {Options{Elicit: accept}, `"method":"elicitation/create"`, `"code":-32602`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.o.Era = mcp.V2025_11_25
			c := connect(t, scripted(t, func(f *fake) {
				f.initialize(mcp.V2025_11_25)
				m := f.expect(mcp.MethodCallTool)
				f.send(`{"jsonrpc":"2.0","id":"s-1",%s}`, tt.request)
				answer := f.expect("")
				if string(answer.ID) != `"s-1"` || !strings.Contains(answer.line, tt.answer) {
					t.Errorf("answer %s, want %s", answer.line, tt.answer)
				}
				f.result(m, `{"content":[]}`)
				f.end()
			}), tt.o)
			if _, err := call(t, c, CallOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestModernServersGetNoAnswersToRequests(t *testing.T) {
	t.Parallel()
	c := connected(t, Options{Elicit: accept}, func(f *fake) {
		m := f.expect(mcp.MethodCallTool)
		f.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
		f.send(`{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":%s}`, elicitForm)
		f.result(m, `{"content":[]}`)
		f.end()
	})
	if _, err := call(t, c, CallOptions{}); err != nil {
		t.Error(err)
	}
}

func TestC4_TimeStandsStillWhileTheServerWaitsForTheUser(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		elicit := func(context.Context, mcp.ElicitParams) (mcp.ElicitResult, error) {
			time.Sleep(10 * time.Minute)
			return mcp.ElicitResult{Action: mcp.ElicitDecline}, nil
		}
		c := connect(t, scripted(t, func(f *fake) {
			f.initialize(mcp.V2025_06_18)
			f.expect(mcp.MethodCallTool)
			f.send(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":%s}`, elicitForm)
			f.expect("")
			f.expect(mcp.NotifyCancelled)
			f.end()
		}), Options{Era: mcp.V2025_06_18, Elicit: elicit})
		start := time.Now()
		// From the answer on the server has a minute again.
		if _, err := call(t, c, CallOptions{}); !errors.Is(err, ErrTimeout) || time.Since(start) != 11*time.Minute {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
		c.Close()
	})
}

func TestALegacyServerTakesItsQuestionBack(t *testing.T) {
	t.Parallel()
	asked, over := make(chan struct{}), make(chan struct{})
	elicit := func(ctx context.Context, _ mcp.ElicitParams) (mcp.ElicitResult, error) {
		close(asked)
		<-ctx.Done()
		close(over)
		return mcp.ElicitResult{}, ctx.Err()
	}
	c := connect(t, scripted(t, func(f *fake) {
		f.initialize(mcp.V2025_06_18)
		m := f.expect(mcp.MethodCallTool)
		f.send(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":%s}`, elicitForm)
		<-asked
		f.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		<-over
		f.result(m, `{"content":[]}`)
		f.end() // No answer to the question.
	}), Options{Era: mcp.V2025_06_18, Elicit: elicit})
	if _, err := call(t, c, CallOptions{}); err != nil {
		t.Error(err)
	}
}

func TestALegacyServerMayNotAskEndlessly(t *testing.T) {
	t.Parallel()
	elicit := func(ctx context.Context, _ mcp.ElicitParams) (mcp.ElicitResult, error) {
		<-ctx.Done()
		return mcp.ElicitResult{}, ctx.Err()
	}
	c := connect(t, scripted(t, func(f *fake) {
		f.initialize(mcp.V2025_06_18)
		m := f.expect(mcp.MethodCallTool)
		for i := range maxQuestions + 1 {
			f.send(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create","params":%s}`, i, elicitForm)
		}
		if a := f.expect(""); a.Error == nil || a.Error.Code != wire.CodeInternal {
			t.Errorf("answer %s", a.line)
		}
		f.result(m, `{"content":[]}`)
		f.end()
	}), Options{Era: mcp.V2025_06_18, Elicit: elicit})
	if _, err := call(t, c, CallOptions{}); err != nil {
		t.Error(err)
	}
}
