//go:build linux

// Command vault is the app of a test: its one dangerous command is confirmed in a native dialog.
package main

import (
	"context"
	"fmt"
	"testing/fstest"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/window/webkitgtk"
)

func main() { elyra.Main("dev.elyra.vault", build, webkitgtk.Backend()) }

type record struct {
	ID int64 `json:"id"`
}

func build(*elyra.Env) (*elyra.App, error) {
	erase := func(_ context.Context, r record) (string, error) { return fmt.Sprintf("erased #%d", r.ID), nil }
	page := fstest.MapFS{"index.html": {Data: []byte("<!doctype html><title>Vault</title><h1>The vault</h1><p>An agent may erase a record, if you let it.")}}
	return elyra.New().
		Commands(elyra.NewCommand("records_erase", erase, elyra.CommandOptions{Can: "records.erase", Doc: "Erase erases a record for good."})).
		Window(elyra.Window{Title: "Vault", Assets: page}).
		MCP(elyra.NewMCP().AllowAbility("records.erase").Confirm("records.erase", elyra.ConfirmOptions{
			InApp: true,
			Describe: func(context.Context, *elyra.Request) (string, error) {
				return "Erase record #12, “Plans for the engine”, for good?", nil
			},
		})), nil
}
