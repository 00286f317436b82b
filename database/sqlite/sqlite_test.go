package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
)

// opened is a database in a folder of its own, and what its commits told.
type opened struct {
	*sql.DB
	t    *testing.T
	path string

	mu     sync.Mutex
	writes []database.Writes
}

func open(t *testing.T, statements ...string) *opened {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "test.db"), statements...)
}

func openAt(t *testing.T, path string, statements ...string) *opened {
	t.Helper()
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: path})
	if err != nil {
		t.Fatal(err)
	}
	o := &opened{DB: db, t: t, path: path}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, s := range statements {
		o.exec(t.Context(), s)
	}
	h, ok := database.HandleOf(db)
	if !ok {
		t.Fatal("no handle")
	}
	h.OnCommit(func(w database.Writes) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.writes = append(o.writes, w)
	})
	return o
}

func (o *opened) exec(ctx context.Context, text string, args ...any) {
	o.t.Helper()
	if _, err := o.ExecContext(ctx, text, args...); err != nil {
		o.t.Fatalf("%s: %v", text, err)
	}
}

func (o *opened) int(ctx context.Context, text string, args ...any) int {
	o.t.Helper()
	var n int
	if err := o.QueryRowContext(ctx, text, args...).Scan(&n); err != nil {
		o.t.Fatalf("%s: %v", text, err)
	}
	return n
}

// published gives what was told since the last call.
func (o *opened) published() []database.Writes {
	o.mu.Lock()
	defer o.mu.Unlock()
	w := o.writes
	o.writes = nil
	return w
}

func (o *opened) expect(want ...database.Writes) {
	o.t.Helper()
	if got := o.published(); !reflect.DeepEqual(got, want) {
		o.t.Errorf("published %v, want %v", got, want)
	}
}

func tables(names ...string) database.Writes { return database.Writes{Tables: names} }

var everything = database.Writes{Everything: true}

// recorder gathers what was read.
type recorder struct {
	mu   sync.Mutex
	seen []string
}

func (r *recorder) Read(table string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.seen, table) {
		r.seen = append(r.seen, table)
	}
}

func (r *recorder) ReadRows(table string, _ []database.Condition) { r.Read(table) }

func (r *recorder) From(database.Handle) {}

func (r *recorder) Volatile(string) {}

func (r *recorder) ReadEverything() { r.Read("*") }

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.Sort(r.seen)
	return strings.Join(r.seen, " ")
}

const schema = `
create table team(id integer primary key, name text);
create table person(id integer primary key, name text not null unique, team integer references team(id) on delete cascade);
create table log(id integer primary key, message text);
create table pair(a integer, b text, primary key(a, b)) without rowid;
create table counted(id integer primary key autoincrement, n integer);
create view named as select person.name as name, team.name as team from person join team on team.id = person.team;
create trigger logged after insert on person begin insert into log(message) values (new.name); end;
create virtual table docs using fts5(body);
create virtual table boxes using rtree(id, minx, maxx);`

func TestReadsAreRecordedByTable(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	for _, test := range []struct{ text, want string }{
		{"select 1", ""},
		{"select name from person where id = 1", "person"},
		{"select count(*) from person", "person"},
		{"select PERSON.name from Person", "person"},
		{"select * from named", "person team"},
		{"select p.name from person p where exists (select 1 from team)", "person team"},
		{"with recursive n(i) as (select 1 union all select i+1 from n where i < 3) select i from n, log", "log"},
		{"select a from pair where a = 1 and b = 'x'", "pair"},
		{"select value from json_each('[1,2]')", ""},
		{"select name from person where name = 'a;b' -- ; and more", "person"},
		{"select name from sqlite_schema", ""},
		{"select seq from sqlite_sequence", "*"},
		{"select body from docs where docs match 'x'", "*"},
		{"select id from boxes where minx > 1", "* "},
		{"pragma table_info(person)", "*"},
		{"pragma user_version", "*"},
		{"select name from pragma_table_info('person')", "*"},
		{"explain query plan select * from team", "team"},
		{"select * from person; select * from team", "*"},
	} {
		r := &recorder{}
		rows, err := db.QueryContext(database.WithRecorder(t.Context(), r), test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		for rows.Next() {
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Errorf("%s: %v", test.text, err)
		}
		if got := r.String(); got != strings.TrimSpace(test.want) {
			t.Errorf("%s: read %q, want %q", test.text, got, test.want)
		}
	}
	db.expect()
}

func TestReadsFollowTheSchema(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	const text = "select name from named"
	read := func() string {
		r := &recorder{}
		rows, err := db.QueryContext(database.WithRecorder(t.Context(), r), text)
		if err != nil {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		return r.String()
	}
	if got := read(); got != "person team" {
		t.Fatalf("read %q", got)
	}
	// Another program changes the view behind the statements that are compiled already.
	other := openAt(t, db.path)
	other.exec(t.Context(), "drop view named; create view named as select message as name from log")
	if got := read(); !strings.Contains(got, "log") {
		t.Errorf("after another program changed the view, read %q", got)
	}
}

func TestWritesArePublishedAfterCommit(t *testing.T) {
	t.Parallel()
	db := open(t, schema, "insert into team values (1, 'a'), (2, 'b')", "insert into counted(n) values (1)")
	for _, test := range []struct {
		text string
		want []database.Writes
	}{
		{"insert into team values (3, 'c')", []database.Writes{tables("team")}},
		{"insert into person(id, name, team) values (1, 'x', 1)", []database.Writes{tables("log", "person")}},
		{"update person set name = 'y' where id = 99", nil},
		{"delete from team where id = 1", []database.Writes{tables("person", "team")}},
		{"delete from log", []database.Writes{tables("log")}},
		{"replace into team values (2, 'd')", []database.Writes{tables("team")}},
		{"insert into pair values (1, 'x')", []database.Writes{tables("pair")}},
		{"insert or ignore into pair values (1, 'x')", nil},
		{"insert into team values (9, 'a'); insert into log(message) values ('m')", []database.Writes{everything}},
		{"create index team_name on team(name)", []database.Writes{everything}},
		{"alter table team add column age integer", []database.Writes{everything}},
		{"vacuum", []database.Writes{everything}},
		{"pragma user_version = 3", []database.Writes{everything}},
		{"create temp table mine(x)", nil},
		{"insert into mine values (1)", nil},
		{"pragma wal_checkpoint", nil},
		{"analyze", []database.Writes{everything}},
	} {
		db.exec(t.Context(), test.text)
		got := db.published()
		if strings.HasPrefix(test.text, "create temp") || test.text == "insert into mine values (1)" {
			continue // whether these tell is SQLite's affair; they must only work
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: published %v, want %v", test.text, got, test.want)
		}
	}
	if n := db.int(t.Context(), "select count(*) from mine"); n != 1 {
		t.Errorf("the temporary table has %d rows", n)
	}
	db.exec(t.Context(), "insert into docs values ('hello')")
	if got := db.published(); len(got) != 1 || !slices.Contains(got[0].Tables, "docs") {
		t.Errorf("full text: published %v", got)
	}
	if n := db.int(t.Context(), "select count(*) from docs where docs match 'hello'"); n != 1 {
		t.Errorf("full text: found %d", n)
	}
}

func TestFailedStatementPublishesNothing(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	ctx := t.Context()
	db.exec(ctx, "insert into person(name) values ('x')")
	db.published()
	if _, err := db.ExecContext(ctx, "insert into person(name) values ('y'), ('x')"); err == nil {
		t.Fatal("a duplicate was taken")
	}
	if _, err := db.ExecContext(ctx, "insert into person(name, team) values ('z', 77)"); err == nil {
		t.Fatal("a foreign key to nothing was taken")
	}
	db.expect()
	db.exec(ctx, "insert into team(name) values ('t')")
	db.expect(tables("team"))
}

func TestReturning(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	ctx := t.Context()
	if id := db.int(ctx, "insert into team(name) values ($1) returning id", "a"); id != 1 {
		t.Errorf("id %d", id)
	}
	db.expect(tables("team"))
	rows, err := db.QueryContext(ctx, "insert into team(name) values ('b'), ('c') returning id, name")
	if err != nil {
		t.Fatal(err)
	}
	// The writer is free while the rows are open.
	db.exec(ctx, "insert into log(message) values ('m')")
	types, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	if types[0].DatabaseTypeName() != "INTEGER" || types[1].DatabaseTypeName() != "TEXT" {
		t.Errorf("types %s, %s", types[0].DatabaseTypeName(), types[1].DatabaseTypeName())
	}
	var got []string
	for rows.Next() {
		var id int
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(id, " ", name))
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"2 b", "3 c"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	db.expect(tables("team"), tables("log"))
}

func TestTransaction(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	ctx := t.Context()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"insert into team(name) values ('a')", "insert into log(message) values ('m')"} {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			t.Fatal(err)
		}
	}
	if n := db.int(ctx, "select count(*) from team"); n != 0 {
		t.Errorf("outside, %d rows are seen before the commit", n)
	}
	db.expect()
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	db.expect(tables("log", "team"))

	if tx, err = db.BeginTx(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(ctx, "insert into team(name) values ('b')"); err != nil {
		t.Fatal(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	db.expect()
	if n := db.int(ctx, "select count(*) from team"); n != 1 {
		t.Errorf("%d rows after the rollback", n)
	}
}

func TestReadOnlyTransactionIsOneView(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	ctx := t.Context()
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	count := func() (n int) {
		if err := tx.QueryRowContext(ctx, "select count(*) from team").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := count()
	db.exec(ctx, "insert into team(name) values ('a')")
	if after := count(); after != before {
		t.Errorf("the view changed from %d to %d rows", before, after)
	}
	for _, text := range []string{"insert into team(name) values ('b')", "pragma foreign_keys = off", "create table x(y)"} {
		if _, err := tx.ExecContext(ctx, text); err == nil || !strings.Contains(err.Error(), "read-only") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

func TestTransactionStatementsAreRefused(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	for _, text := range []string{"begin", "begin immediate", "commit", "rollback", "savepoint a", "insert into log(message) values ('m'); begin"} {
		if _, err := db.ExecContext(t.Context(), text); err == nil || !strings.Contains(err.Error(), "database.Transact") {
			t.Errorf("%s: %v", text, err)
		}
	}
	db.exec(t.Context(), "insert into team(name) values ('still works')")
}

func TestPreparedStatements(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	ctx := t.Context()
	insert, err := db.PrepareContext(ctx, "insert into team(name) values (?)")
	if err != nil {
		t.Fatal(err)
	}
	defer insert.Close()
	for i := range 300 {
		result, err := insert.ExecContext(ctx, fmt.Sprint("team ", i))
		if err != nil {
			t.Fatal(err)
		}
		if id, err := result.LastInsertId(); err != nil || id != int64(i+1) {
			t.Fatalf("id %d, %v", id, err)
		}
	}
	find, err := db.PrepareContext(ctx, "select id from team where name = :name")
	if err != nil {
		t.Fatal(err)
	}
	defer find.Close()
	var id int
	if err := find.QueryRowContext(ctx, sql.Named("name", "team 41")).Scan(&id); err != nil || id != 42 {
		t.Errorf("id %d, %v", id, err)
	}
	// More texts than a connection keeps compiled.
	for i := range 200 {
		if n := db.int(ctx, fmt.Sprintf("select %d from team where id = 1", i)); n != i {
			t.Fatalf("got %d, want %d", n, i)
		}
	}
}

func TestValuesComeBackAsTheyWent(t *testing.T) {
	t.Parallel()
	db := open(t, "create table v(i integer, f real, s text, b blob, n text, at datetime)")
	ctx := t.Context()
	at := time.Date(2026, 3, 4, 5, 6, 7, 800, time.FixedZone("", 3600))
	db.exec(ctx, "insert into v values (?, ?, ?, ?, ?, ?)", int64(1)<<53+1, 1.5, "é\x00x", []byte{0, 1}, nil, at)
	var i int64
	var f float64
	var s string
	var b []byte
	var n sql.NullString
	var back time.Time
	if err := db.QueryRowContext(ctx, "select * from v").Scan(&i, &f, &s, &b, &n, &back); err != nil {
		t.Fatal(err)
	}
	if i != 1<<53+1 || f != 1.5 || s != "é\x00x" || !slices.Equal(b, []byte{0, 1}) || n.Valid || !back.Equal(at) {
		t.Errorf("got %v %v %q %v %v %v", i, f, s, b, n, back)
	}
	if year := db.int(ctx, "select strftime('%Y', at) from v"); year != 2026 {
		t.Errorf("SQLite reads the year %d", year)
	}
}

func TestCancellation(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	const endless = "with recursive n(i) as (select 1 union all select i+1 from n) select max(i) from n"
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	var n int
	if err := db.QueryRowContext(ctx, endless).Scan(&n); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an endless query ended with %v", err)
	}

	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	waiting, stop := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer stop()
	if _, err := db.ExecContext(waiting, "insert into team(name) values ('a')"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a write that waited for the writer ended with %v", err)
	}
	short, stop2 := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer stop2()
	if _, err := tx.ExecContext(short, "insert into log(message) "+endless); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an endless write ended with %v", err)
	}
	// SQLite rolls the transaction back when a write in it is interrupted. What follows must
	// not be committed by itself.
	if _, err := tx.ExecContext(t.Context(), "insert into team(name) values ('loose')"); err == nil || !strings.Contains(err.Error(), "rolled back") {
		t.Errorf("a statement after the interruption: %v", err)
	}
	if err := tx.Commit(); err == nil {
		t.Error("the commit after the interruption went well")
	}
	db.expect()
	if n := db.int(t.Context(), "select count(*) from team"); n != 0 {
		t.Errorf("%d rows", n)
	}
	db.exec(t.Context(), "insert into team(name) values ('b')")
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	ctx := t.Context()
	const workers, rounds = 8, 40
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := range rounds {
				if _, err := db.ExecContext(ctx, "insert into team(name) values (?)", fmt.Sprint(w, i)); err != nil {
					t.Error(err)
					return
				}
				err := database.Transact(ctx, db.DB, func(ctx context.Context) error {
					if _, err := db.ExecContext(ctx, "insert into log(message) values (?)", fmt.Sprint(w, i)); err != nil {
						return err
					}
					var n int
					return db.QueryRowContext(ctx, "select count(*) from log").Scan(&n)
				})
				if err != nil {
					t.Error(err)
					return
				}
				rows, err := db.QueryContext(ctx, "select id, name from team order by id desc limit 20")
				if err != nil {
					t.Error(err)
					return
				}
				for rows.Next() {
					var id int
					var name string
					if err := rows.Scan(&id, &name); err != nil {
						t.Error(err)
					}
				}
				if err := rows.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if n := db.int(ctx, "select count(*) from team"); n != workers*rounds {
		t.Errorf("%d teams", n)
	}
	if n := db.int(ctx, "select count(*) from log"); n != workers*rounds {
		t.Errorf("%d messages", n)
	}
	if got := len(db.published()); got != 2*workers*rounds {
		t.Errorf("%d commits were published, want %d", got, 2*workers*rounds)
	}
}

func TestBind(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	h, _ := database.HandleOf(db.DB)
	r := &recorder{}
	ctx, cancel := context.WithCancel(database.WithReadOnly(database.WithRecorder(t.Context(), r), "people_index"))
	bound := h.Bind(ctx)
	if again, ok := database.HandleOf(bound); !ok || again != h {
		t.Error("the bound database has another handle")
	}
	// A library that drops the context.
	rows, err := bound.Query("select name from person")
	if err != nil {
		t.Fatal(err)
	}
	if err := rows.Close(); err != nil {
		t.Fatal(err)
	}
	if r.String() != "person" {
		t.Errorf("recorded %q", r)
	}
	var refusal *database.ReadOnlyError
	if _, err := bound.Exec("delete from person"); !errors.As(err, &refusal) {
		t.Errorf("a write: %v", err)
	}
	other, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	if _, err := bound.ExecContext(other, "delete from person"); !errors.As(err, &refusal) {
		t.Errorf("a write with another context: %v", err)
	}
	cancel()
	if _, err := bound.ExecContext(other, "select 1"); err == nil {
		t.Error("the bound database works after its context ended")
	}
	db.exec(t.Context(), "insert into team(name) values ('the other one works')")
}

func TestABoundTransactionEndsWithItsContext(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	h, _ := database.HandleOf(db.DB)
	ctx, cancel := context.WithCancel(t.Context())
	tx, err := h.Bind(ctx).Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("insert into team(name) values ('a')"); err != nil {
		t.Fatal(err)
	}
	cancel()
	// The one who began it never ends it, and the writer is free all the same.
	db.exec(t.Context(), "insert into team(name) values ('b')")
	if n := db.int(t.Context(), "select count(*) from team"); n != 1 {
		t.Errorf("%d rows", n)
	}
	if err := tx.Commit(); !errors.Is(err, database.ErrTransactionEnded) {
		t.Errorf("a late commit: %v", err)
	}
}

func TestReadOnlyContext(t *testing.T) {
	t.Parallel()
	db := open(t, schema)
	ctx := database.WithReadOnly(t.Context(), "people_index")
	const want = "`people_index` is a live command and must only read"
	for _, text := range []string{
		"insert into team(name) values ('a')", "delete from team", "create table x(y)", "drop table team",
		"insert into team(name) values ('a') returning id", "pragma foreign_keys = off", "vacuum",
		"select 1; delete from team", "insert into docs values ('a')", "attach 'x.db' as x",
	} {
		if _, err := db.ExecContext(ctx, text); err == nil || err.Error() != want {
			t.Errorf("Exec %s: %v", text, err)
		}
		rows, err := db.QueryContext(ctx, text)
		if err == nil || err.Error() != want {
			t.Errorf("Query %s: %v", text, err)
		}
		if err == nil {
			rows.Close()
		}
	}
	if _, err := db.QueryContext(ctx, "select nonsense from team"); err == nil || !strings.Contains(err.Error(), "no such column") {
		t.Errorf("a misspelt column: %v", err)
	}
	if n := db.int(ctx, "select count(*) from boxes"); n != 0 {
		t.Errorf("%d boxes", n)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(ctx, "delete from team"); err == nil || err.Error() != want {
		t.Errorf("in a transaction: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	db.expect()
}

func TestLazyAndPrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: "sqlite:crm.db", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("Open touched the folder: %v", err)
	}
	if _, err := db.ExecContext(t.Context(), "create table t(x); insert into t values (1)"); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		private(t, filepath.Join(dir, e.Name()), 0o600)
	}
	private(t, dir, 0o700)
	if want := []string{"crm.db", "crm.db-shm", "crm.db-wal"}; !slices.Equal(names, want) {
		t.Errorf("files %v, want %v", names, want)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "select 1"); err == nil {
		t.Error("a closed database works")
	}
}
