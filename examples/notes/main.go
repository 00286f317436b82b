// Command notes is the app that the tutorial builds: notes in a SQLite file, a window that shows them
// live, and tools with which an agent works on them.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/examples/notes/notes"
	"github.com/elyra-go/elyra/examples/notes/ui"
)

func main() { elyra.Main("dev.elyra.notes", build, backend()) }

func build(env *elyra.Env) (*elyra.App, error) {
	db := env.Database("notes.db", sqlite.Driver())
	service := &notes.Service{DB: db}
	app := elyra.New().
		Database(db).
		Migrations(notes.Migrations).
		Commands(service.Commands()...)
	// snippet:window
	app.AllowAbilities("notes.*").
		Window(elyra.Window{Title: "Notes", Width: 640, Height: 560, Assets: ui.Files})
	// endsnippet
	// snippet:agents
	app.MCP(elyra.NewMCP().
		AllowAbilities("notes.view", "notes.create", "notes.delete").
		Confirm("notes.delete", elyra.ConfirmOptions{Describe: describe(service)}))
	// endsnippet
	return app, nil
}

// describe says in the user's words what a call would delete.
func describe(service *notes.Service) func(context.Context, *elyra.Request) (string, error) {
	return func(ctx context.Context, r *elyra.Request) (string, error) {
		var args struct{ ID int64 }
		if err := json.Unmarshal(r.Args, &args); err != nil {
			return "", fmt.Errorf("read the arguments: %w", err)
		}
		text, err := service.Text(ctx, args.ID)
		if err != nil {
			return "", err
		}
		line, _, _ := strings.Cut(text, "\n")
		return fmt.Sprintf("Delete the note %q?", line), nil
	}
}
