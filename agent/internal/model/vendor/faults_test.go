package vendor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
	"github.com/elyra-go/elyra/agent/internal/model/vendor"
)

func TestStatuses(t *testing.T) {
	t.Parallel()
	const page = "status: %d\ncontent-type: text/html\n\n<html><head><title>Bad gateway</title></head><body>nginx</body></html>"
	for _, tt := range []struct {
		name, response string
		kind           model.ErrorKind
		status         int
		says           string
	}{
		{"bad request", respond(400, "invalid_request_error", "messages: roles must alternate"), model.ErrInvalid, 400, "roles must alternate"},
		{"wrong key", respond(401, "authentication_error", "invalid key: "+key), model.ErrAuth, 401, "invalid key: [key]"},
		{"no credit", respond(402, "billing_error", "pay first"), model.ErrRefused, 402, "pay first"},
		{"no permission", respond(403, "permission_error", "not your model"), model.ErrRefused, 403, "not your model"},
		{"key without permission", respond(403, "permission_error", "your API key may not"), model.ErrAuth, 403, "may not"},
		{"unknown model", respond(404, "not_found_error", "model: m"), model.ErrInvalid, 404, "model: m"},
		{"too large", respond(413, "request_too_large", "32 MB"), model.ErrOverflow, 413, "32 MB"},
		{"overflow", respond(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"), model.ErrOverflow, 400, "210000"},
		{"rate limit", respond(429, "rate_limit_error", "slow down"), model.ErrRateLimit, 429, "slow down"},
		{"quota", respond(429, "insufficient_quota", "no more"), model.ErrRefused, 429, "no more"},
		{"server error", respond(500, "api_error", "oops"), model.ErrServer, 500, "oops"},
		{"unavailable", respond(503, "api_error", "later"), model.ErrOverloaded, 503, "later"},
		{"overloaded", respond(529, "overloaded_error", "Overloaded"), model.ErrOverloaded, 529, "Overloaded"},
		{"HTML page", fmt.Sprintf(page, 502), model.ErrServer, 502, `an HTML page ("Bad gateway")`},
		{"HTML page as an answer", fmt.Sprintf(page, 200), model.ErrServer, 200, "not with a stream"},
		{"empty body", "status: 500\n\n", model.ErrServer, 500, "internal server error"},
		{"text", "status: 404\ncontent-type: text/plain\n\n404 page not found", model.ErrInvalid, 404, "page not found"},
		{"redirection", "status: 307\nlocation: http://example.com/v1/messages\n\n", model.ErrInvalid, 307, "http://example.com; correct the base URL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s speaker) {
				m, _, failed := s.ask(t, "-- response --\n"+tt.response)
				if failed == nil || failed.Kind != tt.kind || failed.Status != tt.status || !strings.Contains(failed.Message, tt.says) {
					t.Fatalf("%+v", failed)
				}
				if !strings.HasPrefix(failed.Message, s.vendor+": ") || m.Stop != model.StopError || m.Error != failed.Error() {
					t.Errorf("error %q, message %+v", failed, m)
				}
			})
		})
	}
}

func respond(status int, kind, message string) string {
	return fmt.Sprintf("status: %d\nrequest-id: req_1\n\n{\"type\":\"error\",\"error\":{\"type\":%q,\"message\":%q}}", status, kind, message)
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		header string
		want   time.Duration
	}{
		{"retry-after: 7", 7 * time.Second},
		{"retry-after: 1.5", 1500 * time.Millisecond},
		{"retry-after-ms: 250\nretry-after: 9", 250 * time.Millisecond},
		{"retry-after: Tue, 01 Dec 2026 10:00:30 GMT\ndate: Tue, 01 Dec 2026 10:00:00 GMT", 30 * time.Second},
		{"retry-after: Tue, 01 Dec 2020 10:00:30 GMT\ndate: Tue, 01 Dec 2026 10:00:00 GMT", 0},
		{"retry-after: -3", 0},
		{"retry-after: soon", 0},
		{"retry-after: 1e300", 24 * time.Hour},
		{"retry-after: NaN", 0},
	} {
		t.Run(tt.header, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s speaker) {
				_, _, failed := s.ask(t, "-- response --\nstatus: 429\n"+tt.header+"\n\n{}")
				if failed == nil || failed.RetryAfter != tt.want {
					t.Errorf("%+v, want to wait %v", failed, tt.want)
				}
			})
		})
	}
}

func TestErrorInTheStream(t *testing.T) {
	t.Parallel()
	errorEvents := map[modeltest.API]string{
		modeltest.Messages:  `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_2"}`,
		modeltest.Responses: `{"type":"error","code":"server_is_overloaded","message":"Overloaded","param":null,"sequence_number":3}`,
		modeltest.Chat:      `{"id":"1","error":{"code":503,"message":"Overloaded"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`,
	}
	each(t, func(t *testing.T, s speaker) {
		events, err := modeltest.Stream(s.api, "text Half a\ncall c1 bash {}")
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Join(events[:len(events)-3], "")
		m, _, failed := s.ask(t, "-- response --\n"+body+errorEvents[s.api]+"\n")
		if failed == nil || failed.Kind != model.ErrOverloaded || !strings.Contains(failed.Message, "Overloaded") {
			t.Fatalf("%+v", failed)
		}
		if m.String() != "Half a" || len(m.Calls()) != 1 || m.Calls()[0].Broken == "" || m.Stop != model.StopError {
			t.Errorf("message %+v %+v", m, m.Calls())
		}
	})
}

func TestSilentServer(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]string{
		"at once":       "#hang",
		"in the middle": "text Half a\n#hang",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s speaker) {
				p := s.provider(t, vendor.Config{BaseURL: s.serve(t, "-- reply --\n"+reply).URL, Idle: 200 * time.Millisecond})
				m, err := stream(t.Context(), p, s.request())
				e := failure(t, err)
				if e == nil || e.Kind != model.ErrNetwork || !strings.Contains(e.Message, "silent for 200ms") {
					t.Fatalf("%v", err)
				}
				if want := strings.TrimPrefix(strings.TrimSuffix(reply, "#hang"), "text "); m.String() != strings.TrimSpace(want) {
					t.Errorf("text %q", m.String())
				}
			})
		})
	}
}

func TestPingsKeepAStreamAlive(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s speaker) {
		events, err := modeltest.Stream(s.api, "text slow")
		if err != nil {
			t.Fatal(err)
		}
		script := "-- response --\n" + events[0]
		for range 6 {
			script += "#delay 80ms\n: ping\n\n"
		}
		p := s.provider(t, vendor.Config{BaseURL: s.serve(t, script+strings.Join(events[1:], "")).URL, Idle: 300 * time.Millisecond})
		if m, err := stream(t.Context(), p, s.request()); err != nil || m.String() != "slow" {
			t.Errorf("%q, %v", m.String(), err)
		}
	})
}

func TestCancelKeepsWhatCame(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s speaker) {
		p := s.provider(t, vendor.Config{BaseURL: s.serve(t, "-- reply --\ntext Half a\n#hang\n").URL})
		ctx, cancel := context.WithCancel(t.Context())
		got := ""
		m, err := p.Stream(ctx, s.request(), func(e model.Event) {
			if got += e.Text; got == "Half a" {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || m.Stop != model.StopCancelled || m.String() != "Half a" || m.Error != "" {
			t.Errorf("%v: stop %q text %q error %q", err, m.Stop, m.String(), m.Error)
		}
		// Only Anthropic tells the usage of the input before the end.
		if s.api == modeltest.Messages && (m.Usage == nil || m.Usage.Input != 10 || m.Cost == 0) {
			t.Errorf("usage %+v cost %v", m.Usage, m.Cost)
		}
	})
}

func TestCancelledBeforeItBegins(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s speaker) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		m, err := stream(ctx, s.provider(t, vendor.Config{BaseURL: "http://127.0.0.1:1"}), s.request())
		if !errors.Is(err, context.Canceled) || m.Stop != model.StopCancelled {
			t.Errorf("%v, stop %q", err, m.Stop)
		}
	})
}

func TestServerThatIsNotThere(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s speaker) {
		_, err := stream(t.Context(), s.provider(t, vendor.Config{BaseURL: "http://127.0.0.1:1"}), s.request())
		if e := failure(t, err); e == nil || e.Kind != model.ErrNetwork || !strings.Contains(e.Message, "127.0.0.1:1") {
			t.Errorf("%v", err)
		}
	})
}

func TestProxyOfTheGivenClient(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s speaker) {
		server := s.serve(t, "-- reply --\ntext by proxy")
		target, err := url.Parse(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		proxied := make(chan string, 8)
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			proxied <- r.URL.Host
			out := r.Clone(r.Context())
			out.RequestURI, out.URL.Host = "", target.Host
			response, err := http.DefaultTransport.RoundTrip(out)
			if err != nil {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			defer response.Body.Close()
			w.Header().Set("Content-Type", response.Header.Get("Content-Type"))
			w.WriteHeader(response.StatusCode)
			_, _ = io.Copy(w, response.Body)
		}))
		t.Cleanup(proxy.Close)
		through, _ := url.Parse(proxy.URL)
		client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(through)}}
		base := strings.Replace(server.URL, target.Host, "models.local", 1)
		m, err := stream(t.Context(), s.provider(t, vendor.Config{BaseURL: base, HTTP: client}), s.request())
		client.CloseIdleConnections()
		if err != nil || m.String() != "by proxy" || <-proxied != "models.local" {
			t.Errorf("%q, %v", m.String(), err)
		}
	})
}
