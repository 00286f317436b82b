package search

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// corpus reads the tools of testdata: made-up servers of many kinds.
func corpus(t testing.TB) []Document {
	t.Helper()
	var docs []Document
	for _, line := range testLines(t, "testdata/tools.jsonl") {
		var tool struct {
			Server      string         `json:"server"`
			Name        string         `json:"name"`
			Description string         `json:"description"`
			InputSchema jsontext.Value `json:"inputSchema"`
		}
		if err := json.Unmarshal(line, &tool); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, Document{
			Server: tool.Server, Name: tool.Name, Description: tool.Description,
			InputSchema: tool.InputSchema,
		})
	}
	return docs
}

func testLines(t testing.TB, file string) [][]byte {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines [][]byte
	for scan := bufio.NewScanner(f); scan.Scan(); {
		lines = append(lines, slices.Clone(scan.Bytes()))
	}
	return lines
}

// names returns server::name of the hits.
func names(x *Index, hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, x.docs[h.Document].Server+"::"+x.docs[h.Document].Name)
	}
	return out
}

func TestFindsWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	x := New(corpus(t))
	type count struct{ queries, first, three int }
	counts := map[string]*count{}
	for _, line := range testLines(t, "testdata/queries.jsonl") {
		var q struct {
			Category string `json:"category"`
			Query    string `json:"query"`
			Labels   []struct {
				AnyOf []string `json:"anyOf"`
			} `json:"labels"`
		}
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		c := counts[q.Category]
		if c == nil {
			c = &count{}
			counts[q.Category] = c
		}
		c.queries++
		got := names(x, x.Find(q.Query, Options{}))
		place := slices.IndexFunc(got, func(id string) bool { return slices.Contains(q.Labels[0].AnyOf, id) })
		if place == 0 {
			c.first++
		}
		if place >= 0 && place < 3 {
			c.three++
		} else {
			t.Logf("%s: %q: %q is not among the first three of %q", q.Category, q.Query, q.Labels[0].AnyOf, got)
		}
	}
	for category, least := range map[string]struct{ first, three int }{ // percent
		"exact": {100, 100}, "camelCase": {100, 100}, "typo": {80, 100}, "paraphrase": {75, 95}, "language": {75, 90},
	} {
		c := counts[category]
		if c == nil {
			t.Errorf("no query of category %s", category)
			continue
		}
		if 100*c.first < least.first*c.queries || 100*c.three < least.three*c.queries {
			t.Errorf("%s: of %d queries %d found first, %d in three; want %d %% and %d %%",
				category, c.queries, c.first, c.three, least.first, least.three)
		}
	}
}

func TestOrderDependsOnNothingElse(t *testing.T) {
	t.Parallel()
	docs := corpus(t)
	want := names(New(docs), New(docs).Find("list all files and invoices", Options{Limit: 50, PerServer: 50}))
	turned := slices.Clone(docs)
	slices.Reverse(turned)
	x := New(turned)
	for range 5 {
		if got := names(x, x.Find("list all files and invoices", Options{Limit: 50, PerServer: 50})); !slices.Equal(got, want) {
			t.Fatalf("the order of the documents changed the answer:\n%q\n%q", got, want)
		}
	}
}

func TestEqualScoresComeByServerAndName(t *testing.T) {
	t.Parallel()
	x := New([]Document{
		{Server: "b", Name: "ping", Description: "Pings"},
		{Server: "a", Name: "ping", Description: "Pings"},
		{Server: "a", Name: "ping", Description: "Pings"},
	})
	var got []int
	for _, h := range x.Find("ping", Options{}) {
		got = append(got, h.Document)
	}
	if !slices.Equal(got, []int{1, 2, 0}) {
		t.Errorf("got %v", got)
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	var docs []Document
	for _, server := range []string{"acme", "borealis"} {
		for _, n := range []string{"red", "green", "blue", "black", "white", "grey", "pink", "brown", "gold", "teal"} {
			docs = append(docs, Document{Server: server, Name: "paint_" + n, Description: "Paints a wall"})
		}
	}
	x := New(docs)
	for _, tt := range []struct {
		name, query          string
		o                    Options
		total, acme, boreals int
	}{
		{"eight, four of each server", "paint a wall", Options{}, 8, 4, 4},
		{"limit", "paint a wall", Options{Limit: 3}, 3, 3, 0},
		{"per server", "paint a wall", Options{PerServer: 1}, 2, 1, 1},
		{"a server named in the query may fill the answer", "paint a wall with borealis", Options{}, 8, 0, 8},
		{"only one server", "paint a wall", Options{Server: "acme"}, 8, 8, 0},
		{"a server that is not there", "paint a wall", Options{Server: "nobody"}, 0, 0, 0},
		{"nothing in common", "quarks", Options{}, 0, 0, 0},
		{"no word", " ?! ", Options{}, 0, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			hits := x.Find(tt.query, tt.o)
			by := map[string]int{}
			for _, h := range hits {
				by[docs[h.Document].Server]++
			}
			if len(hits) != tt.total || by["acme"] != tt.acme || by["borealis"] != tt.boreals {
				t.Errorf("got %d hits, %v", len(hits), by)
			}
		})
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	x := New(corpus(t))
	for _, tt := range []struct{ query, want string }{
		{"skreensot", "screenshot"},
		{"contanerz", "container"},
		{"wayfnidr", "wayfinder"},
		{"zzzzzzzz", ""},
		{"天", ""},
		{"", ""},
	} {
		if got := strings.Join(x.Suggest(tt.query), " "); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("Suggest(%q) = %q, want %q", tt.query, got, tt.want)
		}
	}
}

func TestNoDocuments(t *testing.T) {
	t.Parallel()
	x := New(nil)
	if hits, words := x.Find("weather", Options{}), x.Suggest("weather"); hits != nil || words != nil {
		t.Errorf("got %v and %v", hits, words)
	}
}
