package search

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzWords(f *testing.F) {
	for _, s := range []string{"getHTTPResponse2", "天气weather날씨", "Me\u0301te\u0301o", "x\xff\xc3y", "ÀÉ ß œ Ё", "\u0e01\u0e34", "URLs IDs", "\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for i := 0; ; {
			start, end, dense := nextRun(s, i)
			if start == len(s) {
				break
			}
			if start < last || end <= start || end > len(s) {
				t.Fatalf("run %d:%d after %d in %q", start, end, last, s)
			}
			run := s[start:end]
			if !utf8.ValidString(run) {
				t.Fatalf("the run %q is not UTF-8", run)
			}
			if strings.Join(parts(run), "") != run {
				t.Fatalf("parts of %q: %q", run, parts(run))
			}
			if dense {
				at := 0
				pairs(run, func(start, end int) {
					if start < at || end > len(run) || utf8.RuneCountInString(run[start:end]) > 2 {
						t.Fatalf("pair %d:%d of %q", start, end, run)
					}
					at = start
				})
			}
			if p := plain(run); !utf8.ValidString(p) || !utf8.ValidString(stem(p)) {
				t.Fatalf("%q became %q and %q", run, p, stem(p))
			}
			i, last = end, end
		}
		first, rest := split(s)
		if len(first) > sentenceBytes || len(first)+len(rest) > descriptionBytes {
			t.Fatalf("%d and %d bytes of a description", len(first), len(rest))
		}
	})
}

func FuzzReadSchema(f *testing.F) {
	f.Add(`{"type":"object","properties":{"city":{"description":"Name of \"it\"","enum":["a","b"]}}}`)
	f.Add(`{"description":"\`)
	f.Add(`[[[[{"a":[1,2,{}],"title":"\ud800"`)
	f.Fuzz(func(t *testing.T, schema string) {
		read := 0
		count := func(s string) { read += len(s) }
		readSchema(schema, count, count)
		if read > 3*len(schema) { // an escape that is no character becomes three bytes
			t.Fatalf("%d bytes out of %d", read, len(schema))
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add("get weather", "get_weather", "Weather of a city.", `{"properties":{"city":{}}}`)
	f.Add("天气", "cha_tianqi", "查询天气", `{`)
	f.Add("getwheather /etc/passwd", "getWeather", "\xff", ``)
	base := corpus(f)
	f.Fuzz(func(t *testing.T, query, name, description, schema string) {
		docs := append(base[:len(base):len(base)], Document{
			Server: "fuzz", Name: name, Description: description, InputSchema: []byte(schema),
		})
		x := New(docs)
		hits := x.Find(query, Options{})
		if len(hits) > 8 {
			t.Fatalf("%d hits", len(hits))
		}
		for i, h := range hits {
			if h.Document < 0 || h.Document >= len(docs) || !(h.Score > 0) || math.IsInf(h.Score, 0) || i > 0 && hits[i-1].Score < h.Score {
				t.Fatalf("hit %d of %v", i, hits)
			}
		}
		if n := len(x.Suggest(query)); n > maxSuggestions {
			t.Fatalf("%d suggestions", n)
		}
	})
}
