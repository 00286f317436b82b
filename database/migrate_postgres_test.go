//go:build postgres

// These tests need a server: scripts/postgres.sh go test -tags postgres ./database
package database_test

import (
	"database/sql"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
)

// openPostgres makes a database of the test's own.
func openPostgres(t *testing.T) (db *sql.DB, address string) {
	t.Helper()
	server := os.Getenv("ELYRA_TEST_POSTGRES")
	if server == "" {
		t.Fatal("ELYRA_TEST_POSTGRES is unset: run this by scripts/postgres.sh")
	}
	admin := openAddress(t, server)
	name := strings.ToLower(t.Name())
	exec1(t, t.Context(), admin, "create database "+name)
	// Times are stored without a zone: what is shown must not depend on that of the server.
	exec1(t, t.Context(), admin, "alter database "+name+" set timezone = 'Asia/Kathmandu'")
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = name
	return openAddress(t, u.String()), u.String()
}

func openAddress(t *testing.T, address string) *sql.DB {
	t.Helper()
	db, err := postgres.Driver().Open(database.OpenOptions{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestPostgresMigrationThatFailsHalfway(t *testing.T) {
	t.Parallel()
	db, _ := openPostgres(t)
	checkHalf(t, db)
}

func TestPostgresMigrationThatCommitsByItself(t *testing.T) {
	t.Parallel()
	db, _ := openPostgres(t)
	checkOwnCommit(t, db)
}

func TestPostgresMigrationStatus(t *testing.T) {
	t.Parallel()
	db, _ := openPostgres(t)
	checkStatus(t, db)
}

func TestPostgresKilledInTheMiddleOfAMigration(t *testing.T) {
	t.Parallel()
	db, address := openPostgres(t)
	cmd := startStuck(t, address)
	await(t, "the migration runs", func() bool {
		var running bool
		err := db.QueryRowContext(t.Context(), `select exists (select 1 from pg_stat_activity where datname = current_database()
			and query like 'select pg_sleep(5)%' and state = 'active' and pid <> pg_backend_pid())`).Scan(&running)
		return err == nil && running
	})
	checkKilled(t, db, cmd)
}
