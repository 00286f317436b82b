package database_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
	"github.com/elyra-go/elyra/database/sqlite"
)

// migrateEnv tells this test binary to be a program that starts and migrates: it holds the
// path or the URL of the database. stuckEnv has it run the migrations that do not end.
const (
	migrateEnv = "ELYRA_TEST_MIGRATE_DATABASE"
	stuckEnv   = "ELYRA_TEST_MIGRATE_STUCK"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(migrateEnv); address != "" {
		if err := startAndMigrate(address); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// startAndMigrate waits for a line on stdin, so that several processes go at once, and says how
// many migrations it applied.
func startAndMigrate(address string) error {
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	db, err := driverFor(address).Open(database.OpenOptions{URL: address})
	if err != nil {
		return err
	}
	migrations := files
	if os.Getenv(stuckEnv) != "" {
		migrations = stuck
	}
	n, err := database.Migrate(context.Background(), db, migrations, database.MigrateOptions{})
	fmt.Println(n)
	return errors.Join(err, db.Close())
}

func driverFor(address string) database.Driver {
	if strings.HasPrefix(address, "postgres:") {
		return postgres.Driver()
	}
	return sqlite.Driver()
}

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

func TestProcessesThatStartAtOnceMigrateOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "app.db")
	type process struct {
		*exec.Cmd
		start io.Writer
		out   *strings.Builder
	}
	var all []process
	for range 4 {
		p := process{Cmd: exec.Command(os.Args[0]), out: &strings.Builder{}}
		p.Env = append(os.Environ(), migrateEnv+"="+path)
		p.Stdout, p.Stderr = p.out, p.out
		in, err := p.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		p.start = in
		all = append(all, p)
	}
	for _, p := range all {
		if _, err := p.start.Write([]byte("go\n")); err != nil {
			t.Error(err)
		}
	}
	total := 0
	for _, p := range all {
		if err := p.Wait(); err != nil {
			t.Errorf("%v: %s", err, p.out)
			continue
		}
		var n int
		if _, err := fmt.Sscan(p.out.String(), &n); err != nil {
			t.Errorf("%v: %s", err, p.out)
		}
		total += n
	}
	if total != 3 {
		t.Errorf("%d migrations were applied by all together, want 3", total)
	}
	var seeds int
	if err := openAt(t, path).QueryRowContext(t.Context(), "select count(*) from things").Scan(&seeds); err != nil || seeds != 1 {
		t.Errorf("seeded %d times, %v", seeds, err)
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

// stuck are migrations of which the second does not end by itself, after it has written much.
var stuck = fstest.MapFS{
	"sqlite/00001_things.sql": files["sqlite/00001_things.sql"],
	"sqlite/00002_big.sql": {Data: []byte("-- +goose Up\ncreate table big(text text);\n" +
		"insert into big with recursive n(i) as (select 1 union all select i+1 from n where i < 20000) select hex(randomblob(500)) from n;\n" +
		"delete from things;\ninsert into things with recursive n(i) as (select 1 union all select i+1 from n) select i, 'endless' from n;\n")},
	"postgres/00001_things.sql": files["sqlite/00001_things.sql"],
	"postgres/00002_big.sql":    {Data: []byte("-- +goose Up\ncreate table big(text text);\ninsert into big values ('half');\nselect pg_sleep(5);\n")},
}

// startStuck runs the migrations that do not end in a process of its own.
func startStuck(t *testing.T, address string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), migrateEnv+"="+address, stuckEnv+"=1")
	cmd.Stdin = strings.NewReader("go\n")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

// await polls until something holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within 30 s", what)
		}
	}
}

// checkKilled kills the process in the middle of its second migration, and looks at what is left.
func checkKilled(t *testing.T, db *sql.DB, cmd *exec.Cmd) {
	t.Helper()
	// Somebody who comes meanwhile is told whom they wait for.
	_, err := database.Migrate(t.Context(), db, stuck, database.MigrateOptions{Wait: 50 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "another process migrates the database: ") || !strings.Contains(err.Error(), "waited for 50ms") {
		t.Errorf("locked: %v", err)
	}
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d.", cmd.Process.Pid)) && !strings.Contains(err.Error(), "the server's process ") &&
		runtime.GOOS != "windows" { // where nobody reads a file that is locked
		t.Errorf("the error does not say who: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // says that it was killed
	if got := fmt.Sprint(applied(t, db, stuck)); got != "[1]" {
		t.Errorf("applied: %s", got)
	}
	if _, err := db.ExecContext(t.Context(), "select text from big"); err == nil {
		t.Error("half of the migration is there")
	}
	mended := fstest.MapFS{"00001_things.sql": files["sqlite/00001_things.sql"], "00002_big.sql": {Data: []byte("-- +goose Up\ncreate table big(text text);\n")}}
	if n, err := database.Migrate(t.Context(), db, mended, database.MigrateOptions{}); n != 1 || err != nil {
		t.Errorf("the next start: %d, %v", n, err)
	}
}

func TestKilledInTheMiddleOfAMigration(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	cmd := startStuck(t, path)
	await(t, "the migration writes", func() bool {
		info, err := os.Stat(path + "-wal")
		return err == nil && info.Size() > 4<<20
	})
	checkKilled(t, openAt(t, path), cmd)
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
