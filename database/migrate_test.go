package database_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/elyra-go/elyra/database"
)

var files = fstest.MapFS{
	"sqlite/00001_things.sql": {Data: []byte("-- +goose Up\ncreate table things(id integer primary key, name text);\n-- +goose Down\ndrop table things;\n")},
	"sqlite/00002_seed.sql":   {Data: []byte("-- +goose Up\ninsert into things(name) values ('seed');\n-- +goose Down\ndelete from things;\n")},
	"sqlite/00003_rebuild.sql": {Data: []byte("-- +goose NO TRANSACTION\n-- +goose Up\npragma foreign_keys = off;\n" +
		"alter table things add column age integer;\npragma foreign_keys = on;\n-- +goose Down\nalter table things drop column age;\n")},
	"postgres/00001_other.sql": {Data: []byte("-- +goose Up\nnonsense;\n")},
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	db := open(t)
	for _, step := range []struct {
		name string
		o    database.MigrateOptions
		want int
	}{
		{"up", database.MigrateOptions{}, 3},
		{"up again", database.MigrateOptions{}, 0},
		{"down one", database.MigrateOptions{Down: true}, 1},
		{"up one", database.MigrateOptions{}, 1},
		{"down all", database.MigrateOptions{Down: true, All: true}, 3},
		{"down nothing", database.MigrateOptions{Down: true}, 0},
		{"up once more", database.MigrateOptions{}, 3},
	} {
		n, err := database.Migrate(t.Context(), db, files, step.o)
		if err != nil || n != step.want {
			t.Errorf("%s: %d, %v, want %d", step.name, n, err, step.want)
		}
	}
	var name string
	if err := db.QueryRowContext(t.Context(), "select name from things where age is null").Scan(&name); err != nil || name != "seed" {
		t.Errorf("%q, %v", name, err)
	}

	older := fstest.MapFS{"00001_things.sql": files["sqlite/00001_things.sql"]}
	for _, o := range []database.MigrateOptions{{}, {Down: true}} {
		if _, err := database.Migrate(t.Context(), db, older, o); err == nil || !strings.Contains(err.Error(), "version 3 and this program knows versions up to 1") {
			t.Errorf("an older program: %v", err)
		}
	}
	if n, err := database.Migrate(t.Context(), open(t), fstest.MapFS{}, database.MigrateOptions{}); n != 0 || err != nil {
		t.Errorf("no files: %d, %v", n, err)
	}
}

func TestMigrateReportsWhatFailed(t *testing.T) {
	t.Parallel()
	db := open(t)
	broken := fstest.MapFS{
		"00001_things.sql": files["sqlite/00001_things.sql"],
		"00002_broken.sql": {Data: []byte("-- +goose Up\ninsert into things(name) values ('half');\ninsert into missing values (1);\n")},
	}
	n, err := database.Migrate(t.Context(), db, broken, database.MigrateOptions{})
	if n != 1 || err == nil || !strings.Contains(err.Error(), "00002_broken.sql") || !strings.Contains(err.Error(), "no such table: missing") {
		t.Errorf("%d, %v", n, err)
	}
	var count int
	if err := db.QueryRowContext(t.Context(), "select count(*) from things").Scan(&count); err != nil || count != 0 {
		t.Errorf("%d rows of the half migration, %v", count, err)
	}
}

// failing are migrations of which the third fails in its middle. Both dialects take them.
var failing = fstest.MapFS{
	"00001_things.sql": {Data: []byte("-- +goose Up\ncreate table things(id integer primary key, name text);\n-- +goose Down\ndrop table things;\n")},
	"00002_seed.sql":   {Data: []byte("-- +goose Up\ninsert into things values (1, 'seed');\n-- +goose Down\ndelete from things;\ndelete from missing;\n")},
	"00003_half.sql": {Data: []byte("-- +goose Up\ncreate table half(id integer);\nalter table things add column age integer;\n" +
		"insert into things values (2, 'half', 3);\n\ninsert into missing\n  values (1);\n-- +goose Down\ndrop table half;\n")},
}

// applied names the versions that a database has.
func applied(t *testing.T, db *sql.DB, migrations fstest.MapFS) (versions []int64) {
	t.Helper()
	all, err := database.MigrationStatus(t.Context(), db, migrations)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if !m.AppliedAt.IsZero() {
			versions = append(versions, m.Version)
		}
	}
	return versions
}

// checkHalf fails in the middle of a migration, up and down, and looks at what is left.
func checkHalf(t *testing.T, db *sql.DB) {
	t.Helper()
	n, err := database.Migrate(t.Context(), db, failing, database.MigrateOptions{})
	want := "\nlast statement: insert into missing\n  values (1);\nnothing of 00003_half.sql was applied; 2 migrations before it stay applied"
	if n != 2 || err == nil || !strings.Contains(err.Error(), ": 00003_half.sql, line 6: ") || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%d, %v", n, err)
	}
	if got := fmt.Sprint(applied(t, db, failing)); got != "[1 2]" {
		t.Errorf("applied: %s", got)
	}
	var count int
	if err := db.QueryRowContext(t.Context(), "select count(*) from things").Scan(&count); err != nil || count != 1 {
		t.Errorf("%d rows, %v", count, err)
	}
	for _, gone := range []string{"select age from things", "select id from half"} {
		if _, err := db.ExecContext(t.Context(), gone); err == nil {
			t.Errorf("half of the migration is there: %s", gone)
		}
	}
	n, err = database.Migrate(t.Context(), db, failing, database.MigrateOptions{To: 2})
	if n != 0 || err != nil {
		t.Errorf("up to 2: %d, %v", n, err)
	}
	_, err = database.Migrate(t.Context(), db, failing, database.MigrateOptions{Down: true})
	if err == nil || !strings.HasSuffix(err.Error(), "nothing of 00002_seed.sql was taken back") {
		t.Errorf("down: %v", err)
	}
	if err := db.QueryRowContext(t.Context(), "select count(*) from things").Scan(&count); err != nil || count != 1 {
		t.Errorf("after a failed way back: %d rows, %v", count, err)
	}
}

func TestMigrationThatFailsHalfway(t *testing.T) {
	t.Parallel()
	checkHalf(t, open(t))
}

// checkOwnCommit runs a migration that ends the transaction it is in.
func checkOwnCommit(t *testing.T, db *sql.DB) {
	t.Helper()
	for name, end := range map[string]string{"commit": "commit;", "spelt otherwise": "/* now */ END ;", "in a block": "-- +goose StatementBegin\nselect 1; commit; select 2;\n-- +goose StatementEnd"} {
		migrations := fstest.MapFS{"00001_own.sql": {Data: []byte("-- +goose Up\ncreate table own(id integer);\n" + end + "\ninsert into missing values (1);\n")}}
		if n, err := database.Migrate(t.Context(), db, migrations, database.MigrateOptions{}); n != 0 || err == nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if _, err := db.ExecContext(t.Context(), "select id from own"); err == nil {
			t.Fatalf("%s: half of the migration is there", name)
		}
	}
}

func TestMigrationThatCommitsByItself(t *testing.T) {
	t.Parallel()
	checkOwnCommit(t, open(t))
}

func TestMigrateRefuses(t *testing.T) {
	t.Parallel()
	one := fstest.MapFS{"00001_a.sql": {Data: []byte("-- +goose Up\ncreate table a(id integer);\n")}}
	three := fstest.MapFS{"00001_a.sql": one["00001_a.sql"], "00003_c.sql": {Data: []byte("-- +goose Up\ncreate table c(id integer);\n--+goose down\ndrop table c;\n")}}
	all := fstest.MapFS{"00001_a.sql": one["00001_a.sql"], "00002_b.sql": {Data: []byte("-- +goose Up\ncreate table b(id integer);\n")}, "00003_c.sql": three["00003_c.sql"]}
	for _, tt := range []struct {
		name       string
		has, files fstest.MapFS
		o          database.MigrateOptions
		want       string
	}{
		{"no way back", one, one, database.MigrateOptions{Down: true}, `00001_a.sql cannot be taken back: it has no section "-- +goose Down"`},
		{"no way back further down", three, three, database.MigrateOptions{Down: true, Steps: 2}, "00001_a.sql cannot be taken back"},
		{"all", three, three, database.MigrateOptions{Down: true, All: true}, "00001_a.sql cannot be taken back"},
		{"no file", three, fstest.MapFS{"00004_d.sql": one["00001_a.sql"]}, database.MigrateOptions{Down: true}, "the database has version 3, for which this program has no file"},
		{"an older one came later", three, all, database.MigrateOptions{}, "00002_b.sql is not applied, but the newer version 3 is: give the file a number above 3"},
		{"no such version", one, three, database.MigrateOptions{To: 2}, "there is no migration with the version 2; the newest is 3"},
		{"up to what is behind", three, three, database.MigrateOptions{To: 1}, "the database is at version 3, beyond 1"},
		{"not a migration", one, fstest.MapFS{"00002_b.sql": {Data: []byte("create table b(id integer);\n")}}, database.MigrateOptions{}, "00002_b.sql"},
		{"no semicolon", nil, fstest.MapFS{"00001_b.sql": {Data: []byte("-- +goose Up\ncreate table b(id integer)\n")}}, database.MigrateOptions{}, "missing semicolon?"},
		{"steps upwards", one, one, database.MigrateOptions{Steps: 1}, "goes with taking back"},
		{"a version downwards", one, one, database.MigrateOptions{Down: true, To: 1}, "goes with applying"},
		{"negative", one, one, database.MigrateOptions{Down: true, Steps: -1}, "counted from 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := open(t)
			if _, err := database.Migrate(t.Context(), db, tt.has, database.MigrateOptions{}); err != nil {
				t.Fatal(err)
			}
			before := fmt.Sprint(applied(t, db, tt.has))
			if n, err := database.Migrate(t.Context(), db, tt.files, tt.o); n != 0 || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%d, %v; want %s", n, err, tt.want)
			}
			if after := fmt.Sprint(applied(t, db, tt.has)); after != before {
				t.Errorf("applied was %s and is %s", before, after)
			}
		})
	}
}

func TestMigrationWithoutATransaction(t *testing.T) {
	t.Parallel()
	db := open(t)
	_, err := database.Migrate(t.Context(), db, fstest.MapFS{"00001_a.sql": {Data: []byte(
		"-- +goose NO TRANSACTION\n-- +goose Up\ncreate table a(id integer);\ninsert into missing values (1);\n")}}, database.MigrateOptions{})
	if err == nil || !strings.HasSuffix(err.Error(), `00001_a.sql says "-- +goose NO TRANSACTION", so what it did before that statement stays: look at the database`) {
		t.Errorf("%v", err)
	}
	exec1(t, t.Context(), db, "select id from a")
}

func TestMigrationStatus(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "test.db")
	db := openAt(t, path)
	if got := fmt.Sprint(applied(t, db, files)); got != "[]" {
		t.Errorf("a new database has %s", got)
	}
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		t.Error("asking made the database")
	}
	checkStatus(t, db)
}

// checkStatus looks at a database with one migration applied, one pending, and one of another program's.
func checkStatus(t *testing.T, db *sql.DB) {
	t.Helper()
	other := fstest.MapFS{"00001_things.sql": failing["00001_things.sql"], "00004_d.sql": {Data: []byte("-- +goose Up\ncreate table d(id integer);\n")}}
	if _, err := database.Migrate(t.Context(), db, other, database.MigrateOptions{}); err != nil {
		t.Fatal(err)
	}
	all, err := database.MigrationStatus(t.Context(), db, failing)
	if err != nil || len(all) != 4 {
		t.Fatalf("%+v, %v", all, err)
	}
	for i, want := range []struct {
		file    string
		applied bool
	}{{"00001_things.sql", true}, {"00002_seed.sql", false}, {"00003_half.sql", false}, {"", true}} {
		m := all[i]
		if m.Version != int64(i+1) || m.File != want.file || m.AppliedAt.IsZero() == want.applied {
			t.Errorf("%+v, want %+v", m, want)
		}
		if age := time.Since(m.AppliedAt); want.applied && (age < -time.Minute || age > time.Hour) {
			t.Errorf("%d was applied at %v", m.Version, m.AppliedAt)
		}
	}
}
