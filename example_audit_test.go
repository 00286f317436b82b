package elyra_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/elyratest"
)

// audit writes who called which command, in the transaction of the command itself: either both are
// in the database afterwards, or neither is.
func audit(next elyra.Handler) elyra.Handler {
	return func(ctx context.Context, r *elyra.Request) (result any, err error) {
		if r.Live {
			return next(ctx, r) // a window that watches does nothing
		}
		err = elyra.Transact(ctx, func(ctx context.Context) error {
			if result, err = next(ctx, r); err != nil {
				return err
			}
			_, err = elyra.DB(ctx).ExecContext(ctx, `INSERT INTO audit (who, command) VALUES ($1, $2)`, who(r.Origin), r.Name)
			return err
		})
		return result, err
	}
}

// who names the caller. A client's name is what it says of itself.
func who(origin elyra.Origin) string {
	switch o := origin.(type) {
	case elyra.Frontend:
		return "window " + o.Window
	case elyra.Agent:
		return fmt.Sprintf("agent %s (connection %s)", o.Client, o.Connection)
	default:
		return "the app"
	}
}

const auditSchema = `-- +goose Up
CREATE TABLE audit (
    id      INTEGER PRIMARY KEY,
    at      TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    who     TEXT NOT NULL,
    command TEXT NOT NULL
);

-- +goose Down
DROP TABLE audit;
`

func buildAudited(env *elyra.Env) (*elyra.App, error) {
	schema := fstest.MapFS{"00002_audit.sql": {Data: []byte(auditSchema)}}
	for name, file := range tasksSchema {
		schema[name] = file
	}
	trail := func(ctx context.Context, _ struct{}) (lines []string, err error) {
		rows, err := elyra.DB(ctx).QueryContext(ctx, `SELECT who || ': ' || command FROM audit ORDER BY id`)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				return nil, err
			}
			lines = append(lines, line)
		}
		return lines, rows.Err()
	}
	return elyra.New().
		Database(env.Database("tasks.db", sqlite.Driver())).
		Migrations(schema).
		Commands(importCommand(), elyra.NewCommand("trail", trail, elyra.CommandOptions{Live: true})).
		AllowAbilities("tasks.*").
		Listen(elyra.On(notTooMany)).
		Use(audit).
		MCP(elyra.NewMCP().AllowAbilities("tasks.*")), nil
}

func TestAuditTellsWhoDidWhatAndOnlyWhatWasDone(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, buildAudited)
	trail := app.Live("trail", nil)
	agent := app.MCP(elyratest.Named("Claude"))
	for _, args := range []string{`{"titles":["a","b","c"]}`, `{"titles":[]}`} { // refused by the listener, by a tag
		if r := agent.Call("tasks_import", args); !r.IsError {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if r := agent.Call("tasks_import", `{"titles":["a"]}`); r.IsError {
		t.Fatal(r.Text)
	}
	trail.Next()
	if _, err := app.CallAs(elyra.Frontend{Window: "main"}, "tasks_import", `{"titles":["b"]}`); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.Trim(trail.Next(), `[]"`), `","`)
	if want := []string{"agent Claude (connection c1): tasks_import", "window main: tasks_import"}; !slices.Equal(got, want) {
		t.Errorf("the trail is %q; want %q", got, want)
	}
}
