package search

import (
	"slices"
	"strings"
	"testing"
)

func TestParts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"getCurrentTime", "get current time"},
		{"get_current-time", "get current time"},
		{"getHTTPResponse2", "get http response 2"},
		{"APIKeys of URLs and PDFs", "api keys of urls and pdfs"},
		{"12306 base64 s3", "12306 base 64 s 3"},
		{"iPhone's GitHub", "i phone s git hub"},
		{"Météo à Besançon, größe", "meteo a besancon grosse"},
		{"Me\u0301te\u0301o", "meteo"},
		{"ЁЛКА", "елка"},
		{"x\xffy", "x y"},
		{"天气 weather", "weather"},
		{"", ""},
	} {
		if got := strings.Join(partsOf(tt.text), " "); got != tt.want {
			t.Errorf("partsOf(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestStem(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"generate", "generates", "generated", "generating", "generation", "generator"},
		{"file", "files"},
		{"query", "queries"},
		{"map", "maps", "mapping", "mapped"},
		{"search", "searches", "searched", "searching", "searcher"},
		{"box", "boxes"},
		{"analysis"},
		{"locate", "location", "locations", "located"},
		{"write", "writing", "writes"},
	} {
		for _, w := range same {
			if stem(w) != stem(same[0]) {
				t.Errorf("stem(%q) = %q, stem(%q) = %q", w, stem(w), same[0], stem(same[0]))
			}
		}
	}
	for _, w := range []string{"status", "string", "speed", "user", "class", "погода", "id"} {
		if got := stem(w); got != w {
			t.Errorf("stem(%q) = %q", w, got)
		}
	}
}

func TestPairs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ run, want string }{
		{"天气预报", "天气 气预 预报"}, {"天", "天"}, {"날씨를", "날씨 씨를"},
	} {
		var got []string
		pairs(tt.run, func(start, end int) { got = append(got, tt.run[start:end]) })
		if strings.Join(got, " ") != tt.want {
			t.Errorf("pairs of %q: %q", tt.run, got)
		}
	}
}

func TestSplitSentence(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, first, rest string }{
		{"Reads a file.txt there. Then more.", "Reads a file.txt there", ". Then more."},
		{"  Reads the whole thing\nArgs: x", "Reads the whole thing", "\nArgs: x"},
		{"获取今日新闻热榜。其他", "获取今日新闻热榜", "。其他"},
		{"Short", "Short", ""},
		{"", "", ""},
	} {
		if first, rest := split(tt.text); first != tt.first || rest != tt.rest {
			t.Errorf("split(%q) = %q, %q", tt.text, first, rest)
		}
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want int
	}{{"forcast", "forecast", 1}, {"wether", "weather", 1}, {"invocie", "invoice", 1}, {"abc", "abc", 0}, {"", "abc", 3}} {
		if got := changes(tt.a, tt.b); got != tt.want {
			t.Errorf("changes(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestReadSchema(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, schema, names, texts string }{
		{
			"names, texts, values",
			`{"type":"object","title":"Args","properties":{"city":{"type":"string","description":"Name of \"it\""},"units":{"enum":["metric","imperial",3,null]}},"required":["city"]}`,
			"city units", "Args|Name of \"it\"|metric|imperial",
		},
		{"a property called description", `{"properties":{"description":{"type":"string"}, "properties":{"const":"x"}}}`, "description properties", "x"},
		{"nested", `{"properties":{"a":{"items":{"properties":{"b":{"description":"B"}}}},"c":{"anyOf":[{"description":"C"}]}}}`, "a b c", "B|C"},
		{"escapes", `{"description":"\u5929\u6c14","properties":{"a\u0062":true}}`, "ab", "天气"},
		{"defaults and examples say nothing", `{"default":"a","examples":["b"],"$ref":"c"}`, "", ""},
		{"cut off", `{"description":"first","properties":{"a":{"descr`, "a", "first"},
		{"not json", `hello {"description":"x"}`, "", ""},
		{"a lone escape", `{"description":"\`, "", ""},
		{"a list", `[{"description":"x"}]`, "", "x"},
		{"nothing", ``, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var names, texts []string
			readSchema(tt.schema, func(s string) { names = append(names, s) }, func(s string) { texts = append(texts, s) })
			if strings.Join(names, " ") != tt.names || strings.Join(texts, "|") != tt.texts {
				t.Errorf("names %q, texts %q", names, texts)
			}
		})
	}
}

func TestLexiconIsWellFormed(t *testing.T) {
	t.Parallel()
	for line := range strings.Lines(lexiconText) {
		if line[0] == '#' || line == "\n" {
			continue
		}
		words := strings.Fields(line)
		for i, w := range words {
			if slices.Contains(words[:i], w) {
				t.Errorf("%q stands twice in the line of %q", w, words[0])
			}
			if prefix, ok := strings.CutSuffix(w, "*"); ok && len(plain(prefix)) < prefixKey {
				t.Errorf("%q is too short for a prefix", w)
			}
			if start, end, _ := nextRun(w, 0); start != 0 || end != len(strings.TrimSuffix(w, "*")) {
				t.Errorf("%q can never be found: it is not one word", w)
			}
		}
	}
}

func TestLiteral(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		query, word string
		want        bool
	}{
		{"write the report to /srv/out/report.md", "out", true},
		{"open https://example.org/path now", "path", true},
		{"read and/or write", "write", false},
		{"delete a file", "file", false},
	} {
		if got := literal(tt.query, strings.Index(tt.query, tt.word)); got != tt.want {
			t.Errorf("literal(%q, %q) = %v", tt.query, tt.word, got)
		}
	}
}
