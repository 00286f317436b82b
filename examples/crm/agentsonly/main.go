// Command agentsonly is the CRM for agents alone: the same commands on the same SQLite file, without a window and without
// the Postgres driver. It links neither, and so starts sooner.
package main

import (
	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/examples/crm/customers"
	"github.com/elyra-go/elyra/examples/crm/migrations"
	"github.com/elyra-go/elyra/examples/crm/orders"
)

func main() { elyra.Main("dev.elyra.crm", build, nil) }

func build(env *elyra.Env) (*elyra.App, error) {
	db := env.Database("crm.db", sqlite.Driver())
	return elyra.New().
		Database(db).
		Migrations(migrations.FS).
		Commands((&customers.Service{DB: db}).Commands()...).
		Commands((&orders.Service{DB: db}).Commands()...).
		MCP(elyra.NewMCP().
			AllowAbilities("customers.*", "orders.*").
			Confirm("customers.delete").
			Confirm("orders.delete")), nil
}
