package postgres_test

import (
	"strings"
	"testing"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
)

func TestOpenTouchesNothing(t *testing.T) {
	t.Parallel()
	db, err := postgres.Driver().Open(database.OpenOptions{URL: "postgres://someone:secret@nowhere.invalid:1/app"})
	if err != nil {
		t.Fatal(err)
	}
	h, ok := database.HandleOf(db)
	if !ok || h.Dialect() != "postgres" || h.Name() != "nowhere.invalid:1/app" {
		t.Errorf("%v, %q", ok, h.Name())
	}
	if err := db.PingContext(t.Context()); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a server that is not there: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if _, err := postgres.Driver().Open(database.OpenOptions{URL: "postgres://someone:secret@host:port/app"}); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a wrong URL: %v", err)
	}
}
