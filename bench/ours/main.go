// Command ours is the workload as an Elyra app, with everything that a call of an agent passes through:
// grant, limit, validation, middleware, activity, event and log.
//
// Without arguments that it knows it is an ordinary app, so `ours --mcp` serves standard input and
// output. `ours --socket PATH` serves any number of connections on a Unix socket, for the measurements
// with more calls in flight than one connection may have.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/bench/internal/workload"
)

const appID = "dev.elyra.bench"

func main() {
	if len(os.Args) == 3 && os.Args[1] == "--socket" {
		fmt.Fprintln(os.Stderr, serveSocket(context.Background(), os.Args[2]))
		os.Exit(1)
	}
	elyra.Main(appID, build, nil)
}

func build(*elyra.Env) (*elyra.App, error) {
	names, err := workload.Names()
	if err != nil {
		return nil, err
	}
	app := elyra.New()
	for _, name := range names {
		app.Commands(elyra.NewCommand(name, workload.PlaceOrder, elyra.CommandOptions{
			Can: "orders.place", Additive: true, Doc: workload.PlaceDoc, Types: docs(),
		}))
	}
	app.Commands(elyra.NewCommand(workload.Usage, workload.TellUsage, elyra.CommandOptions{
		Can: "usage", ReadOnly: true, Doc: workload.UsageDoc,
	}))
	app.Commands(elyra.NewCommand(workload.Text, workload.MakeText, elyra.CommandOptions{
		Can: "text", ReadOnly: true, Doc: workload.TextDoc,
	}))
	var calls atomic.Int64
	app.Use(func(next elyra.Handler) elyra.Handler {
		return func(ctx context.Context, r *elyra.Request) (any, error) { return next(ctx, r) }
	})
	app.Listen(elyra.On(func(context.Context, elyra.AgentCalled) error {
		calls.Add(1)
		return nil
	}))
	// More than come in a millisecond even when all of a thousand in flight come at once, so none is
	// refused, but each is counted.
	return app.MCP(elyra.NewMCP().AllowAbilities("orders.*", "usage", "text").RateLimit("*", 5000, time.Millisecond)), nil
}

// docs says of the types what the other server takes from their tags.
func docs() elyra.TypeDocs {
	const pkg = "github.com/elyra-go/elyra/bench/internal/workload."
	return elyra.TypeDocs{
		pkg + "Line": {Fields: map[string]string{
			"SKU": "SKU is the number of the article.", "Quantity": "Quantity is how many.",
			"PriceCents": "PriceCents is the price of one in cents.",
		}},
		pkg + "Order": {Fields: map[string]string{
			"Customer": "Customer is who buys.", "Email": "Email is where the receipt goes.",
			"Lines": "Lines are the positions.", "Note": "Note for whoever delivers.",
		}},
	}
}

// serveSocket serves each connection until its client closes it, and never ends by itself.
func serveSocket(ctx context.Context, path string) error {
	env, err := elyra.NewEnv(appID, os.Getenv, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	if err != nil {
		return err
	}
	app, err := build(env)
	if err != nil {
		return err
	}
	instance, err := app.Start(ctx, env)
	if err != nil {
		return err
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			if err := instance.ServeMCP(ctx, conn, conn); err != nil {
				env.Log.Error("serve a connection", "error", err)
			}
		}()
	}
}
