// Command hello is the smallest app: one command that a window, a test or an agent can call.
package main

import (
	"context"

	"github.com/elyra-go/elyra"
)

//go:generate go run github.com/elyra-go/elyra/rata generate

// Greet greets somebody by name.
//
//elyra:command can=greet readonly
func Greet(_ context.Context, name string) (string, error) { return "Hello, " + name + "!", nil }

func build(*elyra.Env) (*elyra.App, error) {
	return elyra.New().Commands(Commands()...).MCP(elyra.NewMCP().AllowAbility("greet")), nil
}

func main() { elyra.Main("dev.elyra.hello", build, nil) }
