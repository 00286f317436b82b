package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/database"
)

// told spells out what was published since the last call: the tables, each with its rows, and
// a star for a table whose rows are not told.
func (o *opened) told() string {
	var all []string
	for _, w := range o.published() {
		if w.Everything {
			all = append(all, "everything")
		}
		for _, table := range w.Tables {
			if _, ok := w.Rows[table]; !ok {
				all = append(all, table+"*")
			}
		}
		for _, table := range slices.Sorted(maps.Keys(w.Rows)) {
			for _, c := range w.Rows[table] {
				all = append(all, table+" "+spell(c.Old)+"→"+spell(c.New))
			}
		}
	}
	return strings.Join(all, ", ")
}

func spell(r database.Row) string {
	if r.Absent {
		return "-"
	}
	out := fmt.Sprint(r.ID)
	for _, v := range r.Values {
		out += ":" + show(v)
	}
	return out
}

// watch has somebody depend on what a query reads.
func (o *opened) watch(query string, args ...any) {
	o.t.Helper()
	rows, err := o.QueryContext(database.WithRecorder(o.t.Context(), &rowRecorder{}), query, args...)
	if err != nil {
		o.t.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		o.t.Fatal(err)
	}
}

var errBack = errors.New("back")

func TestWhichRowsChanged(t *testing.T) {
	t.Parallel()
	const tables = `create table person(id integer primary key, name text, team integer references team(id) on delete cascade, note text);
		create index person_team on person(team); create table team(id integer primary key, name text);
		insert into team values (1, 'x'), (2, 'y'); insert into person values (1, 'a', 1, ''), (2, 'b', 1, ''), (3, 'c', 2, '')`
	byRow := func(o *opened) { o.watch("select * from person where id = ?", 1) }
	byTeam := func(o *opened) { o.watch("select * from person where team = ?", 1) }
	statements := func(all ...string) func(context.Context, *opened) error {
		return func(ctx context.Context, o *opened) error {
			for _, s := range all {
				o.exec(ctx, s)
			}
			return nil
		}
	}
	in := func(all ...func(context.Context, *opened) error) func(context.Context, *opened) error {
		return func(ctx context.Context, o *opened) error {
			return database.Transact(ctx, o.DB, func(ctx context.Context) error {
				for _, one := range all {
					if err := one(ctx, o); err != nil && !errors.Is(err, errBack) {
						return err
					}
				}
				return nil
			})
		}
	}
	back := func(context.Context, *opened) error { return errors.New("undo") }
	undone := func(s string) func(context.Context, *opened) error {
		return func(ctx context.Context, o *opened) error {
			return database.Transact(ctx, o.DB, func(ctx context.Context) error {
				o.exec(ctx, s)
				return errBack
			})
		}
	}
	for _, test := range []struct {
		name  string
		watch func(*opened)
		do    func(context.Context, *opened) error
		want  string
	}{
		{"nobody watches", nil, statements("update person set name = 'z' where id = 1"), "person*"},
		{"another table is watched", byRow, statements("update team set name = 'z'"), "team*"},
		{"an update", byRow, statements("update person set name = 'z' where id = 1"), "person 1→1"},
		{"an insertion", byRow, statements("insert into person values (7, 'g', 1, '')"), "person -→7"},
		{"a deletion", byRow, statements("delete from person where id = 2"), "person 2→-"},
		{"all rows", byRow, statements("delete from person"), "person 1→-, person 2→-, person 3→-"},
		{"another rowid", byRow, statements("update person set id = 9 where id = 3"), "person 3→9"},
		{"a replacement", byRow, statements("insert or replace into person values (1, 'z', 2, '')"), "person 1→-, person -→1"},
		{"values", byTeam, statements("update person set team = 2 where id = 1"), "person 1:1:'a':1→1:1:'a':2"},
		{"a cascade", byTeam, statements("delete from team where id = 2"), "team*, person 3:3:'c':2→-"},
		{"257 rows", byRow, statements("with recursive n(i) as (select 10 union all select i + 1 from n where i < 266) insert into person(id) select i from n"), "person*"},
		{"a transaction", byRow, in(statements("update person set name = 'z' where id = 1", "delete from person where id = 2")), "person 1→1, person 2→-"},
		{"a savepoint", byRow, in(statements("update person set name = 'z' where id = 1"), in(statements("delete from person where id = 2"))), "person 1→1, person 2→-"},
		{"one taken back", byRow, in(statements("update person set name = 'z' where id = 1"), undone("delete from person where id = 2"), statements("delete from person where id = 3")), "person 1→1, person 3→-"},
		{"a table taken back", byRow, in(statements("update person set name = 'z' where id = 1"), undone("update team set name = 'q'")), "person 1→1"},
		{"the only one taken back", byRow, in(undone("delete from person where id = 2")), ""},
		{"all taken back", byRow, func(ctx context.Context, o *opened) error {
			_ = in(statements("delete from person where id = 2"), back)(ctx, o)
			return nil
		}, ""},
		{"a failed statement", byRow, func(ctx context.Context, o *opened) error {
			_, _ = o.ExecContext(ctx, "insert into person(id) values (8), (1)")
			return nil
		}, ""},
		{"another schema", byRow, statements("alter table person add column more text", "update person set name = 'z' where id = 1"), "everything, person*"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := open(t, tables)
			if test.watch != nil {
				test.watch(o)
			}
			o.published()
			if err := test.do(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if got := o.told(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}
