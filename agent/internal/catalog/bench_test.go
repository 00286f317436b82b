package catalog

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/agent/internal/home"
)

// BenchmarkCache_coldRead reads 2,000 tools of ten servers, 2.2 KB each as those of servers in use, like a process that has
// just started.
func BenchmarkCache_coldRead(b *testing.B) {
	const servers, perServer = 10, 200
	dir, err := home.Open(filepath.Join(b.TempDir(), "agent"))
	if err != nil {
		b.Fatal(err)
	}
	c := NewCache(dir, fixedClock, slog.New(slog.DiscardHandler))
	for s := range servers {
		put(b, c, fmt.Sprint("key", s), typical(b, perServer))
	}
	data, err := dir.Read(cacheFile)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		c := NewCache(dir, fixedClock, slog.New(slog.DiscardHandler))
		tools := 0
		for s := range servers {
			l, _ := c.Get(fmt.Sprint("key", s), "srv")
			tools += len(l.Tools)
		}
		if tools != servers*perServer {
			b.Fatalf("%d tools", tools)
		}
	}
}

// typical is a listing of tools with descriptions, nested schemas and annotations.
func typical(b *testing.B, tools int) Listing {
	b.Helper()
	var list []string
	for i := range tools {
		var properties []string
		for p := range 10 {
			properties = append(properties, fmt.Sprintf(`"property_%d":{"type":"object","description":"%s","properties":{"inner":{"type":"string","enum":["one","two"]}}}`, p, strings.Repeat("what it is ", 7)))
		}
		list = append(list, fmt.Sprintf(`{"name":"tool_%d","title":"Tool %d","description":"%s","annotations":{"readOnlyHint":true,"destructiveHint":false,"openWorldHint":true},"inputSchema":{"type":"object","properties":{%s},"required":["property_0"]}}`,
			i, i, strings.Repeat("It does something. ", 15), strings.Join(properties, ",")))
	}
	l, err := Fetch(b.Context(), func(context.Context, *string) (jsontext.Value, error) {
		return jsontext.Value(`{"tools":[` + strings.Join(list, ",") + `]}`), nil
	}, FetchOptions{Server: "srv", Now: fixedClock})
	if err != nil {
		b.Fatal(err)
	}
	return l
}

func BenchmarkForProvider(b *testing.B) {
	schema := typical(b, 1).Tools[0].InputSchema
	b.SetBytes(int64(len(schema)))
	for b.Loop() {
		if _, err := ForProvider(schema); err != nil {
			b.Fatal(err)
		}
	}
}
