package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// everything is every word that somebody might ask with.
const everything = "weather forecast stock price send mail message file read write delete search find create container invoice " +
	"customer branch commit page screenshot click chart bar pie route address coordinates task paper time slide deck "

func TestStuffedToolsDoNotWin(t *testing.T) {
	t.Parallel()
	queries := []string{
		"weather forecast", "send an email", "delete a file", "stock price", "create an invoice", "screenshot of the page", "bar chart",
		"coordinates of an address", "borrar archivo", "prévisions météo",
	}
	properties := func(n int) jsontext.Value {
		var b strings.Builder
		b.WriteString(`{"type":"object","properties":{`)
		for i, words := 0, strings.Fields(everything); i < n; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%s_%d":{"description":%q}`, words[i%len(words)], i, everything)
		}
		b.WriteString(`}}`)
		return jsontext.Value(b.String())
	}
	for name, poison := range map[string]Document{
		"description":       {Name: "helper", Description: "Best tool. " + strings.Repeat(everything, 10)},
		"first sentence":    {Name: "helper", Description: strings.Repeat(everything, 10)},
		"five megabytes":    {Name: "helper", Description: strings.Repeat(everything, 5<<20/len(everything))},
		"title":             {Name: "helper", Title: everything},
		"name":              {Name: strings.ReplaceAll(everything, " ", "_"), Description: "Helps"},
		"parameters":        {Name: "helper", Description: "Helps", InputSchema: properties(5000)},
		"everywhere":        {Name: "helper_" + strings.ReplaceAll(everything, " ", "_"), Title: everything, Description: strings.Repeat(everything, 9), InputSchema: properties(500)},
		"other languages":   {Name: "helper", Description: strings.Repeat("天气 预报 股票 价格 发送 邮件 文件 删除 搜索 创建 截图 图表 地址 坐标 ", 99)},
		"one query":         {Name: "helper", Description: strings.Repeat("weather forecast ", 200)},
		"bytes that are no": {Name: "hel\xffper", Description: strings.Repeat("weather\xff\xfeforecast mail ", 200)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			poison.Server = "mallory"
			x := New(append(corpus(t), poison))
			for _, query := range queries {
				if got := names(x, x.Find(query, Options{})); strings.HasPrefix(got[0], "mallory") {
					t.Errorf("%q: got %q", query, got)
				}
			}
		})
	}
}

func TestManyCopiesDoNotCrowdOthersOut(t *testing.T) {
	t.Parallel()
	docs := corpus(t)
	for i := range 500 {
		docs = append(docs, Document{Server: "weather", Name: fmt.Sprintf("weather_forecast_%d", i), Description: "Weather forecast for up to ten days"})
	}
	for range 500 { // and with one name
		docs = append(docs, Document{Server: "forecast", Name: "weather_forecast", Description: "Weather forecast for up to ten days"})
	}
	x := New(docs)
	by := map[string]int{}
	got := names(x, x.Find("weather forecast for ten days", Options{Limit: 9}))
	for _, n := range got {
		server, _, _ := strings.Cut(n, "::")
		by[server]++
	}
	if by["weather"] > 4 || by["forecast"] > 4 || !slices.Contains(got, "tidewatch::daily_outlook") {
		t.Errorf("got %q", got)
	}
}

func TestWhatIsReadIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("filler ", 600)
	var many, deep strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, `"p%d":{},`, i)
	}
	for range 10_000 {
		deep.WriteString(`{"properties":{"p":`)
	}
	x := New([]Document{{
		Server: "s", Name: "n" + strings.Repeat("_x", 200) + "_walrus", Description: long + " giraffe",
		InputSchema: jsontext.Value(`{"properties":{` + many.String() + `"ostrich":{"description":"` + long + ` flamingo"}}}`),
	}, {
		Server: "s", Name: "deep", InputSchema: jsontext.Value(deep.String()),
	}, {
		Server: "s", Name: "long", Description: strings.Repeat("a", 1<<20) + " " + strings.Repeat("天", 1<<20),
	}})
	for _, beyond := range []string{"giraffe", "ostrich", "walrus"} {
		if hits := x.Find(beyond, Options{}); len(hits) != 0 {
			t.Errorf("%q stands beyond the bounds and was found", beyond)
		}
	}
	if n := len(x.terms); n > 2000 {
		t.Errorf("%d terms of three tools", n)
	}
}

func TestOneServerDoesNotMoveAnothersRank(t *testing.T) {
	t.Parallel()
	docs := corpus(t)
	before := New(docs)
	x := New(append(docs, Document{Server: "mallory", Name: "x", Description: strings.Repeat("lorem ipsum ", 1<<18)}))
	for _, query := range []string{"weather forecast", "send an email", "delete a file"} {
		a, b := names(before, before.Find(query, Options{})), names(x, x.Find(query, Options{}))
		if !slices.Equal(a, b) {
			t.Errorf("%q: %q became %q", query, a, b)
		}
	}
}

func TestHostileQueries(t *testing.T) {
	t.Parallel()
	x := New(corpus(t))
	for _, query := range []string{
		strings.Repeat("weather ", 1<<20), strings.Repeat("q", 1<<20), strings.Repeat("天气", 1<<18), "\xff\xfe\xfd", strings.Repeat("\u0301", 999),
	} {
		if n := len(x.parse(query)); n > querySlots {
			t.Errorf("%d slots for %.20q", n, query)
		}
		x.Find(query, Options{})
		x.Suggest(query)
	}
}
