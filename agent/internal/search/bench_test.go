package search

import (
	"fmt"
	"strings"
	"testing"
)

// many makes n tools out of the corpus: different names, and descriptions as long as real ones.
func many(b *testing.B, n int) []Document {
	base := corpus(b)
	docs := make([]Document, n)
	for i := range docs {
		d := base[i%len(base)]
		other := base[(i*7+i/len(base))%len(base)]
		d.Server = fmt.Sprintf("%s%d", d.Server, i/len(base))
		d.Name = fmt.Sprintf("%s_%d", d.Name, i)
		d.Description += ". " + strings.Repeat(other.Description+fmt.Sprintf(" thing%d. ", i), 8)
		d.InputSchema = []byte(strings.Replace(string(d.InputSchema), "{", `{"description":"`+strings.Repeat(other.Description+" ", 8)+`",`, 1))
		docs[i] = d
	}
	return docs
}

func BenchmarkNew2000(b *testing.B) {
	docs := many(b, 2000)
	b.ReportAllocs()
	for b.Loop() {
		New(docs)
	}
}

func BenchmarkFind2000(b *testing.B) {
	x := New(many(b, 2000))
	for _, query := range []string{
		"convert the addresses of all customers into geographic coordinates", "天气预报", "invocie wether forecst scrennshot",
	} {
		b.Run(query, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.Find(query, Options{})
			}
		})
	}
}
