// Package liveload puts commits under live queries and measures when their results come, how often
// they run, and what the tracking costs beside the driver below it.
//
// It owns one database of 50,000 members in 1,000 teams and the queries over it, which the ways to keep
// a result fresh have in common: by row, by table, and by polling. It promises that all of them read
// with the same statements and are told of the same commits. It prints nothing and judges nothing.
package liveload

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/internal/live"
)

// What is in the database of a World.
const (
	Members = 50_000
	Teams   = 1_000
	Page    = 50 // members of a team
)

// create fills an empty database with members. Each team has as many of them as a page.
func create(ctx context.Context, db *sql.DB, members int) error {
	_, err := db.ExecContext(ctx, `create table member(id integer primary key, name text, team integer);
		create index member_team on member(team)`)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)
		insert into member select i, 'Person ' || i, i % ?2 from n`, members, max(members/Page, 1))
	return err
}

// Options say what kind of World to open. The zero value follows rows and discards the log.
type Options struct {
	// ByTable forgets which rows a query read, so that it follows whole tables.
	ByTable bool

	// Members is how many there are; every team has as many of them as a page. Zero is the constant Members.
	Members int

	// Log is told what the driver tells a person. Nil discards it.
	Log *slog.Logger
}

// World is a database and the live queries over it.
type World struct {
	DB   *sql.DB
	Runs atomic.Int64 // of all its live queries so far

	registry *live.Registry
	byTable  bool
	durable  atomic.Pointer[time.Time] // when the last commit was
	unhear   []func()
}

// Open makes the database at path. Close ends it.
func Open(ctx context.Context, path string, o Options) (*World, error) {
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: path, Log: o.Log})
	if err != nil {
		return nil, err
	}
	w := over(db, o)
	if err := create(ctx, db, cmp.Or(o.Members, Members)); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	return w, nil
}

// over gives the World of a database that is open.
func over(db *sql.DB, o Options) *World {
	w := &World{DB: db, byTable: o.ByTable}
	w.registry = live.New(live.Options{Log: o.Log, PerPrincipal: func(string) int { return 10_000 }})
	h, _ := database.HandleOf(db)
	w.unhear = append(w.unhear, h.OnCommit(func(database.Writes) {
		now := time.Now()
		w.durable.Store(&now)
	}), h.OnCommit(w.registry.Committed))
	return w
}

// Close ends the live queries and closes the database.
func (w *World) Close() error {
	for _, stop := range w.unhear {
		stop()
	}
	w.registry.Close()
	return w.DB.Close()
}

// tablesOnly forgets which rows were read.
type tablesOnly struct{ database.Recorder }

func (t tablesOnly) ReadRows(table string, _ []database.Condition) { t.Read(table) }

// follow subscribes to what read gives.
func (w *World) follow(name string, read func(ctx context.Context, db *sql.DB) ([]byte, error)) (*live.Subscription, error) {
	s, err := w.registry.Subscribe(live.Key{Command: name}, func(ctx context.Context) ([]byte, error) {
		w.Runs.Add(1)
		if w.byTable {
			ctx = database.WithRecorder(ctx, tablesOnly{database.RecorderFrom(ctx)})
		}
		return read(database.WithReadOnly(ctx, name), w.DB)
	})
	if err != nil {
		return nil, err
	}
	return s, await(s)
}

// FollowMember subscribes to the name of one member, and waits for its first result.
func (w *World) FollowMember(id int) (*live.Subscription, error) {
	return w.follow("member "+strconv.Itoa(id), memberOf(id))
}

func memberOf(id int) func(context.Context, *sql.DB) ([]byte, error) {
	return func(ctx context.Context, db *sql.DB) ([]byte, error) {
		var name string
		err := db.QueryRowContext(ctx, "select name from member where id = ?", id).Scan(&name)
		return []byte(name), err
	}
}

// pageOf reads the first 50 members of a team.
func pageOf(team int) func(context.Context, *sql.DB) ([]byte, error) {
	return func(ctx context.Context, db *sql.DB) ([]byte, error) {
		rows, err := db.QueryContext(ctx, "select id, name from member where team = ? order by id limit 50", team)
		return lines(rows, err)
	}
}

// rangeOf reads the members from a number on.
func rangeOf(from, count int) func(context.Context, *sql.DB) ([]byte, error) {
	return func(ctx context.Context, db *sql.DB) ([]byte, error) {
		rows, err := db.QueryContext(ctx, "select id, name from member where id between ? and ?", from, from+count-1)
		return lines(rows, err)
	}
}

// lines writes the rows of a query for id and name, a line each.
func lines(rows *sql.Rows, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []byte
	for rows.Next() {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return nil, err
		}
		out = append(append(append(strconv.AppendInt(out, id, 10), ' '), name...), '\n')
	}
	return out, rows.Err()
}

// await waits for one result.
func await(s *live.Subscription) error {
	select {
	case u, ok := <-s.Updates():
		if !ok {
			return live.ErrClosed
		}
		return u.Err
	case <-time.After(10 * time.Second):
		return errors.New("a live query was told of no change within 10 s")
	}
}

// settle waits until no query runs any more, and for two seconds at most until there were so many runs:
// on a busy machine a query may wait for its turn for longer than it takes to seem quiet.
func (w *World) settle(runs int64) {
	for end := time.Now().Add(2 * time.Second); w.Runs.Load() < runs && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	for last := int64(-1); last != w.Runs.Load(); {
		last = w.Runs.Load()
		time.Sleep(20 * time.Millisecond)
	}
}

// exec runs a statement that writes.
func (w *World) exec(ctx context.Context, text string, args ...any) error {
	if _, err := w.DB.ExecContext(ctx, text, args...); err != nil {
		return fmt.Errorf("%.40s: %w", text, err)
	}
	return nil
}

// Times are how long something took, again and again.
type Times []time.Duration

// At gives the time, in milliseconds, that a share of all did not exceed: 0.5 for the median.
func (t Times) At(share float64) float64 {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	return sorted[min(len(t)-1, int(share*float64(len(t))))].Seconds() * 1000
}
