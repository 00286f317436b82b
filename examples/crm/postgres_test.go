//go:build postgres

// This test needs a server: scripts/postgres.sh go test -tags postgres ./examples/crm
package main

import (
	"os"
	"testing"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/elyratest"
)

// TestCRMOnPostgres is the same app on another database, by DATABASE_URL alone.
func TestCRMOnPostgres(t *testing.T) {
	url := os.Getenv("ELYRA_TEST_POSTGRES")
	if url == "" {
		t.Fatal("ELYRA_TEST_POSTGRES is unset: run this by scripts/postgres.sh")
	}
	env := func() *elyra.Env {
		env := elyratest.Env(t)
		env.Getenv = func(name string) string { return map[string]string{"DATABASE_URL": url}[name] }
		return env
	}
	t.Run("customers", func(t *testing.T) { agentWorksOnCustomers(t, env()) })
	t.Run("orders", func(t *testing.T) { agentWorksOnOrders(t, env()) })
}
