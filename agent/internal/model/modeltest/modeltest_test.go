package modeltest_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
)

// post sends a body and returns status and answer.
func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Api-Key", "secret")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(text)
}

func TestRequestsAreHeldAgainstTheScript(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, request, body, problem string }{
		{"a part", `{"a": {"b": 1}}`, `{"a": {"b": 1, "c": 2}, "d": 3}`, ""},
		{"another value", `{"a": {"b": 1}}`, `{"a": {"b": 2}}`, "body.a.b is 2, want 1"},
		{"missing", `{"a": 1}`, `{}`, `body has no "a"`},
		{"any value", `{"a": "*"}`, `{"a": [1]}`, ""},
		{"expression", `{"a": "~^x+$"}`, `{"a": "xxx"}`, ""},
		{"expression that does not match", `{"a": "~^x+$"}`, `{"a": "y"}`, "want a match of ^x+$"},
		{"absent", `{"a": "absent"}`, `{}`, ""},
		{"not absent", `{"a": "absent"}`, `{"a": 1}`, `want "absent"`},
		{"all of an array", `{"a": [1, 2]}`, `{"a": [1, 2, 3]}`, "has 3 elements, want 2"},
		{"end of an array", `{"a": ["...", 2, 3]}`, `{"a": [1, 2, 3]}`, ""},
		{"beginning of an array", `{"a": [1, "..."]}`, `{"a": [1, 2, 3]}`, ""},
		{"too short an array", `{"a": ["...", 1, 2]}`, `{"a": [2]}`, "has 1 elements, want 2"},
		{"header", "x-api-key: secret\n\n{}", `{}`, ""},
		{"another header", "x-api-key: other\n\n{}", `{}`, `header X-Api-Key is ["secret"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := modeltest.Start("-- request --\n" + tt.request + "\n-- reply --\ntext ok\n")
			if err != nil {
				t.Fatal(err)
			}
			status, answer := post(t, s.URL+"/chat/completions", tt.body)
			problems := strings.Join(s.Close(), "\n")
			if (status == 200) != (tt.problem == "") || !strings.Contains(problems, tt.problem) || tt.problem == "" && problems != "" {
				t.Errorf("status %d, problems %q, answer %s", status, problems, answer)
			}
		})
	}
}

func TestPrefixIsHeld(t *testing.T) {
	t.Parallel()
	const other = `{"messages":[{"role":"system","content":"b"}]}`
	for script, problems := range map[string]int{
		"-- reply --\n-- reply --\n":                               1,
		"prefix: free\n-- reply --\n-- reply --\n":                 0,
		"-- reply --\n-- request --\nprefix: new\n\n-- reply --\n": 0,
	} {
		s, err := modeltest.Start(script)
		if err != nil {
			t.Fatal(err)
		}
		post(t, s.URL+"/chat/completions", `{"messages":[{"role":"system","content":"a"},{"role":"user"}]}`)
		post(t, s.URL+"/chat/completions", other)
		if got := s.Close(); len(got) != problems {
			t.Errorf("%q: %q", script, got)
		}
	}
}

func TestOrderAndRest(t *testing.T) {
	t.Parallel()
	s, err := modeltest.Start("order: any\n-- request --\n{\"n\": 1}\n-- reply --\ntext one\n-- request --\n{\"n\": 2}\n-- reply --\ntext two\n-- reply --\ntext rest\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, answer := post(t, s.URL+"/chat/completions", `{"n":2}`); !strings.Contains(answer, "two") {
		t.Error(answer)
	}
	if _, answer := post(t, s.URL+"/chat/completions", `{"n":1}`); !strings.Contains(answer, "one") {
		t.Error(answer)
	}
	if got := s.Close(); !slices.Equal(got, []string{"exchange 3 was never asked for"}) {
		t.Errorf("%q", got)
	}
	s, err = modeltest.Start("-- reply --\ntext one\n")
	if err != nil {
		t.Fatal(err)
	}
	post(t, s.URL+"/messages", `{}`)
	post(t, s.URL+"/messages", `{}`)
	post(t, s.URL+"/elsewhere", `{}`)
	if got := s.Close(); len(got) != 2 || !strings.Contains(got[0], "no exchange left") || !strings.Contains(got[1], "to a path") {
		t.Errorf("%q", got)
	}
}

func TestDelayCutAndHeaders(t *testing.T) {
	t.Parallel()
	s := modeltest.OpenAI(t, "-- response --\nretry-after: 3\n\n{\"a\":1}\n#delay 30ms\ndata: raw\n\n-- response --\nstatus: 503\n\nno\n")
	begin := time.Now()
	if status, answer := post(t, s.URL+"/responses", `{}`); status != 200 || answer != "event: \ndata: {\"a\":1}\n\ndata: raw\n\n" || time.Since(begin) < 30*time.Millisecond {
		t.Errorf("%d %q", status, answer)
	}
	if status, answer := post(t, s.URL+"/responses", `{}`); status != 503 || answer != "no\n" {
		t.Errorf("%d %q", status, answer)
	}
}

func TestScriptsThatAreWrong(t *testing.T) {
	t.Parallel()
	for script, says := range map[string]string{
		"-- answer --\n":                     "not request, reply or response",
		"-- request --\n{}\n":                "has no answer",
		"-- reply --\nsay hello\n":           `"say hello" is no line of a reply`,
		"-- reply --\n#jump\n":               "is no directive",
		"-- reply --\nusage input=many\n":    "usage input=many",
		"-- reply --\ntext \"a\n":            "text",
		"-- response --\nstatus: fine\n\n{}": "is no number",
	} {
		if _, err := modeltest.Start(script); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", script, err, says)
		}
	}
}
