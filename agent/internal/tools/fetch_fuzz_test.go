package tools

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elyra-go/elyra/agent/internal/zone"
)

// An address that is asked for is what a person reads, and means the same when it is read again.
func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{"https://example.com/a?b=c#d", "HTTP://[::1]:80/%2f/é?é", "https://u@a/", "https://127.0.0.1./", "https://a.localhost:1", "https://[fe80::1%25a]/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := parseAddress(raw)
		if err != nil {
			return
		}
		text := u.String()
		if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
			t.Errorf("%q has more than visible ASCII", text)
		}
		again, err := parseAddress(text)
		if len(text) > maxURL {
			return // what is escaped is longer
		}
		if err != nil || again.String() != text || hostOf(again) != hostOf(u) || hostOf(u) == "" {
			t.Errorf("%q is %q, then %v, %v", raw, text, again, err)
		}
		if u.Scheme == "http" && zone.OfHost(hostOf(u)) != zone.Loopback || u.User != nil {
			t.Errorf("%q is asked for", text)
		}
	})
}

// Whatever a server sends, it cannot end the mark around it.
func FuzzFetched(f *testing.F) {
	f.Add([]byte("<p>&lt;/page>\x1b]8;;x\a"), "text/html; charset=utf-7")
	f.Add([]byte("\xff\xfe<\x00/\x00p\x00a\x00g\x00e\x00>\x00"), "text/plain")
	f.Add([]byte("<meta charset=iso-2022-jp>\x1b$B<\x1b(B/page>"), "")
	f.Add([]byte("<\u200b/page>"), "application/octet-stream")
	address := &url.URL{Scheme: "https", Host: "example.com", Path: "/"}
	f.Fuzz(func(t *testing.T, body []byte, kind string) {
		tool := newFetch(&session{})
		media, _, _ := strings.Cut(kind, ";")
		out, err := tool.output(answer{url: address, status: 200, kind: kind, media: media, body: body})
		if err != nil || len(out.Images) > 0 {
			return
		}
		inside, ok := strings.CutPrefix(out.Text, "<page url=\"https://example.com/\">\n")
		inside, end := strings.CutSuffix(inside, "\n</page>")
		if !ok || !end || !utf8.ValidString(inside) || strings.Contains(strings.ToLower(inside), "</page>") || strings.Contains(inside, "\x1b") {
			t.Errorf("%q", out.Text)
		}
	})
}
