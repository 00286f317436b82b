// Command app is the program of the soak: the CRM's customers without a window and without a limit to how often an agent
// may call, and a tool that tells what the process holds.
package main

import (
	"context"
	"runtime"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/examples/crm/customers"
	"github.com/elyra-go/elyra/examples/crm/migrations"
)

func main() { elyra.Main("dev.elyra.soak", build, nil) }

// held is what a process holds.
type held struct {
	Goroutines int    `json:"goroutines"`
	HeapBytes  uint64 `json:"heapBytes"`
}

func build(env *elyra.Env) (*elyra.App, error) {
	db := env.Database("soak.db", sqlite.Driver())
	return elyra.New().
		Database(db).
		Migrations(migrations.FS).
		Commands((&customers.Service{DB: db}).Commands()...).
		Commands(elyra.NewCommand("soak_held", func(context.Context, struct{}) (held, error) {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return held{runtime.NumGoroutine(), m.HeapAlloc}, nil
		}, elyra.CommandOptions{Can: "soak.held", ReadOnly: true, Doc: "Held tells what this process holds."})).
		MCP(elyra.NewMCP().
			AllowAbilities("customers.*", "soak.held").
			Confirm("customers.delete").
			RateLimit("*", 5000, time.Millisecond)), nil
}
