package orm

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// TestEnt uses ent's SQL driver and its statement builder, which is what ent's generated code calls.
func TestEnt(t *testing.T) {
	t.Parallel()
	db, r := open(t)
	driver := sql.OpenDB(dialect.SQLite, db)
	build := sql.Dialect(dialect.SQLite)
	if err := driver.Exec(t.Context(), schema, []any{}, nil); err != nil {
		t.Fatal(err)
	}
	exec := func(ctx context.Context, on dialect.ExecQuerier, statement sql.Querier) error {
		text, args := statement.Query()
		return on.Exec(ctx, text, args, nil)
	}
	query := func(ctx context.Context, statement *sql.Selector) (names []string, err error) {
		text, args := statement.Query()
		rows := &sql.Rows{}
		if err := driver.Query(ctx, text, args, rows); err != nil {
			return nil, err
		}
		defer rows.Close()
		return names, sql.ScanSlice(rows, &names)
	}
	people := func() *sql.Selector { return build.Select("name").From(build.Table("people")) }
	exercise(t, db, r, store{
		add: func(ctx context.Context, name string) (int64, error) {
			text, args := build.Insert("people").Columns("name", "born").Values(name, time.Now()).Returning("id").Query()
			rows := &sql.Rows{}
			if err := driver.Query(ctx, text, args, rows); err != nil {
				return 0, err
			}
			defer rows.Close()
			return sql.ScanInt64(rows)
		},
		rename: func(ctx context.Context, id int64, name string) error {
			return exec(ctx, driver, build.Update("people").Set("name", name).Where(sql.EQ("id", id)))
		},
		remove: func(ctx context.Context, id int64) error {
			return exec(ctx, driver, build.Delete("people").Where(sql.EQ("id", id)))
		},
		names: func(ctx context.Context) (string, error) {
			all, err := query(ctx, people().OrderBy("id"))
			return strings.Join(all, " "), err
		},
		show: func(ctx context.Context, id int64) (string, error) {
			all, err := query(ctx, people().Where(sql.EQ("id", id)).Limit(1))
			return strings.Join(all, " "), err
		},
		pair: func(ctx context.Context, one, two string, back bool) error {
			tx, err := driver.Tx(ctx)
			if err != nil {
				return err
			}
			for _, name := range []string{one, two} {
				if err := exec(ctx, tx, build.Insert("people").Columns("name").Values(name)); err != nil {
					return errors.Join(err, tx.Rollback())
				}
			}
			if back {
				if err := tx.Rollback(); err != nil {
					return err
				}
				return errBack
			}
			return tx.Commit()
		},
	})
}
