// Command step1 is the notes app of the tutorial after its first step: commands and a database.
package main

import (
	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/examples/notes/notes"
)

func main() { elyra.Main("dev.elyra.notes", build, nil) }

func build(env *elyra.Env) (*elyra.App, error) {
	db := env.Database("notes.db", sqlite.Driver())
	service := &notes.Service{DB: db}
	return elyra.New().
		Database(db).
		Migrations(notes.Migrations).
		Commands(service.Commands()...), nil
}
