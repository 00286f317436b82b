package vendor_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/agent/internal/model"
	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
	"github.com/elyra-go/elyra/agent/internal/model/vendor"
)

// BenchmarkStream reads answers of 2000 pieces of text and tells what one of them costs.
func BenchmarkStream(b *testing.B) {
	for _, s := range speakers {
		b.Run(string(s.api), func(b *testing.B) {
			events, err := modeltest.Stream(s.api, "text "+strings.Repeat("word ", 2000))
			if err != nil {
				b.Fatal(err)
			}
			p, err := vendor.NewProvider(model.NewCatalog(nil), s.vendor, vendor.Config{
				BaseURL: "http://127.0.0.1", Key: key, HTTP: &http.Client{Transport: canned(strings.Join(events, ""))},
			})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := stream(b.Context(), p, s.request()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/2000, "ns/piece")
		})
	}
}
