// Command unlimited is the program of a benchmark: the CRM's customers without a window, and without a limit to how often
// an agent may call.
package main

import (
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/examples/crm/customers"
	"github.com/elyra-go/elyra/examples/crm/migrations"
)

func main() { elyra.Main("dev.elyra.crm", build, nil) }

func build(env *elyra.Env) (*elyra.App, error) {
	db := env.Database("crm.db", sqlite.Driver())
	return elyra.New().
		Database(db).
		Migrations(migrations.FS).
		Commands((&customers.Service{DB: db}).Commands()...).
		MCP(elyra.NewMCP().AllowAbilities("customers.*").RateLimit("*", 5000, time.Millisecond)), nil
}
