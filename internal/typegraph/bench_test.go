package typegraph

import (
	"testing"

	"github.com/go-json-experiment/json"
)

// customer is a typical argument of a command.
type customer struct {
	Name   string   `json:"name"`
	Email  string   `json:"email"`
	Age    int      `json:"age"`
	Active bool     `json:"active"`
	Tags   []string `json:"tags"`
}

const customerJSON = `{"name":"Ada Lovelace","email":"ada@example.org","age":36,"active":true,"tags":["math","engine"]}`

func BenchmarkCanonicalAndDecode(b *testing.B) {
	typ := node[customer](b)
	b.ReportAllocs()
	for b.Loop() {
		raw, err := typ.Canonical([]byte(customerJSON))
		if err != nil {
			b.Fatal(err)
		}
		var c customer
		if err := Decode(raw, &c); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCanonical(b *testing.B) {
	typ := node[customer](b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := typ.Canonical([]byte(customerJSON)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPlainUnmarshal(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		var c customer
		if err := json.Unmarshal([]byte(customerJSON), &c); err != nil {
			b.Fatal(err)
		}
	}
}
