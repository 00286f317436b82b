package vendor_test

import (
	"math"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
	"github.com/elyra-go/elyra/agent/internal/model/vendor"
)

const whole = `-- reply --
thinking Let me look at both.
text "I run two:\nnow — с душой 🙂"
call c1 bash {"command": "ls -l"}
call c2 read {}
usage input=100 output=20 read=3000 write=50 thinking=7
`

func TestAnswerHasTextThinkingCallsUsageAndCost(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s speaker) {
		m, events, failed := s.ask(t, whole)
		if failed != nil {
			t.Fatal(failed)
		}
		if m.Stop != model.StopCalls || m.Model != s.vendor+"/m" || m.Role != model.Assistant {
			t.Errorf("stop %q model %q role %q", m.Stop, m.Model, m.Role)
		}
		if want := (model.Usage{Input: 100, Output: 20, CacheRead: 3000, CacheWrite: 50, Thinking: 7}); *m.Usage != want {
			t.Errorf("usage %+v, want %+v", *m.Usage, want)
		}
		if want := (100*1 + 20*10 + 3000*0.1 + 50*2) / 1e6; math.Abs(m.Cost-want) > 1e-12 {
			t.Errorf("cost %v, want %v", m.Cost, want)
		}
		if len(m.Content) != 4 || m.Content[0].Thinking == nil || m.Content[0].Thinking.Text != "Let me look at both." ||
			m.Content[0].Thinking.Provider != s.vendor || m.Content[1].Text != "I run two:\nnow — с душой 🙂" {
			t.Fatalf("content %+v", m.Content)
		}
		calls := m.Calls()
		if calls[0].ID != "c1" || calls[0].Name != "bash" || string(calls[0].Arguments) != `{"command": "ls -l"}` ||
			calls[1].ID != "c2" || string(calls[1].Arguments) != `{}` || calls[0].Broken+calls[1].Broken != "" {
			t.Errorf("calls %+v %+v", calls[0], calls[1])
		}
		checkEvents(t, m, events)
	})
}

// checkEvents holds that the events of an answer, put together, are its message.
func checkEvents(t *testing.T, m model.Message, events []model.Event) {
	t.Helper()
	if len(events) == 0 || events[0].Kind != model.EventStart {
		t.Fatalf("the first event is not the start: %+v", events)
	}
	texts := map[int]string{}
	ended := map[int]*model.Call{}
	for _, e := range events[1:] {
		switch e.Kind {
		case model.EventText, model.EventThinking, model.EventCallArgs:
			texts[e.Block] += e.Text
		case model.EventCallEnd:
			ended[e.Block] = e.Call
		}
	}
	for i, b := range m.Content {
		switch {
		case b.Call != nil:
			if ended[i] == nil || ended[i].Broken != b.Call.Broken || string(ended[i].Arguments) != string(b.Call.Arguments) {
				t.Errorf("block %d: the events end the call as %+v, the message has %+v", i, ended[i], b.Call)
			}
			if got := texts[i]; got != string(b.Call.Arguments) && got != b.Call.Raw {
				t.Errorf("block %d: arguments %q", i, got)
			}
		case b.Thinking != nil && texts[i] != b.Thinking.Text, b.Thinking == nil && texts[i] != b.Text:
			t.Errorf("block %d: events say %q, message %+v", i, texts[i], b)
		}
	}
}

func TestStopReasons(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, reply string
		want        model.Stop
		text        string
	}{
		{"end", "text done", model.StopEnd, "done"},
		{"length", "text too lo\nstop length", model.StopLength, "too lo"},
		{"refusal", "text No.\nstop refusal", model.StopRefusal, "No."},
		{"nothing at all", "usage output=0", model.StopEnd, ""},
		{"calls without a call", "text odd\nstop calls", model.StopEnd, "odd"},
		{"end with a call", "call c1 read {}\nstop end", model.StopCalls, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s speaker) {
				m, events, failed := s.ask(t, "-- reply --\n"+tt.reply)
				if failed != nil || m.Stop != tt.want || m.String() != tt.text {
					t.Errorf("stop %q text %q error %v", m.Stop, m.String(), failed)
				}
				if m.Usage == nil || m.Content == nil {
					t.Error("usage or content is nil")
				}
				checkEvents(t, m, events)
			})
		})
	}
}

func TestUnknownStopReasonIsAnEnd(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s speaker) {
		if s.api == modeltest.Responses {
			return // it has a status and no reason
		}
		if m, _, failed := s.ask(t, "-- reply --\ntext x\nstop never_heard_of"); failed != nil || m.Stop != model.StopEnd {
			t.Errorf("stop %q error %v", m.Stop, failed)
		}
	})
}

func TestCallsThatMustNotRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, reply, broken, raw string }{
		{"cut by length", `call c1 bash {"command": "rm -rf /tm` + "\nstop length", model.BrokenCut, `{"command": "rm -rf /tm`},
		{"cut by length after what happens to be JSON", `call c1 bash {"command": "rm -rf /"}` + "\nstop length", model.BrokenCut, `{"command": "rm -rf /"}`},
		{"nothing came before the length", "call c1 bash\nstop length", model.BrokenCut, ""},
		{"no JSON", `call c1 bash {"command": ls}`, model.BrokenNoObject, `{"command": ls}`},
		{"a list", `call c1 bash ["ls"]`, model.BrokenNoObject, `["ls"]`},
		{"two objects", `call c1 bash {} {}`, model.BrokenNoObject, `{} {}`},
		{"half an object", `call c1 bash {"a":`, model.BrokenNoObject, `{"a":`},
		{"the same name twice", `call c1 bash {"a":1,"a":2}`, model.BrokenNoObject, `{"a":1,"a":2}`},
		{"refused answer", "call c1 bash {}\nstop refusal", model.BrokenAnswer, "{}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s speaker) {
				if s.api == modeltest.Responses && strings.Contains(tt.reply, "refusal") {
					return // there a refusal is content, and a call beside it is none
				}
				m, _, failed := s.ask(t, "-- reply --\n"+tt.reply)
				if failed != nil {
					t.Fatal(failed)
				}
				c := m.Calls()[0]
				if c.Broken != tt.broken || c.Raw != tt.raw || c.Arguments != nil {
					t.Errorf("call %+v", c)
				}
			})
		})
	}
}

func TestCallsBeforeTheOneThatWasCutMayRun(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s speaker) {
		m, _, _ := s.ask(t, "-- reply --\ncall c1 read {\"a\":1}\ncall c2 bash {\"command\": \"r\nstop length")
		calls := m.Calls()
		if len(calls) != 2 || calls[0].Broken != "" || calls[1].Broken != model.BrokenCut || m.Stop != model.StopLength {
			t.Errorf("stop %q calls %+v %+v", m.Stop, calls[0], calls[1])
		}
	})
}

// TestStreamCutAnywhere cuts a stream after each event and in many places within, by an end and by a broken connection.
func TestStreamCutAnywhere(t *testing.T) {
	t.Parallel()
	reply := strings.TrimPrefix(whole, "-- reply --\n")
	each(t, func(t *testing.T, s speaker) {
		events, err := modeltest.Stream(s.api, reply)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(events, "")
		ends := map[int]bool{}
		for at, i := 0, 0; i < len(events); i++ {
			at += len(events[i])
			ends[at] = true
		}
		cut := &cutter{}
		server := httptest.NewServer(cut)
		t.Cleanup(server.Close)
		p := s.provider(t, vendor.Config{BaseURL: server.URL})
		for at := 0; at <= len(all); at++ {
			if ends[at] || at%61 == 0 {
				for _, broken := range []bool{false, true} {
					cut.body, cut.broken = all[:at], broken
					checkCut(t, p, s.request(), cut, at == len(all))
				}
			}
		}
	})
}

func checkCut(t *testing.T, p model.Provider, r model.Request, cut *cutter, isWhole bool) {
	t.Helper()
	m, err := stream(t.Context(), p, r)
	if isWhole {
		if err != nil || len(m.Calls()) != 2 || m.Stop != model.StopCalls {
			t.Errorf("the whole stream (broken %v): %v, stop %q", cut.broken, err, m.Stop)
		}
		return
	}
	e := failure(t, err)
	if e != nil && (e.Kind != model.ErrNetwork || m.Stop != model.StopError || m.Error == "") {
		t.Errorf("cut at %d: kind %q stop %q: %v", len(cut.body), e.Kind, m.Stop, e)
	}
	for _, c := range m.Calls() {
		if c.Broken == "" && (e != nil || m.Stop != model.StopCalls) {
			t.Errorf("cut at %d: call %+v may run, stop %q, error %v", len(cut.body), c, m.Stop, e)
		}
		if c.Broken == "" && string(c.Arguments) != `{"command": "ls -l"}` && string(c.Arguments) != `{}` {
			t.Errorf("cut at %d: call with arguments %s", len(cut.body), c.Arguments)
		}
	}
	if !strings.HasPrefix("I run two:\nnow — с душой 🙂", m.String()) {
		t.Errorf("cut at %d: text %q", len(cut.body), m.String())
	}
}

// TestAnswerIsCompleteOnceItsEndIsTold breaks the connection after the reason why the answer ends.
func TestAnswerIsCompleteOnceItsEndIsTold(t *testing.T) {
	t.Parallel()
	after := map[modeltest.API]int{modeltest.Messages: 1, modeltest.Chat: 2} // events that follow; in Responses none does
	each(t, func(t *testing.T, s speaker) {
		events, err := modeltest.Stream(s.api, "text hi\ncall c1 read {}")
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(&cutter{body: strings.Join(events[:len(events)-after[s.api]], ""), broken: true})
		t.Cleanup(server.Close)
		m, err := stream(t.Context(), s.provider(t, vendor.Config{BaseURL: server.URL}), s.request())
		if err != nil || m.Stop != model.StopCalls || m.Calls()[0].Broken != "" {
			t.Errorf("%v: stop %q, %+v", err, m.Stop, m.Calls())
		}
	})
}
