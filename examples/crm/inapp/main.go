// Command inapp is the CRM for scripts that try how deletions are confirmed in the app itself: its user is whoever answers
// the dialogs, which are lines on standard output, with "yes" or "no" on standard input. It shows no window.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/examples/crm/customers"
	"github.com/elyra-go/elyra/examples/crm/migrations"
	"github.com/elyra-go/elyra/examples/crm/ui"
	"github.com/elyra-go/elyra/window"
	"github.com/elyra-go/elyra/window/headless"
)

func main() {
	answers := bufio.NewScanner(os.Stdin)
	elyra.Main("dev.elyra.crm", build, headless.New(headless.Options{
		Ask: func(_ context.Context, q window.Question) bool {
			fmt.Printf("%s [%s, %s]\n", strings.ReplaceAll(q.Text, "\n", " "), q.Accept, q.Refuse)
			return answers.Scan() && answers.Text() == "yes"
		},
	}))
}

func build(env *elyra.Env) (*elyra.App, error) {
	db := env.Database("crm.db", sqlite.Driver())
	return elyra.New().
		Database(db).
		Migrations(migrations.FS).
		Commands((&customers.Service{DB: db}).Commands()...).
		AllowAbilities("customers.*").
		Window(elyra.Window{Title: "Elyra CRM", Assets: ui.Dist()}).
		MCP(elyra.NewMCP().
			AllowAbilities("customers.*").
			Confirm("customers.delete", elyra.ConfirmOptions{InApp: true})), nil
}
