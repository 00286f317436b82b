//go:build postgres

// This test needs a server: scripts/postgres.sh go test -tags postgres ./examples/crm
package main

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
	"github.com/elyra-go/elyra/elyratest"
	"github.com/elyra-go/elyra/internal/mcp"
)

func postgresURL(t *testing.T) string {
	t.Helper()
	address := os.Getenv("ELYRA_TEST_POSTGRES")
	if address == "" {
		t.Fatal("ELYRA_TEST_POSTGRES is unset: run this by scripts/postgres.sh")
	}
	return address
}

// TestCRMOnPostgres is the same app on another database, by DATABASE_URL alone.
func TestCRMOnPostgres(t *testing.T) {
	address := postgresURL(t)
	env := func() *elyra.Env {
		env := elyratest.Env(t)
		env.Getenv = func(name string) string { return map[string]string{"DATABASE_URL": address}[name] }
		return env
	}
	t.Run("customers", func(t *testing.T) { agentWorksOnCustomers(t, env()) })
	t.Run("orders", func(t *testing.T) { agentWorksOnOrders(t, env()) })
}

// run runs statements on a database.
func run(t *testing.T, address string, statements ...string) {
	t.Helper()
	db, err := postgres.Driver().Open(database.OpenOptions{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

// up gives the statements of a migration.
func up(migration string) string {
	text, _, _ := strings.Cut(migration, "-- +goose Down")
	return text
}

// TestTwoProcessesOnPostgres has two programs serve agents side by side. A subscription in one is
// told of each write through the other.
func TestTwoProcessesOnPostgres(t *testing.T) {
	for kind, migration := range map[string]string{"polled": "", "notify": postgres.CaptureMigration, "log": postgres.CaptureLogMigration} {
		t.Run(kind, func(t *testing.T) {
			name := fmt.Sprintf("crm%d", time.Now().UnixNano())
			run(t, postgresURL(t), "create database "+name)
			u, err := url.Parse(postgresURL(t))
			if err != nil {
				t.Fatal(err)
			}
			u.Path = name
			process := func() *exec.Cmd {
				return program(t, append(session(t, t.TempDir()), "DATABASE_URL="+u.String()), "--mcp")
			}
			reader, writer := connect(t, process), connect(t, process)
			callTool(t, reader, "customers_show", map[string]any{"id": 1})
			if migration != "" {
				run(t, u.String(), up(migration))
			}
			told := make(chan time.Time, 100)
			uri := "app://customers_show/1"
			s, err := reader.Listen(t.Context(), mcp.SubscriptionFilter{ResourceSubscriptions: []string{uri}}, func(method string, _ jsontext.Value) {
				if method == mcp.NotifyResourceUpdated {
					told <- time.Now()
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			time.Sleep(500 * time.Millisecond) // it is followed by now
			var sinceAnswer, sinceCall []time.Duration
			for i := range 24 {
				called := time.Now()
				callTool(t, writer, "customers_update", map[string]any{"id": 1, "input": map[string]any{"name": fmt.Sprint("N", i), "email": "n@example.org"}})
				answered := time.Now()
				select {
				case at := <-told:
					sinceAnswer, sinceCall = append(sinceAnswer, at.Sub(answered)), append(sinceCall, at.Sub(called))
				case <-time.After(10 * time.Second):
					t.Fatalf("write %d through the other process was not told", i)
				}
				time.Sleep(time.Duration(30+i*7) * time.Millisecond)
			}
			slices.Sort(sinceAnswer)
			slices.Sort(sinceCall)
			t.Logf("%s: told %v after the write was answered, %v after it was called (p50 of %d)", kind, sinceAnswer[12], sinceCall[12], len(sinceCall))
		})
	}
}
