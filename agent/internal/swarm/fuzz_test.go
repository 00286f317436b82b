package swarm

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/ratelimit"
)

// Whatever a child tells, what it has used only grows, it is kept in one session, and what is shown is a line.
func FuzzHeard(f *testing.F) {
	for _, notice := range [][2]string{
		{noticeSaid, `{"text":"a\n\u001b[31mb"}`},
		{noticeSpent, `{"usage":{"input":1,"output":2},"cost":0.5,"requests":1}`},
		{noticeSpent, `{"usage":{"input":-1,"output":2},"cost":-1e308,"requests":-1}`},
		{noticeSpent, `{"cost":1e309}`},
		{noticeKept, `{"session":"0123"}`},
		{noticeKept, `{"session":""}`},
		{"other", `null`},
	} {
		f.Add(notice[0], notice[1])
	}
	f.Fuzz(func(t *testing.T, method, params string) {
		kept := 0
		c := &child{pace: ratelimit.New(maxSaids, 1), progress: func(text string) {
			for _, r := range text {
				if r < ' ' || len(text) > 4*maxSaid {
					t.Fatalf("shown %q", text)
				}
			}
		}}
		c.kit = Kit{Kept: func(string) error { kept++; return nil }}.withDefaults()
		for range 2 { // The second time takes back nothing.
			before := c.spent
			c.hear(method, jsontext.Value(params)) //nolint:errcheck // Most of it is nonsense.
			if now := c.spent; now.Requests < before.Requests || !(now.Cost >= before.Cost) || now.Usage.Total() < before.Usage.Total() {
				t.Errorf("spent %+v after %+v", now, before)
			}
		}
		if kept > 1 {
			t.Errorf("kept in %d sessions", kept)
		}
	})
}
