package live_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/internal/live"
)

// writerEnv tells this test binary to be another program that uses a database: it holds the
// path.
const writerEnv = "ELYRA_TEST_OTHER_WRITER"

func TestMain(m *testing.M) {
	if path := os.Getenv(fullEnv); path != "" {
		if err := onAFullDisk(path); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if path := os.Getenv(writerEnv); path != "" {
		if err := otherProgram(path); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// otherProgram runs each line of its input as SQL, and answers each with a line. Lines that
// begin with a star are answered before they are run.
func otherProgram(path string) error {
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: path})
	if err != nil {
		return err
	}
	defer db.Close()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text, early := strings.CutPrefix(lines.Text(), "*")
		if early {
			fmt.Println("begun")
		}
		_, err := db.ExecContext(context.Background(), text)
		if !early {
			fmt.Println(strings.ReplaceAll(fmt.Sprint("done ", err), "\n", " "))
		}
	}
	return lines.Err()
}

// other is another program that has the database open.
type other struct {
	t   testing.TB
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func startOther(t testing.TB, path string) *other {
	t.Helper()
	o := &other{t: t, cmd: exec.Command(os.Args[0])}
	o.cmd.Env = append(os.Environ(), writerEnv+"="+path)
	o.cmd.Stderr = os.Stderr
	var err error
	if o.in, err = o.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	o.out = bufio.NewScanner(out)
	if err := o.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = o.in.Close()
		_ = o.cmd.Wait()
	})
	return o
}

// run gives the error of a statement, and "" when it went well.
func (o *other) run(text string) string {
	o.t.Helper()
	if _, err := io.WriteString(o.in, strings.ReplaceAll(text, "\n", " ")+"\n"); err != nil {
		o.t.Fatal(err)
	}
	if !o.out.Scan() {
		o.t.Fatalf("the other program ended: %v", o.out.Err())
	}
	answer := strings.TrimPrefix(o.out.Text(), "done ")
	if answer == "<nil>" {
		return ""
	}
	return answer
}

func (o *other) must(text string) {
	o.t.Helper()
	if e := o.run(text); e != "" && e != "begun" {
		o.t.Fatalf("%s: %s", text, e)
	}
}

// kill ends the program as a crash would, in the middle of what it does.
func (o *other) kill() {
	_ = o.cmd.Process.Kill()
	_ = o.cmd.Wait()
}

// shared is a database that another program uses too.
func shared(t testing.TB, statements string) (*sql.DB, *live.Registry, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shared.db")
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: path})
	if err != nil {
		t.Fatal(err)
	}
	r := live.New(live.Options{})
	h, _ := database.HandleOf(db)
	stop := h.OnCommit(r.Committed)
	t.Cleanup(func() {
		stop()
		r.Close()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	write(t, db, statements)
	return db, r, path
}

// query subscribes to what one statement gives.
func query(t testing.TB, db *sql.DB, r *live.Registry, text string) *live.Subscription {
	t.Helper()
	s, err := r.Subscribe(live.Key{Command: text}, func(ctx context.Context) ([]byte, error) {
		value, err := result(ctx, db, text, nil)
		return []byte(value), err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// settles waits until a subscription shows what a fresh run does.
func settles(t testing.TB, db *sql.DB, s *live.Subscription, text, last string) string {
	t.Helper()
	end := time.After(10 * time.Second)
	for {
		fresh, err := result(t.Context(), db, text, nil)
		if fresh = show(fresh, err); fresh == last {
			return last
		}
		select {
		case u := <-s.Updates():
			last = show(string(u.Value), u.Err)
		case <-end:
			t.Fatalf("missed: %s\nshown %s\nfresh %s", text, last, fresh)
		}
	}
}

const sharedSchema = `create table person(id integer primary key, name text); create table other(id integer primary key, n);
	insert into person values (1, 'Ada'); insert into other values (1, 0)`

func TestAnotherProgramsCommitIsPushed(t *testing.T) {
	t.Parallel()
	db, r, path := shared(t, sharedSchema)
	const text = "select id, name from person order by id"
	s := query(t, db, r, text)
	last := settles(t, db, s, text, "")
	o := startOther(t, path)
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"an update", func() { o.must("update person set name = 'Grace' where id = 1") }},
		{"the schema", func() { o.must("alter table person add column born integer") }},
		{"after it", func() { o.must("insert into person(id, name, born) values (2, 'Joan', 1)") }},
		{"a checkpoint and a write", func() {
			o.must("pragma wal_checkpoint(truncate)")
			o.must("update person set name = 'Edith' where id = 1")
		}},
		{"a vacuum and a write", func() { o.must("vacuum"); o.must("update person set name = 'Rosa' where id = 1") }},
		{"a write of ours between", func() {
			write(t, db, "insert into other values (9, 9)")
			o.must("update person set name = 'Mary' where id = 2")
		}},
		{"another one that is killed while it writes", func() {
			killed := startOther(t, path)
			killed.must("*with recursive n(i) as (select 10 union all select i + 1 from n where i < 3000000) insert into person(id, name) select i, 'x' from n")
			killed.kill()
			o.must("update person set name = 'Lise' where id = 2")
		}},
	} {
		step.do()
		before := last
		if last = settles(t, db, s, text, last); last == before && step.name != "the schema" {
			// The update may have come while it settled the time before.
			t.Logf("%s: shown before it was looked for", step.name)
		}
	}
}

// foreignEnv sets how many random commits of another program the test below makes.
const foreignEnv = "ELYRA_LIVE_FOREIGN"

// TestNoForeignChangeIsMissed lets another program make random writes between random writes of
// our own, under random queries.
func TestNoForeignChangeIsMissed(t *testing.T) {
	t.Parallel()
	want := 150
	if s := os.Getenv(foreignEnv); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		want = n
	}
	done := 0
	for seed := uint64(1); done < want && !t.Failed(); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { done += foreignChanges(t, seed) })
	}
	t.Logf("%d commits of another program", done)
}

func foreignChanges(t *testing.T, seed uint64) (commits int) {
	db, r, path := shared(t, "create table unused(a)")
	w := newSQLWorld(seed)
	for _, s := range w.schema() {
		_, _ = db.ExecContext(t.Context(), s)
	}
	for range 40 {
		text, args := w.write()
		_, _ = db.ExecContext(t.Context(), text, args...)
	}
	type shown struct {
		*live.Subscription
		text, last string
	}
	var all []*shown
	for len(all) < 12 {
		text, args := w.query()
		if len(args) > 0 {
			continue
		}
		all = append(all, &shown{query(t, db, r, text), text, ""})
	}
	o := startOther(t, path)
	for range 30 {
		for range w.IntN(3) {
			text, args := w.write()
			_, _ = db.ExecContext(t.Context(), text, args...)
		}
		for range 1 + w.IntN(3) {
			text, args := w.write()
			if len(args) > 0 || w.chance(20) {
				text = w.foreignWrite()
			}
			if o.run(text) == "" {
				commits++
			}
		}
		for _, s := range all {
			s.last = settles(t, db, s.Subscription, s.text, s.last)
		}
	}
	for _, s := range all {
		s.Close()
	}
	return commits
}

// foreignWrite gives a write that needs no arguments: of all kinds that move pages about.
func (w *sqlWorld) foreignWrite() string {
	t := w.table()
	for len(t.plain) == 0 {
		t = w.table()
	}
	name, column, id := quote(t.name), pick(w, t.plain...), w.IntN(400)
	switch n := w.IntN(100); {
	case n < 25:
		return fmt.Sprintf("insert or replace into %s(id, %s) values (%d, %s)", name, pick(w, "a", "b", "c"), id, w.literal())
	case n < 35:
		return fmt.Sprintf("insert or replace into %s(id, a) values (%d, randomblob(%d))", name, id, pick(w, 10, 300, 5000, 40000))
	case n < 50:
		return fmt.Sprintf("update or ignore %s set %s = %s where id %s %d", name, column, w.literal(), pick(w, "=", ">", "<"), id)
	case n < 60:
		return fmt.Sprintf("update %s set a = cast(substr(a, 1, length(a) - 20) || hex(randomblob(10)) as blob) where length(a) > 3000", name)
	case n < 75:
		return fmt.Sprintf("delete from %s where id between %d and %d", name, id, id+w.IntN(80))
	case n < 85:
		return fmt.Sprintf("with recursive n(i) as (select 1 union all select i + 1 from n where i < 80) insert or replace into %s(id, a) select %d + i, randomblob(300) from n", name, id)
	case n < 88:
		return "pragma wal_checkpoint(" + pick(w, "passive", "full", "restart", "truncate") + ")"
	case n < 90:
		return "vacuum"
	case n < 93:
		return w.alter()
	}
	return "delete from " + name
}
