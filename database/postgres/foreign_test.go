//go:build postgres

package postgres_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
	"github.com/elyra-go/elyra/internal/live"
)

// changesEnv sets how many changes by other sessions the test below makes under each capture.
const changesEnv = "ELYRA_LIVE_FOREIGN"

// world has what makes it hard to say which table a change is of: partitions, inheritance,
// foreign keys that cascade, triggers that write, views and functions that read.
var world = []string{
	"create table t0(id int primary key, a int, b text)",
	"create table t1(id int primary key, a int references t0 on delete cascade on update cascade, b text)",
	"create table t2(id int primary key, a int references t1 on delete set null, b text)",
	"create table p(id int primary key, a int, b text) partition by range (id)",
	"create table p1 partition of p for values from (minvalue) to (10)",
	"create table p2 partition of p for values from (10) to (maxvalue)",
	"create table parent(id int, a int, b text)",
	"create table child() inherits (parent)",
	"create table copied(id int, a int, b text)",
	"create function copying() returns trigger language plpgsql as 'begin insert into copied values (new.id, new.a, new.b); return null; end'",
	"create trigger copying after insert on t0 for each row execute function copying()",
	"create view v as select t0.id, t1.a, t0.b from t0 join t1 on t1.a = t0.id",
	"create function crowd(n int) returns bigint language plpgsql as 'begin return (select count(*) from t2 where id < n); end'",
	"create materialized view m as select count(*) a from parent",
	"create sequence s",
}

var (
	readable = []string{"t0", "t1", "t2", "p", "p1", "p2", "parent", "child", "copied", "v"}
	writable = []string{"t0", "t0", "t1", "t1", "t2", "p", "p", "p1", "p2", "parent", "child", "copied"}
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

func randomQuery(r *rand.Rand) string {
	from := pick(r, readable)
	switch r.IntN(10) {
	case 0:
		return fmt.Sprintf("select count(*)::text from %s where a < %d", from, r.IntN(8))
	case 1:
		return fmt.Sprintf("select crowd(%d)::text", r.IntN(20))
	case 2:
		return fmt.Sprintf("select coalesce(string_agg(x.b || y.b, ',' order by x.id, y.id, x.b, y.b), '') from %s x join %s y on x.id = y.a", from, pick(r, readable))
	case 3:
		return "select a::text from m"
	case 4:
		return fmt.Sprintf("select exists(select from %s where id = %d)::text", from, r.IntN(20))
	}
	return fmt.Sprintf("select coalesce(string_agg(concat(id, a, b), ',' order by id, a, b), '') from %s where id %s %d", from, pick(r, []string{"=", "<", ">"}), r.IntN(20))
}

func randomWrite(r *rand.Rand) string {
	to, id := pick(r, writable), r.IntN(20)
	switch r.IntN(12) {
	case 0, 1:
		return fmt.Sprintf("delete from %s where id = %d", to, id)
	case 2, 3, 4:
		return fmt.Sprintf("update %s set b = 'b%d' where id %s %d", to, r.IntN(100), pick(r, []string{"=", "<"}), id)
	case 5:
		return fmt.Sprintf("update %s set id = %d where id = %d", to, r.IntN(20), id)
	case 6:
		return fmt.Sprintf("with x as (delete from %s where id = %d returning *) insert into copied select * from x", to, id)
	case 7:
		return []string{"refresh materialized view m", "truncate copied", "truncate p2", "truncate t0 cascade", "select nextval('s')"}[r.IntN(5)]
	}
	return fmt.Sprintf("insert into %s values (%d, %d, 'x%d')", to, id, r.IntN(20), r.IntN(100))
}

// TestNoChangeOfOthersIsMissed has several sessions of another program write at random, and
// compares random live queries with what they show when they are asked.
func TestNoChangeOfOthersIsMissed(t *testing.T) {
	eachCapture(t, true, func(t *testing.T, kind string) {
		changes := 300
		if s := os.Getenv(changesEnv); s != "" {
			n, err := strconv.Atoi(s)
			if err != nil {
				t.Fatal(err)
			}
			changes = n
		}
		_, address := open(t, world...)
		other := openAt(t, address)
		capture(t, other, kind)
		// The net would hide what the triggers do not tell.
		db := openWith(t, postgres.Paced(postgres.Pace{Poll: 20 * time.Millisecond, Net: time.Hour}), database.OpenOptions{URL: address})
		r := rand.New(rand.NewPCG(1, uint64(len(kind))))
		reg := live.New(live.Options{MinInterval: time.Millisecond})
		h, _ := database.HandleOf(db)
		stop := h.OnCommit(reg.Committed)
		t.Cleanup(func() { stop(); reg.Close() })
		var all []*watched
		for len(all) < 25 {
			text := randomQuery(r)
			if kind != "polled" && strings.HasSuffix(text, "from m") {
				continue // it has no triggers, so all of it would be polled
			}
			all = append(all, watch(t, db, reg, text, len(all)))
		}
		pushed := 0
		for done := 0; done < changes && !t.Failed(); {
			var writers sync.WaitGroup
			var mu sync.Mutex
			var log []string
			for range 1 + r.IntN(3) {
				own := rand.New(rand.NewPCG(r.Uint64(), 1))
				done++
				writers.Go(func() {
					text := change(t.Context(), other, own)
					mu.Lock()
					defer mu.Unlock()
					log = append(log, text)
				})
			}
			writers.Wait()
			for _, q := range all {
				n, ok := q.shows(t, other)
				if pushed += n; !ok {
					t.Errorf("after %s\n%s shows %q", strings.Join(log, "\n"), q.text, q.last)
				}
			}
		}
		if pushed < changes/4 {
			t.Errorf("%d changes were pushed: this test finds nothing", pushed)
		}
		t.Logf("%d changes of others, %d checks, %d pushes, 0 missed", changes, changes*len(all), pushed)
	})
}

// change makes one write, or a transaction with some, of which parts may be taken back. Some fail.
func change(ctx context.Context, db *sql.DB, r *rand.Rand) string {
	var log []string
	one := func(ctx context.Context) error {
		text := randomWrite(r)
		_, err := db.ExecContext(ctx, text)
		log = append(log, fmt.Sprintf("%s (%v)", text, err))
		return err
	}
	if r.IntN(3) > 0 {
		_ = one(ctx)
		return log[0]
	}
	_ = database.Transact(ctx, db, func(ctx context.Context) error {
		for range 1 + r.IntN(4) {
			_ = database.Transact(ctx, db, func(ctx context.Context) error {
				if err := one(ctx); err != nil || r.IntN(4) == 0 {
					return errBack
				}
				return nil
			})
			time.Sleep(time.Duration(r.IntN(10)) * time.Millisecond)
		}
		if r.IntN(6) == 0 {
			log = append(log, "all taken back")
			return errBack
		}
		return nil
	})
	return strings.Join(log, "\n  ")
}

// watched is a live query and what it showed last.
type watched struct {
	*live.Subscription
	text, last string
}

func watch(t *testing.T, db *sql.DB, reg *live.Registry, text string, n int) *watched {
	t.Helper()
	s, err := reg.Subscribe(live.Key{Command: text, Args: fmt.Sprint(n)}, func(ctx context.Context) ([]byte, error) {
		value, err := scalar(database.WithReadOnly(ctx, "x"), db, text)
		return []byte(value), err
	})
	if err != nil {
		t.Fatal(err)
	}
	q := &watched{s, text, ""}
	q.last = next(t, s)
	return q
}

func scalar(ctx context.Context, db *sql.DB, text string) (value string, err error) {
	err = db.QueryRowContext(ctx, text).Scan(&value)
	return value, err
}

// shows waits until the query shows what it gives when it is asked, and counts the pushes.
func (q *watched) shows(t *testing.T, other *sql.DB) (pushes int, ok bool) {
	t.Helper()
	fresh, err := scalar(t.Context(), other, q.text)
	if err != nil {
		t.Fatal(err)
	}
	late := time.After(10 * time.Second)
	for {
		select {
		case u := <-q.Updates():
			pushes++
			if q.last = string(u.Value); u.Err != nil {
				q.last = u.Err.Error()
			}
			continue
		default:
		}
		if q.last == fresh {
			return pushes, true
		}
		select {
		case u := <-q.Updates():
			pushes++
			q.last = string(u.Value)
		case <-late:
			return pushes, false
		}
	}
}
