// Package workload is the app that the servers of a comparison have in common: one tool with typed
// arguments and a typed result, any number of copies of it, and a tool that tells how much the process
// has allocated. It promises that the work of a call is next to nothing, so that what is measured is the
// server around it. It must import neither of the servers.
package workload

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Names of the tools, and of the variable that says how many copies of the first there are.
const (
	Place    = "orders_place"
	Usage    = "usage"
	Text     = "text_make"
	ToolsEnv = "ELYRA_BENCH_TOOLS"
)

// PlaceDoc and UsageDoc describe the tools.
const (
	PlaceDoc = "Place places an order and returns its receipt. Use it when the user has named everything that is to be bought."
	UsageDoc = "Usage tells how much memory this process has allocated since it started."
	TextDoc  = "Text makes a text of a length."
)

// Arguments of a call, with rules that the call keeps, and what both servers answer to it.
const (
	Arguments = `{"customer":"Ada Lovelace","email":"ada@example.com","lines":[` +
		`{"sku":"desk-lamp","quantity":2,"priceCents":8900},{"sku":"fountain-pen","quantity":1,"priceCents":6800}],"note":"Please call before you deliver."}`
	Result = `{"number":3,"customer":"Ada Lovelace","totalCents":24600,"lines":[` +
		`{"sku":"desk-lamp","quantity":2,"priceCents":8900},{"sku":"fountain-pen","quantity":1,"priceCents":6800}]}`
)

// Line is one position of an order.
type Line struct {
	SKU        string `json:"sku" validate:"required,max=40" jsonschema:"SKU is the number of the article."`
	Quantity   int    `json:"quantity" validate:"min=1,max=1000" jsonschema:"Quantity is how many."`
	PriceCents int64  `json:"priceCents" validate:"min=0" jsonschema:"PriceCents is the price of one in cents."`
}

// Order is what is to be bought.
type Order struct {
	Customer string  `json:"customer" validate:"required,max=120" jsonschema:"Customer is who buys."`
	Email    string  `json:"email" validate:"required,email,max=200" jsonschema:"Email is where the receipt goes."`
	Lines    []Line  `json:"lines" validate:"min=1,max=100,dive" jsonschema:"Lines are the positions."`
	Note     *string `json:"note,omitempty" validate:"omitempty,max=400" jsonschema:"Note for whoever delivers."`
}

// Receipt is the answer to an order.
type Receipt struct {
	Number     int64  `json:"number"`
	Customer   string `json:"customer"`
	TotalCents int64  `json:"totalCents"`
	Lines      []Line `json:"lines"`
}

// Nothing is the argument of a tool that takes none.
type Nothing struct{}

// Memory is what a process has allocated so far.
type Memory struct {
	Bytes   uint64 `json:"bytes"`
	Objects uint64 `json:"objects"`
}

// Length says how long a text is to be.
type Length struct {
	Bytes int `json:"bytes" validate:"min=1,max=20000000" jsonschema:"Bytes is the length."`
}

// Made is a text that was asked for.
type Made struct {
	Text string `json:"text"`
}

// MakeText makes a text of words.
func MakeText(_ context.Context, in Length) (Made, error) {
	const words = "what an agent reads when it has asked for much; "
	return Made{Text: strings.Repeat(words, in.Bytes/len(words)+1)[:in.Bytes]}, nil
}

// PlaceOrder adds up an order.
func PlaceOrder(_ context.Context, in Order) (Receipt, error) {
	r := Receipt{Number: int64(len(in.Lines)) + 1, Customer: in.Customer, Lines: in.Lines}
	for _, l := range in.Lines {
		r.TotalCents += int64(l.Quantity) * l.PriceCents
	}
	return r, nil
}

// TellUsage returns what the process has allocated. It stops the program for a moment.
func TellUsage(context.Context, Nothing) (Memory, error) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Memory{Bytes: m.TotalAlloc, Objects: m.Mallocs}, nil
}

// Names returns the names of the copies of [Place]: itself first. ELYRA_BENCH_TOOLS says how many there
// are; without it there is one.
func Names() ([]string, error) {
	n := 1
	if v := os.Getenv(ToolsEnv); v != "" {
		var err error
		if n, err = strconv.Atoi(v); err != nil || n < 1 {
			return nil, fmt.Errorf("%s is %q: want a number of tools, at least 1", ToolsEnv, v)
		}
	}
	names := []string{Place}
	for i := 1; i < n; i++ {
		names = append(names, fmt.Sprintf("%s_%d", Place, i))
	}
	return names, nil
}
