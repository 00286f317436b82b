package sqlite_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	lib "modernc.org/sqlite"
)

// sides are the tracked driver and the library under it, with the same settings.
func sides(b *testing.B) map[string]*sql.DB {
	b.Helper()
	tracked, err := sqlite.Driver().Open(database.OpenOptions{URL: filepath.Join(b.TempDir(), "tracked.db")})
	if err != nil {
		b.Fatal(err)
	}
	connector, err := lib.NewConnector("file:" + filepath.ToSlash(filepath.Join(b.TempDir(), "raw.db")) +
		"?_journal_mode=WAL&_synchronous=NORMAL&_foreign_keys=1&_busy_timeout=5000")
	if err != nil {
		b.Fatal(err)
	}
	both := map[string]*sql.DB{"tracked": tracked, "raw": sql.OpenDB(connector)}
	for _, db := range both {
		b.Cleanup(func() {
			if err := db.Close(); err != nil {
				b.Error(err)
			}
		})
		if _, err := db.Exec(`create table person(id integer primary key, name text);
			with recursive n(i) as (select 1 union all select i+1 from n where i < 1000) insert into person select i, 'Person ' || i from n`); err != nil {
			b.Fatal(err)
		}
	}
	return both
}

func BenchmarkReadOneRow(b *testing.B) {
	for side, db := range sides(b) {
		b.Run(side, func(b *testing.B) {
			ctx := database.WithRecorder(context.Background(), &recorder{})
			for i := range b.N {
				var name string
				if err := db.QueryRowContext(ctx, "select name from person where id = ?", i%1000+1).Scan(&name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReadFiftyRows(b *testing.B) {
	for side, db := range sides(b) {
		b.Run(side, func(b *testing.B) {
			ctx := database.WithRecorder(context.Background(), &recorder{})
			for i := range b.N {
				rows, err := db.QueryContext(ctx, "select id, name from person where id > ? order by id limit 50", i%900)
				if err != nil {
					b.Fatal(err)
				}
				for rows.Next() {
					var id int64
					var name string
					if err := rows.Scan(&id, &name); err != nil {
						b.Fatal(err)
					}
				}
				if err := rows.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkWriteOneRow also measures a table whose rows somebody depends on, beside a watch for
// other programs.
func BenchmarkWriteOneRow(b *testing.B) {
	all := sides(b)
	watched := sides(b)["tracked"]
	all["watched"] = watched
	rows, err := watched.QueryContext(database.WithRecorder(b.Context(), &recorder{}), "select name from person where id = 1")
	if err != nil {
		b.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		b.Fatal(err)
	}
	h, _ := database.HandleOf(watched)
	defer h.Watch()()
	for side, db := range all {
		b.Run(side, func(b *testing.B) {
			for i := range b.N {
				if _, err := db.Exec("update person set name = ? where id = ?", "Someone", i%1000+1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
