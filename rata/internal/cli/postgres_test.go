//go:build postgres

// This test needs a server: scripts/postgres.sh go test -tags postgres ./rata/internal/cli -run Postgres
package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestPostgres runs testdata/postgres on the database of the server.
func TestPostgres(t *testing.T) {
	address := os.Getenv("ELYRA_TEST_POSTGRES")
	if address == "" {
		t.Fatal("ELYRA_TEST_POSTGRES is unset: run this by scripts/postgres.sh")
	}
	app, err := filepath.Abs("../notes")
	if err != nil {
		t.Fatal(err)
	}
	env := goEnvironment(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/postgres",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("APP", app)
			e.Setenv("EXE", executableSuffix)
			e.Setenv("DATABASE_URL", address)
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("USERPROFILE", e.WorkDir)
			for key, value := range env {
				e.Setenv(key, value)
			}
			return nil
		},
	})
}
