//go:build postgres

package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
	"github.com/elyra-go/elyra/internal/live"
)

// captures are the ways in which the database tells, by name.
var captures = map[string]string{"polled": "", "notify": postgres.CaptureMigration, "log": postgres.CaptureLogMigration}

// eachCapture runs a test for each way, or for those that have triggers.
func eachCapture(t *testing.T, polled bool, test func(t *testing.T, kind string)) {
	t.Parallel()
	for kind, migration := range captures {
		if migration == "" && !polled {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			test(t, kind)
		})
	}
}

// capture installs a capture.
func capture(t testing.TB, db *sql.DB, kind string) { migrate(t, db, kind, database.MigrateOptions{}) }

func migrate(t testing.TB, db *sql.DB, kind string, o database.MigrateOptions) {
	t.Helper()
	if captures[kind] == "" {
		return
	}
	files := fstest.MapFS{"00001_capture.sql": {Data: []byte(captures[kind])}}
	if n, err := database.Migrate(t.Context(), db, files, o); err != nil || n != 1 {
		t.Fatalf("%d migrations, %v", n, err)
	}
}

// commits gives what is told from now on.
func commits(t testing.TB, db *sql.DB) <-chan database.Writes {
	t.Helper()
	told := make(chan database.Writes, 1000)
	h, _ := database.HandleOf(db)
	t.Cleanup(h.OnCommit(func(w database.Writes) { told <- w }))
	return told
}

// logged is a log that a test can read.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// await waits until the log has all words in it.
func (l *logged) await(t *testing.T, words ...string) {
	t.Helper()
	for i := 0; ; i++ {
		text := l.String()
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			return
		}
		if i > 1000 {
			t.Fatalf("the log does not say %q: %s", words, text)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (l *logged) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// role makes a role that may connect and no more. It is of the whole server.
func role(t testing.TB, admin *sql.DB, grants ...string) string {
	t.Helper()
	name := fmt.Sprintf("role%d", time.Now().UnixNano())
	exec(t, t.Context(), admin, "create role "+name+" login")
	for _, g := range grants {
		exec(t, t.Context(), admin, fmt.Sprintf(g, name))
	}
	return name
}

// as gives the address for another role.
func as(address, role string) string { return strings.Replace(address, "elyra@", role+"@", 1) }

func TestCapture(t *testing.T) {
	eachCapture(t, false, func(t *testing.T, kind string) {
		db, address := open(t, tables...)
		exec(t, t.Context(), db, "create table unread(a int)")
		capture(t, db, kind)
		other := openAt(t, address)
		// It has written before anybody follows, and commits later. Its view of the data is
		// older than all that follows.
		early, err := other.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelSerializable})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"insert into team values (7, 'early')", "insert into person(name) values ('early')"} {
			if _, err := early.ExecContext(t.Context(), text); err != nil {
				t.Fatal(err)
			}
		}
		s := follow(t, db)
		if got := next(t, s); got != "a b" {
			t.Fatal(got)
		}
		time.Sleep(400 * time.Millisecond) // it is followed by now
		if err := early.Commit(); err != nil {
			t.Fatal(err)
		}
		if got := next(t, s); got != "a b early" {
			t.Errorf("an older transaction's: %q", got)
		}
		told := commits(t, db)
		for _, step := range []struct{ name, do, want string }{
			{"another program's", "insert into person(name) values ('c')", "a b early c"},
			{"a truncation", "truncate person", ""},
			{"a copy", "insert into person(name) select 'd'", "d"},
		} {
			exec(t, t.Context(), other, step.do)
			if got := next(t, s); got != step.want && !strings.Contains(got, "NULL") {
				t.Errorf("%s: %q, want %q", step.name, got, step.want)
			}
			if w := <-told; w.Everything || !slices.Equal(w.Tables, []string{"public.person"}) {
				t.Errorf("%s: told %v", step.name, w)
			}
		}
		exec(t, t.Context(), other, "insert into unread values (1)")
		exec(t, t.Context(), other, "insert into person(name) values ('last')")
		if w := <-told; !slices.Equal(w.Tables, []string{"public.person"}) {
			t.Errorf("a table that nobody reads was told: %v", w)
		}
		migrate(t, other, kind, database.MigrateOptions{Down: true}) // while it is followed
	})
}

// TestUnwatchedTablesTellNothing has many writers at a time on a table that nobody follows.
func TestUnwatchedTablesTellNothing(t *testing.T) {
	eachCapture(t, false, func(t *testing.T, kind string) {
		db, address := open(t, tables...)
		capture(t, db, kind)
		heard := listener(t, address)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 20 {
					err := database.Transact(t.Context(), db, func(ctx context.Context) error {
						_, err := db.ExecContext(ctx, "insert into person(name) values ('x')")
						time.Sleep(time.Millisecond)
						return err
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		told := heard()
		if kind == "log" {
			if err := db.QueryRowContext(t.Context(), "select count(*) from elyra_live.log").Scan(&told); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("160 transactions of 8 writers told %d times", told)
		if told > 16 {
			t.Error("and nobody follows")
		}
	})
}

// listener hears the notifications of a database from now on. What it gives back counts them.
func listener(t testing.TB, address string) (heard func() int) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	if _, err := c.Exec(t.Context(), "listen elyra"); err != nil {
		t.Fatal(err)
	}
	return func() (n int) {
		if _, err := c.Exec(t.Context(), "notify elyra, 'end'"); err != nil {
			t.Fatal(err)
		}
		for ; ; n++ {
			told, err := c.WaitForNotification(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if told.Payload == "end" {
				return n
			}
		}
	}
}

func TestRollbackTellsNothing(t *testing.T) {
	eachCapture(t, true, func(t *testing.T, kind string) {
		db, address := open(t, tables...)
		capture(t, db, kind)
		other := openAt(t, address)
		s := follow(t, db)
		next(t, s)
		exec(t, t.Context(), other, "insert into person(name) values ('c')")
		next(t, s)
		time.Sleep(200 * time.Millisecond)
		told := commits(t, db)
		for range 5 {
			err := database.Transact(t.Context(), other, func(ctx context.Context) error {
				exec(t, ctx, other, "insert into person(name) values ('never')")
				return errBack
			})
			if !errors.Is(err, errBack) {
				t.Fatal(err)
			}
			// Part of a transaction that commits: the table may be told, and is the same.
			err = database.Transact(t.Context(), other, func(ctx context.Context) error {
				exec(t, ctx, other, "insert into team values (100 + (select count(*) from team), 't')")
				_ = database.Transact(ctx, other, func(ctx context.Context) error {
					exec(t, ctx, other, "insert into person(name) values ('never')")
					return errBack
				})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		select {
		case u := <-s.Updates():
			t.Errorf("after rollbacks it is %q", u.Value)
		case <-time.After(600 * time.Millisecond):
		}
		if n := len(told); kind != "polled" && n > 0 {
			t.Errorf("%s told %d times of what was rolled back", kind, n)
		}
	})
}

// TestWhoWritesNeedsNoRights writes as a role that may insert and nothing else, with the capture
// whole and with one that cannot tell any more.
func TestWhoWritesNeedsNoRights(t *testing.T) {
	eachCapture(t, false, func(t *testing.T, kind string) {
		admin, address := open(t)
		owner, stranger := role(t, admin, "grant create on schema public to %s", "grant create on database "+databaseOf(t, admin)+" to %s"), role(t, admin)
		db := openWith(t, postgres.Paced(postgres.Pace{Net: 600 * time.Millisecond}), database.OpenOptions{URL: as(address, owner)})
		for _, s := range append(tables, "grant insert on person to "+stranger) {
			exec(t, t.Context(), db, s)
		}
		capture(t, db, kind)
		exec(t, t.Context(), db, "revoke all on all functions in schema elyra_live from public")
		exec(t, t.Context(), db, "revoke all on all tables in schema elyra_live from public")
		exec(t, t.Context(), db, "revoke all on schema elyra_live from public")
		other := openAt(t, as(address, stranger))
		s := follow(t, db)
		next(t, s)
		exec(t, t.Context(), other, "insert into person(name) values ('c')")
		if got := next(t, s); got != "a b c" {
			t.Error(got)
		}
		breaks := map[string]string{"notify": "revoke execute on function pg_notify from public", "log": "revoke insert on elyra_live.log from " + owner}[kind]
		exec(t, t.Context(), admin, breaks)
		exec(t, t.Context(), other, "insert into person(name) values ('d')")
		if got := next(t, s); got != "a b c d" {
			t.Errorf("when the trigger cannot tell: %q", got)
		}
	})
}

func databaseOf(t testing.TB, db *sql.DB) (name string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "select current_database()").Scan(&name); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestTablesOfAnotherOwner installs a capture as a role that has no right to make triggers.
func TestTablesOfAnotherOwner(t *testing.T) {
	eachCapture(t, false, func(t *testing.T, kind string) {
		admin, address := open(t, tables...)
		user := role(t, admin, "grant create on schema public to %s", "grant create on database "+databaseOf(t, admin)+" to %s", "grant select on person to %s")
		out := &logged{}
		db := openWith(t, postgres.Driver(), database.OpenOptions{URL: as(address, user), Log: out.logger()})
		capture(t, db, kind)
		s := follow(t, db)
		next(t, s)
		exec(t, t.Context(), admin, "insert into person(name) values ('c')")
		if got := next(t, s); got != "a b c" {
			t.Error(got)
		}
		out.await(t, "have no trigger", "public.person")
		exec(t, t.Context(), admin, "insert into person(name) values ('d')") // still polled
		if got := next(t, s); got != "a b c d" {
			t.Error(got)
		}
	})
}

// TestALogThatMayNotBeRead falls back to asking.
func TestALogThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	admin, address := open(t, tables...)
	capture(t, admin, "log")
	exec(t, t.Context(), admin, "revoke all on schema elyra_live from public")
	out := &logged{}
	db := openWith(t, postgres.Driver(), database.OpenOptions{URL: as(address, role(t, admin, "grant select on person to %s")), Log: out.logger()})
	s := follow(t, db)
	next(t, s)
	exec(t, t.Context(), admin, "insert into person(name) values ('c')")
	if got := next(t, s); got != "a b c" {
		t.Error(got)
	}
	out.await(t, "may not read elyra_live.log")
	if text := out.String(); strings.Contains(text, "trying again") {
		t.Errorf("it says %q", text)
	}
}

// TestLongNamesAndManyTables changes 120 tables with the longest names in one statement.
func TestLongNamesAndManyTables(t *testing.T) {
	eachCapture(t, false, func(t *testing.T, kind string) {
		db, address := open(t)
		var names []string
		var parts []string
		for i := range 120 {
			name := fmt.Sprintf("%03d%s", i, strings.Repeat("\"ä", 20)) // 63 bytes
			quoted := pgx.Identifier{name}.Sanitize()
			exec(t, t.Context(), db, "create table "+quoted+"(a int)")
			names = append(names, "public."+name)
			parts = append(parts, fmt.Sprintf("w%d as (insert into %s values (1))", i, quoted))
		}
		capture(t, db, kind)
		told := commits(t, db)
		s := followQuery(t, db, func(ctx context.Context) (total string, err error) {
			for _, name := range names {
				var n string
				quoted := pgx.Identifier{strings.TrimPrefix(name, "public.")}.Sanitize()
				if err := db.QueryRowContext(ctx, "select count(*) from "+quoted).Scan(&n); err != nil {
					return "", err
				}
				total += n
			}
			return total, nil
		})
		if got := next(t, s); got != strings.Repeat("0", 120) {
			t.Fatal(got)
		}
		time.Sleep(500 * time.Millisecond)
		for len(told) > 0 {
			<-told
		}
		exec(t, t.Context(), openAt(t, address), "with "+strings.Join(parts, ", ")+" select 1")
		for got := ""; got != strings.Repeat("1", 120); got = next(t, s) {
		}
		var heard []string
		for len(heard) < 120 {
			w := <-told
			if w.Everything {
				t.Error("everything was told")
				break
			}
			heard = append(heard, w.Tables...)
		}
		slices.Sort(heard)
		if !slices.Equal(heard, names) {
			t.Errorf("told of %d tables: %q", len(heard), heard)
		}
	})
}

// TestLogIsPruned has two apps follow, lines deleted, and nothing missed.
func TestLogIsPruned(t *testing.T) {
	t.Parallel()
	db, address := open(t, tables...)
	capture(t, db, "log")
	other := openAt(t, address)
	var all []*live.Subscription
	for range 2 {
		s := follow(t, openWith(t, postgres.Paced(postgres.Pace{Net: 900 * time.Millisecond}), database.OpenOptions{URL: address}))
		next(t, s)
		all = append(all, s)
	}
	want := "a b"
	for i := range 40 {
		exec(t, t.Context(), other, "insert into person(name) values ($1)", fmt.Sprint(i))
		want += fmt.Sprint(" ", i)
		for _, s := range all {
			for got := ""; got != want; got = next(t, s) {
			}
		}
		time.Sleep(60 * time.Millisecond)
	}
	for lines := 40; lines > 0; time.Sleep(50 * time.Millisecond) {
		if err := db.QueryRowContext(t.Context(), "select count(*) from elyra_live.log").Scan(&lines); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCaptureComesAndGoes installs and removes a capture while it is followed.
func TestCaptureComesAndGoes(t *testing.T) {
	eachCapture(t, false, func(t *testing.T, kind string) {
		_, address := open(t, tables...)
		other := openAt(t, address)
		s := follow(t, openWith(t, postgres.Paced(postgres.Pace{Heartbeat: 100 * time.Millisecond}), database.OpenOptions{URL: address}))
		next(t, s)
		for i, down := range []bool{false, true, false} {
			migrate(t, other, kind, database.MigrateOptions{Down: down})
			time.Sleep(time.Duration(i*150) * time.Millisecond)
			name := fmt.Sprint("n", i)
			exec(t, t.Context(), other, "insert into person(name) values ($1)", name)
			for !strings.HasSuffix(next(t, s), name) {
			}
		}
	})
}
