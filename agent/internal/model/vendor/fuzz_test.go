package vendor_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
	"github.com/elyra-go/elyra/agent/internal/model/vendor"
)

// canned is a transport that answers everything with a stream.
type canned string

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(string(c))),
	}, nil
}

// FuzzStream gives all adapters a stream of bytes. None may panic, and no call may run without a regular end.
func FuzzStream(f *testing.F) {
	reply := strings.TrimPrefix(whole, "-- reply --\n")
	for _, s := range speakers {
		events, err := modeltest.Stream(s.api, reply)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(strings.Join(events, ""))
		f.Add(strings.Join(events[len(events)/2:], ""))
		f.Add(strings.ReplaceAll(strings.Join(events, ""), `:0,`, `:null,`))
		f.Add(strings.ReplaceAll(strings.Join(events, ""), `"index":`, `"error":`))
	}
	f.Add("data: {\"choices\":[{\"delta\":{\"content\":[{\"thinking\":[{}]}],\"tool_calls\":[{}]}}]}\n\ndata: [DONE]\n\n")
	catalog := model.NewCatalog(nil)
	f.Fuzz(func(t *testing.T, body string) {
		for _, s := range speakers {
			p, err := vendor.NewProvider(catalog, s.vendor, vendor.Config{
				BaseURL: "http://127.0.0.1", Key: key, HTTP: &http.Client{Transport: canned(body)},
			})
			if err != nil {
				t.Fatal(err)
			}
			m, err := stream(t.Context(), p, s.request())
			if (err != nil) != (m.Stop == model.StopError) || m.Content == nil {
				t.Fatalf("%s: %v, stop %q", s.api, err, m.Stop)
			}
			failure(t, err)
			for _, c := range m.Calls() {
				if c.Broken == "" && m.Stop != model.StopCalls && m.Stop != model.StopLength {
					t.Fatalf("%s: %+v may run after stop %q", s.api, c, m.Stop)
				}
			}
			r := s.request()
			r.Messages = append(r.Messages, m, r.Messages[0]) // whatever came can be sent back
			if _, err := stream(t.Context(), p, r); (err != nil) != (m.Stop == model.StopError) {
				t.Fatalf("%s: %v", s.api, err)
			}
		}
	})
}
