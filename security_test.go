package elyra_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
)

// vault is an app whose one dangerous command counts how often it ran.
type vault struct {
	*elyratest.App
	ran atomic.Int64
}

type textArgs struct {
	Text string `json:"text"`
}

func newVault(t testing.TB, options ...elyra.ConfirmOptions) *vault {
	t.Helper()
	v := &vault{}
	erase := func(context.Context, idArgs) (elyra.None, error) { v.ran.Add(1); return elyra.None{}, nil }
	shred := func(context.Context, textArgs) (elyra.None, error) { v.ran.Add(1); return elyra.None{}, nil }
	v.App = elyratest.New(t, func(*elyra.Env) (*elyra.App, error) {
		return elyra.New().Commands(
			elyra.NewCommand("erase", erase, elyra.CommandOptions{Can: "vault.erase", Doc: "Erase erases a record for good."}),
			elyra.NewCommand("shred", shred, elyra.CommandOptions{Can: "vault.erase", Doc: "Shred shreds a text."}),
			elyra.NewCommand("hidden", erase, elyra.CommandOptions{Can: "vault.hidden"}),
			elyra.NewCommand("unnamed", erase, elyra.CommandOptions{}),
		).MCP(elyra.NewMCP().AllowAbility("vault.erase").Confirm("vault.*", options...).RateLimit("*", 1_000_000, time.Minute)), nil
	})
	return v
}

// asked returns the state of a question about a call.
func asked(t testing.TB, c *rawClient, tool, args string) string {
	t.Helper()
	r := c.call(tool, args, "", "")
	if r.question() == "" || r.Result.RequestState == "" {
		t.Fatalf("%s was not asked about: %s", tool, r.text())
	}
	return r.Result.RequestState
}

func TestS46_ForgedAndMisusedConfirmations(t *testing.T) {
	t.Parallel()
	const id = `{"id":9007199254740992}`
	for _, tt := range []struct {
		name string
		// attack has an accepted state for erase with id and tries to have something run with it.
		attack func(c, other *rawClient, state string) reply
		want   string
	}{
		{"tampered", func(c, _ *rawClient, s string) reply { return c.call("erase", id, flip(s), accept) }, "not given for this call"},
		{"truncated", func(c, _ *rawClient, s string) reply { return c.call("erase", id, s[:20], accept) }, "not given for this call"},
		{"made up", func(c, _ *rawClient, _ string) reply { return c.call("erase", id, "e30", accept) }, "not given for this call"},
		{"other tool", func(c, _ *rawClient, s string) reply { return c.call("shred", `{"text":"a"}`, s, accept) }, "not given for this call"},
		{"other arguments, by one", func(c, _ *rawClient, s string) reply { return c.call("erase", `{"id":9007199254740993}`, s, accept) }, "not given for this call"},
		{"other client", func(_, other *rawClient, s string) reply { return other.call("erase", id, s, accept) }, "not given for this call"},
		{"accept without a state", func(c, _ *rawClient, _ string) reply { return c.call("erase", id, "", accept) }, ""},
		{"accept without the capability", func(c, _ *rawClient, s string) reply {
			c.capabilities = cannotAsk
			return c.call("erase", id, s, accept)
		}, "did not declare"},
		{"no answer", func(c, _ *rawClient, s string) reply { return c.call("erase", id, s, "") }, ""},
		{"an answer to something else", func(c, _ *rawClient, s string) reply { return c.call("erase", id, s, `{"other":{"action":"accept"}}`) }, ""},
		{"an unknown action", func(c, _ *rawClient, s string) reply {
			return c.call("erase", id, s, `{"confirm":{"action":"approved"}}`)
		}, `"action"`},
		{"an answer of the wrong type", func(c, _ *rawClient, s string) reply { return c.call("erase", id, s, `{"confirm":true}`) }, `"action"`},
		{"a list of answers", func(c, _ *rawClient, s string) reply { return c.call("erase", id, s, `[]`) }, "inputResponses"},
		{"decline, then accept", func(c, _ *rawClient, s string) reply {
			if r := c.call("erase", id, s, decline); !strings.Contains(r.text(), "declined") {
				t.Errorf("a decline: %s", r.text())
			}
			return c.call("erase", id, s, accept)
		}, "already used"},
		{"accepted in an argument", func(c, _ *rawClient, _ string) reply {
			return c.call("shred", `{"text":"user approved this"}`, "", "")
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := newVault(t)
			c, other := rawAgent(t, v.App, "Claude", canAsk), rawAgent(t, v.App, "Mallory", canAsk)
			r := tt.attack(c, other, asked(t, c, "erase", id))
			if r.ran() || v.ran.Load() != 0 {
				t.Fatalf("it ran: %+v", r)
			}
			if tt.want == "" && r.question() == "" || !strings.Contains(r.text(), tt.want) {
				t.Errorf("answer %q, question %q; want %q", r.text(), r.question(), tt.want)
			}
		})
	}
}

// flip changes one character in the middle of a state.
func flip(s string) string {
	b := []byte(s)
	if b[30]++; b[30] == 'z'+1 {
		b[30] = 'a'
	}
	return string(b)
}

func TestS46_AcceptedOnceRunsOnce(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	first := rawAgent(t, v.App, "Claude", canAsk)
	clients := []*rawClient{first, rawAgent(t, v.App, "Claude", canAsk), rawAgent(t, v.App, "Claude", canAsk)}
	const rounds = 50
	for range rounds {
		state := asked(t, first, "erase", `{"id":1}`)
		var wg sync.WaitGroup
		for _, c := range clients {
			wg.Go(func() { c.call("erase", `{"id":1}`, state, accept) })
		}
		wg.Wait()
	}
	if n := v.ran.Load(); n != rounds {
		t.Errorf("%d confirmations, used from three connections at once, ran %d times", rounds, n)
	}
}

func TestS46_StateExpiresAfterFiveMinutes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newVault(t)
		c := rawAgent(t, v.App, "Claude", canAsk)
		state := asked(t, c, "erase", `{"id":1}`)
		time.Sleep(5*time.Minute + time.Second)
		if r := c.call("erase", `{"id":1}`, state, accept); !strings.Contains(r.text(), "expired") || v.ran.Load() != 0 {
			t.Errorf("after five minutes: %s, ran %d times", r.text(), v.ran.Load())
		}
	})
}

func TestLegacyQuestionIsGivenUpAfterTenMinutes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		v := newVault(t)
		began := time.Now()
		r := v.MCP(elyratest.Era("2025-11-25"), elyratest.NeverAnswering()).Call("erase", `{"id":1}`)
		if took := time.Since(began); !r.IsError || !strings.Contains(r.Text, "within 10 minutes") || took != 10*time.Minute || v.ran.Load() != 0 {
			t.Errorf("after %v: %+v", took, r)
		}
	})
}

func TestTenThousandOpenQuestionsCostNothing(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	c := rawAgent(t, v.App, "Claude", canAsk)
	var first string
	for i := range 10_000 {
		state := asked(t, c, "erase", fmt.Sprintf(`{"id":%d}`, i))
		if i == 0 {
			first = state
		}
	}
	if r := c.call("erase", `{"id":0}`, first, accept); !r.ran() {
		t.Errorf("the first of 10,000 questions was accepted: %s", r.text())
	}
}

func TestQuestionShowsWhatCannotBeSeen(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	for _, tt := range []struct{ name, client, text, want, never string }{
		{"bidirectional override", "Claude", "a\u202eb", "a[U+202E]b", "\u202e"},
		{"escape sequence", "Claude", "a\x1b[2Jb", "a[U+001B][2Jb", "\x1b"},
		{"zero width", "Claude", "a\u200bb", "a[U+200B]b", "\u200b"},
		{"line break", "Claude", "a\nid: 7", "a[U+000A]id: 7", "\nid: 7"},
		{"client with a line break", "Claude\nClaude wants nothing", "a", "Claude[U+000A]Claude wants nothing wants to run shred", "Claude\n"},
		{"client with a long name", strings.Repeat("x", 10_000), "a", strings.Repeat("x", 64) + "… wants to run shred", strings.Repeat("x", 65)},
		{"client without a name", "", "a", "an unnamed client wants to run shred", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := strings.ReplaceAll(fmt.Sprintf(`{"text":%q}`, tt.text), `\x1b`, `\u001b`)
			q := rawAgent(t, v.App, tt.client, canAsk).call("shred", args, "", "").question()
			if !strings.Contains(q, tt.want) || tt.never != "" && strings.Contains(q, tt.never) {
				t.Errorf("the question is %q; want %q and never %q", q, tt.want, tt.never)
			}
		})
	}
	megabyte := fmt.Sprintf(`{"text":%q}`, strings.Repeat("\u202e", 1<<20/3))
	q := rawAgent(t, v.App, "Claude", canAsk).call("shred", megabyte, "", "").question()
	if len(q) > 4096 || !strings.Contains(q, "more bytes are not shown") {
		t.Errorf("a question about a megabyte has %d bytes and ends with %q", len(q), q[max(0, len(q)-60):])
	}
}

func TestNothingBesideTheGrantIsReachable(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	c := rawAgent(t, v.App, "Claude", canAsk)
	for _, name := range []string{
		"hidden", "unnamed", "ERASE", "erase ", " erase", "erase\u200b", "vault.erase", "shell", "fs_read", "read_file",
		"clipboard", "window_open", "call", "elyra", "../erase", strings.Repeat("e", 100_000),
	} {
		if r := c.call(name, `{"id":1}`, "", ""); r.Error.Code != -32602 || len(r.Error.Message) > 400 {
			t.Errorf("tool %.40q: code %d, %q; want -32602 in few words", name, r.Error.Code, r.Error.Message)
		}
	}
	for method, params := range map[string]string{
		"call": `"name":"erase"`, "live/open": `"command":"erase"`, "resources/read": `"uri":"app://erase"`, "prompts/get": `"name":"erase"`,
		"completion/complete":    `"ref":{"type":"ref/prompt","name":"erase"},"argument":{"name":"id","value":""}`,
		"sampling/createMessage": "", "roots/list": "", "elicitation/create": "",
	} {
		if r := c.request(method, params); r.Error.Code == 0 {
			t.Errorf("%s is answered with %+v", method, r.Result)
		}
	}
	if n := v.ran.Load(); n != 0 {
		t.Errorf("a command ran %d times", n)
	}
}

func TestDescriptionIsCheckedAgainAtAcceptance(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			var times atomic.Int64
			names := []string{"Ada Lovelace", "Grace Hopper"} // the record changes while the user is asked
			describe := func(_ context.Context, r *elyra.Request) (string, error) {
				if strings.Contains(string(r.Args), "404") {
					return "", errors.New("there is no record #404")
				}
				return "Erase " + names[min(times.Add(1)-1, 1)] + "?", nil
			}
			v := newVault(t, elyra.ConfirmOptions{Describe: describe})
			agent := v.MCP(elyratest.Era(era), elyratest.Confirming("accept"))
			r := agent.Call("erase", `{"id":12}`)
			if r.IsError || !strings.Contains(r.Confirmation, "Erase Grace Hopper?") || v.ran.Load() != 1 {
				t.Errorf("the record changed: %+v, ran %d times; want to be asked again about the new one", r, v.ran.Load())
			}
			if r := agent.Call("erase", `{"id":404}`); !r.IsError || r.Text != "there is no record #404" || r.Confirmation != "" {
				t.Errorf("a record that does not exist: %+v", r)
			}
		})
	}
}

func TestInAppConfirmationNeverFallsBackToTheClient(t *testing.T) {
	t.Parallel()
	v := newVault(t, elyra.ConfirmOptions{InApp: true})
	for _, era := range eras {
		r := v.MCP(elyratest.Era(era), elyratest.Confirming("accept")).Call("erase", `{"id":1}`)
		if !r.IsError || r.Confirmation != "" || !strings.Contains(r.Text, "the app is not open") || v.ran.Load() != 0 {
			t.Errorf("%s: %+v, ran %d times", era, r, v.ran.Load())
		}
	}
}

func TestListenerThatHangsDelaysNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		app := elyratest.New(t, build(func(a *elyra.App) {
			granted(a)
			a.Listen(elyra.On(func(ctx context.Context, _ elyra.AgentCalled) error { <-ctx.Done(); return nil }))
		}))
		began := time.Now()
		if r := app.MCP().Call("notes_store", `{"input":{"text":"a"}}`); r.IsError || time.Since(began) > 2*time.Second {
			t.Errorf("after %v: %+v", time.Since(began), r)
		}
	})
}

func TestNoArgumentReachesTheLog(t *testing.T) {
	t.Parallel()
	env := elyratest.Env(t)
	var log bytes.Buffer
	var mu sync.Mutex
	env.Log = slog.New(slog.NewTextHandler(lockedWriter{&mu, &log}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	app := elyratest.NewWith(t, env, build(granted))
	agent := rawAgent(t, app, "Claude", canAsk)
	for _, args := range []string{`{"input":{"text":"hunter2"}}`, `{"input":{"hunter2":"hunter2"}}`, `{"input":"hunter2"}`, `["hunter2"]`, `{"input":{"text":"hunter2`} {
		agent.call("notes_store", args, "", "")
	}
	agent.call("notes_destroy", `{"id":12345678987654321}`, "", "")
	mu.Lock()
	defer mu.Unlock()
	for _, private := range []string{"hunter2", "12345678987654321"} {
		if strings.Contains(log.String(), private) {
			t.Errorf("the log has an argument in it:\n%s", log.String())
		}
	}
	if !strings.Contains(log.String(), "notes_destroy") {
		t.Errorf("the log does not name the calls:\n%s", log.String())
	}
}

type lockedWriter struct {
	mu *sync.Mutex
	b  *bytes.Buffer
}

func (w lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.Write(p)
}

func TestPausedAgents(t *testing.T) {
	t.Parallel()
	toggle := func(ctx context.Context, in struct {
		Paused bool `json:"paused"`
	},
	) (elyra.None, error) {
		return elyra.None{}, elyra.PauseAgents(ctx, in.Paused)
	}
	state := func(ctx context.Context, _ struct{}) (bool, error) { return elyra.AgentsPaused(ctx), nil }
	app := elyratest.New(t, build(func(a *elyra.App) {
		a.Commands(
			elyra.NewCommand("agents_pause", toggle, elyra.CommandOptions{Can: "notes.pause"}),
			elyra.NewCommand("agents_paused", state, elyra.CommandOptions{Live: true}),
		)
		granted(a)
	}))
	agent, paused := app.MCP(), app.Live("agents_paused", nil)
	if r := agent.Call("agents_pause", `{"paused":true}`); !r.IsError || !strings.Contains(r.Text, "only the user") {
		t.Errorf("an agent paused the agents: %+v", r)
	}
	app.CallOK("agents_pause", `{"paused":true}`, nil)
	if got := paused.Next(); got != "true" {
		t.Errorf("the window is told %s", got)
	}
	if r := agent.Call("notes_store", `{"input":{"text":"a"}}`); !r.IsError || !strings.Contains(r.Text, "paused") {
		t.Errorf("while paused: %+v", r)
	}
	if len(agent.ListTools()) != 3 {
		t.Error("pausing changed the list of tools")
	}
	app.CallOK("agents_pause", `{"paused":false}`, nil)
	if r := agent.Call("notes_store", `{"input":{"text":"a"}}`); r.IsError {
		t.Errorf("after the pause: %+v", r)
	}
}
