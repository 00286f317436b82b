//go:build postgres

// This test needs a server: scripts/postgres.sh go test -tags postgres ./rata/internal/scaffold/resource
package resource

import (
	"os"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
)

func TestWhatIsAcceptedRunsOnPostgres(t *testing.T) {
	t.Parallel()
	address := os.Getenv("ELYRA_TEST_POSTGRES")
	if address == "" {
		t.Fatal("ELYRA_TEST_POSTGRES is unset: run this by scripts/postgres.sh")
	}
	c := newCompiler(t, postgres.Driver(), database.OpenOptions{URL: address})
	var all string
	if err := c.db.QueryRowContext(t.Context(), `SELECT string_agg(word, ' ') FROM pg_get_keywords() WHERE word <> 'oid'`).Scan(&all); err != nil {
		t.Fatal(err)
	}
	whatIsAcceptedCompiles(t, c, strings.Fields(all)...)
}
