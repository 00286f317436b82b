package sqlite_test

import (
	"testing"

	"github.com/elyra-go/elyra/database"
)

// volatileRecorder gathers the functions that depend on the time or on chance.
type volatileRecorder struct {
	recorder
	functions string
}

func (r *volatileRecorder) Volatile(function string) { r.functions += function + " " }

func TestFunctionsThatDependOnTheTimeOrOnChance(t *testing.T) {
	t.Parallel()
	made := open(t, "create table note(id integer primary key, made timestamp not null default current_timestamp, day text default (date('now')))",
		"create view today as select id from note")
	for text, want := range map[string]string{
		"select id, made, day from note":                "",
		"select id from today":                          "",
		"select id from note where made < Current_Time": "current_time ",
		"select random()":                               "random ",
		"select date('now')":                            "date ",
		"select date()":                                 "date ",
		"select date('2026-01-01')":                     "",
	} {
		// The first statement of a connection reads the schema, too.
		db := openAt(t, made.path)
		r := &volatileRecorder{}
		rows, err := db.QueryContext(database.WithRecorder(t.Context(), r), text)
		if err != nil {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if r.functions != want {
			t.Errorf("%s: told of %q, want %q", text, r.functions, want)
		}
	}
}
