package elyra_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/elyra-go/elyra"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/elyratest"
)

// The commands that the guide shows beside those of the examples.

// ImportInput is what to import.
type ImportInput struct {
	// Titles of the tasks, in order.
	Titles []string `json:"titles" validate:"min=1,max=1000,dive,required,max=100"`
}

// Imported is the result of the import, and the event that tells of it.
type Imported struct {
	Count int `json:"count"`
}

// Import adds tasks: all of them, or none.
func Import(ctx context.Context, in ImportInput) (Imported, error) {
	result := Imported{Count: len(in.Titles)}
	err := elyra.Transact(ctx, func(ctx context.Context) error {
		for i, title := range in.Titles {
			if _, err := elyra.DB(ctx).ExecContext(ctx, `INSERT INTO tasks (title) VALUES ($1)`, title); err != nil {
				return elyra.Private(fmt.Errorf("add a task: %w", err))
			}
			elyra.Progress(ctx, float64(i+1), float64(len(in.Titles)), title)
		}
		return elyra.Dispatch(ctx, result)
	})
	if err != nil {
		return Imported{}, err
	}
	return result, elyra.Emit(ctx, "tasks:imported", result)
}

// Period is a span of days.
type Period struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Validate checks what no tag can say.
func (p Period) Validate(context.Context) error {
	if p.To.Before(p.From) {
		return elyra.ValidationError{"to": {"must not be before from"}}
	}
	return nil
}

// ReportInput is what the report is about.
type ReportInput struct {
	Period Period `json:"period"`
}

// Report counts the days of a period.
func Report(_ context.Context, in ReportInput) (int, error) {
	return int(in.Period.To.Sub(in.Period.From).Hours() / 24), nil
}

// importCommand is what rata generate writes for a function with a directive.
func importCommand() elyra.Command {
	return elyra.NewCommand("tasks_import", Import, elyra.CommandOptions{
		Can:      "tasks.create",
		Doc:      "Import adds tasks: all of them, or none.",
		Additive: true,
		Timeout:  2 * time.Minute,
	})
}

// notTooMany is a listener that refuses an import afterwards.
func notTooMany(_ context.Context, e Imported) error {
	if e.Count > 2 {
		return fmt.Errorf("import at most 2 tasks at a time, not %d", e.Count)
	}
	return nil
}

var tasksSchema = fstest.MapFS{"00001_tasks.sql": {Data: []byte(
	"-- +goose Up\nCREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT NOT NULL);\n-- +goose Down\nDROP TABLE tasks;\n")}}

func buildTasks(env *elyra.Env) (*elyra.App, error) {
	count := func(ctx context.Context, _ struct{}) (n int, err error) {
		err = elyra.DB(ctx).QueryRowContext(ctx, `SELECT count(*) FROM tasks`).Scan(&n)
		return n, err
	}
	return elyra.New().
		Database(env.Database("tasks.db", sqlite.Driver())).
		Migrations(tasksSchema).
		Commands(
			importCommand(),
			elyra.NewCommand("tasks_count", count, elyra.CommandOptions{Can: "tasks.view", Live: true}),
			elyra.NewCommand("report", Report, elyra.CommandOptions{ReadOnly: true}),
		).
		Listen(elyra.On(notTooMany)).
		MCP(elyra.NewMCP().AllowAbilities("tasks.*")), nil
}

func TestImportIsAllOrNothing(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, buildTasks)
	count := app.Live("tasks_count", nil)
	if err := app.CallErr("tasks_import", `{"titles":["a","b","c"]}`); !strings.Contains(err.Error(), "at most 2 tasks") {
		t.Errorf("three tasks: %v", err)
	}
	if r := app.MCP().Call("tasks_import", `{"titles":["a","b"]}`); r.IsError || r.Structured != `{"count":2}` {
		t.Errorf("two tasks: %+v", r)
	}
	if got := count.Next(); got != "2" {
		t.Errorf("the live count went to %s; want 2, since the first import was rolled back", got)
	}
	if bag, ok := errors.AsType[elyra.ValidationError](app.CallErr("tasks_import", `{"titles":["a",""]}`)); !ok || bag["titles[1]"] == nil {
		t.Errorf("an empty title: %v", bag)
	}
}

func TestValidateNamesThePath(t *testing.T) {
	t.Parallel()
	app := elyratest.New(t, buildTasks)
	bag, ok := errors.AsType[elyra.ValidationError](app.CallErr("report", `{"period":{"from":"2026-02-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}}`))
	if !ok || len(bag["period.to"]) != 1 {
		t.Errorf("a period that ends before it begins: %v", bag)
	}
	var days int
	if app.CallOK("report", `{"period":{"from":"2026-01-01T00:00:00Z","to":"2026-02-01T00:00:00Z"}}`, &days); days != 31 {
		t.Errorf("January has %d days", days)
	}
}
