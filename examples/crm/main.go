// Command crm is the example app: customers and their orders in a SQLite file, a window that shows
// them live, and an MCP server through which an agent works in the running app.
//
// Run it with go run ./examples/crm; connect an agent to the same binary with the argument --mcp.
package main

import (
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/database/postgres"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/examples/crm/agents"
	"github.com/elyra-go/elyra/examples/crm/customers"
	"github.com/elyra-go/elyra/examples/crm/migrations"
	"github.com/elyra-go/elyra/examples/crm/orders"
	"github.com/elyra-go/elyra/examples/crm/ui"
	"github.com/elyra-go/elyra/examples/crm/windows"
)

func main() { elyra.Main("dev.elyra.crm", build, backend()) }

func build(env *elyra.Env) (*elyra.App, error) {
	db := env.Database("crm.db", sqlite.Driver(), postgres.Driver())
	return elyra.New().
		Database(db).
		Migrations(migrations.FS).
		Commands((&customers.Service{DB: db}).Commands()...).
		Commands((&orders.Service{DB: db}).Commands()...).
		Commands(agents.Commands()...).
		Commands(windows.Commands()...).
		AllowAbilities("customers.*", "orders.*", "agents.*").
		Window(elyra.Window{Title: "Elyra CRM", Width: 1100, Height: 760, Assets: ui.Dist()}).
		MCP(elyra.NewMCP().
			AllowAbilities("customers.view", "customers.create", "customers.update").
			AllowAbilities("orders.view", "orders.create", "orders.update").
			AllowAbilities("customers.delete", "orders.delete").
			Confirm("customers.delete").
			Confirm("orders.delete").
			RateLimit("*", 60, time.Minute)), nil
}
