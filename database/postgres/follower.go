package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/elyra-go/elyra/database"
)

const (
	// checkEvery is how often it is checked that the triggers are still there. It also finds a
	// connection that is dead.
	checkEvery = 15 * time.Second

	// echoWithin is how long a notification to oneself may take. It does not come at all by way
	// of a pooler that gives each transaction another connection.
	echoWithin = 5 * time.Second
)

// follower sees commits on one connection.
//
// Without capture it compares snapshots. The whole snapshot is compared: an old transaction
// that commits late moves neither of its ends but only the list of those under way in the
// middle. What was changed that does not tell.
//
// With capture it locks each table that was read against silence, see [CaptureMigration], and
// listens. As long as a table is read that it could not lock, it compares snapshots too.
type follower struct {
	store *store
	conn  *stdlib.Conn
	woken <-chan struct{}

	captured bool
	snapshot string              // seen last
	known    map[string]struct{} // tables that were looked for
	locked   map[uint32]struct{} // tables by oid
	partial  bool                // not all of them could be locked
	check    time.Time           // when to look again
}

// follow sees commits until ctx ends, on one connection after the other.
func (s *store) follow(ctx context.Context, woken <-chan struct{}) {
	pause := pollEvery
	for ctx.Err() == nil {
		err := s.followOn(ctx, woken, func() { pause = pollEvery })
		if ctx.Err() != nil {
			return
		}
		s.log.Warn("the database cannot be watched for changes, trying again", "database", s.name, "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, longestRetry)
	}
}

// followOn sees commits until ctx ends or the connection breaks.
func (s *store) followOn(ctx context.Context, woken <-chan struct{}, connected func()) error {
	c, err := s.connect(ctx)
	if err != nil {
		return err
	}
	f := &follower{store: s, conn: c, woken: woken, known: map[string]struct{}{}, locked: map[uint32]struct{}{}}
	defer func() { _ = c.Close() }() // the locks go with it
	if err := f.listen(ctx); err != nil {
		return err
	}
	connected()
	// Whatever was read before may be old already. After LISTEN nothing more is lost.
	s.listeners.Tell(database.Writes{Everything: true})
	for {
		if err := f.step(ctx); err != nil {
			return err
		}
	}
}

// listen begins to hear notifications, if there are any to hear.
func (f *follower) listen(ctx context.Context) error {
	pg := f.conn.Conn()
	if err := pg.QueryRow(ctx, "select pg_current_snapshot()::text, to_regproc('elyra.changed') is not null").Scan(&f.snapshot, &f.captured); err != nil {
		return err
	}
	if !f.captured {
		return nil
	}
	if _, err := pg.Exec(ctx, "listen elyra"); err != nil {
		return err
	}
	word := rand.Text()
	if _, err := pg.Exec(ctx, "select pg_notify('elyra', $1)", word); err != nil {
		return err
	}
	echo, cancel := context.WithTimeout(ctx, echoWithin)
	defer cancel()
	for {
		n, err := pg.WaitForNotification(echo)
		if err != nil {
			f.captured = false
			f.store.log.Warn("notifications do not arrive, so the database is asked for changes instead", "database", f.store.name)
			return ctx.Err()
		}
		if n.Payload == word {
			return nil
		}
	}
}

// step sees to locks and snapshots, and waits for the next reason to.
func (f *follower) step(ctx context.Context) error {
	if f.captured {
		if err := f.lock(ctx); err != nil {
			return fmt.Errorf("lock tables against silence: %w", err)
		}
		if !f.partial {
			return f.hear(ctx)
		}
	}
	if err := f.compare(ctx); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-f.woken:
	case <-time.After(pollEvery):
	}
	return nil
}

// compare tells of everything when the snapshot has moved.
func (f *follower) compare(ctx context.Context) error {
	var now string
	if err := f.conn.Conn().QueryRow(ctx, "select pg_current_snapshot()::text").Scan(&now); err != nil {
		return err
	}
	if now != f.snapshot {
		f.snapshot = now
		f.store.listeners.Tell(database.Writes{Everything: true})
	}
	return nil
}

// lock locks the tables that are newly read, and looks after the others from time to time.
func (f *follower) lock(ctx context.Context) error {
	names := f.store.watch.names()
	fresh := slices.ContainsFunc(names, func(name string) bool { _, ok := f.known[name]; return !ok })
	if !fresh && !f.partial && time.Now().Before(f.check) {
		return nil
	}
	rows, err := f.conn.Conn().Query(ctx, triggered, names)
	if err != nil {
		return err
	}
	type table struct {
		OID  uint32
		Name string
	}
	tables, err := pgx.CollectRows(rows, pgx.RowToStructByPos[table])
	if err != nil {
		return err
	}
	locked := 0
	var begun []string
	for _, t := range tables {
		if _, ok := f.locked[t.OID]; !ok {
			if err := f.conn.Conn().QueryRow(ctx, "select pg_try_advisory_lock_shared("+lockSpace+", ($1::bigint - 2147483648)::int)", int64(t.OID)).Scan(&ok); err != nil {
				return err
			}
			if !ok {
				continue // who wrote without telling has not ended
			}
			f.locked[t.OID] = struct{}{}
			begun = append(begun, t.Name)
		}
		locked++
	}
	f.partial = locked < len(names)
	f.check = time.Now().Add(checkEvery)
	for _, name := range names {
		f.known[name] = struct{}{}
	}
	if len(begun) > 0 {
		// It may have changed after it was read and before it was locked.
		slices.Sort(begun)
		f.store.listeners.Tell(database.Writes{Tables: begun})
	}
	return nil
}

// triggered gives those of the tables that have the trigger.
const triggered = `select c.oid, n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
	where n.nspname || '.' || c.relname = any($1)
	and exists (select from pg_trigger where tgrelid = c.oid and tgname = 'elyra_changed' and tgenabled = 'A')`

// hear waits for notifications until the locks have to be seen to.
func (f *follower) hear(ctx context.Context) error {
	waiting, cancel := context.WithDeadline(ctx, f.check)
	var waker sync.WaitGroup
	defer waker.Wait()
	defer cancel()
	waker.Go(func() {
		select {
		case <-f.woken:
			cancel()
		case <-waiting.Done():
		}
	})
	for {
		n, err := f.conn.Conn().WaitForNotification(waiting)
		if err != nil {
			if waiting.Err() == nil || ctx.Err() != nil {
				return err
			}
			return nil
		}
		f.store.listeners.Tell(database.Writes{Tables: []string{n.Payload}})
	}
}
