package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/elyra-go/elyra/database"
)

// pace says how often a follower does what.
type pace struct {
	poll      time.Duration // asks for the snapshot
	log       time.Duration // reads the log
	heartbeat time.Duration // looks after the triggers, and whether notifications arrive
	answer    time.Duration // how long the server may take to answer
	net       time.Duration // asks for the snapshot although triggers tell; deletes old lines of the log
}

func usualPace() pace {
	return pace{poll: 250 * time.Millisecond, log: 50 * time.Millisecond, heartbeat: 15 * time.Second, answer: 10 * time.Second, net: time.Minute}
}

// longestRetry bounds the pause between attempts to reach a server that does not answer.
const longestRetry = 10 * time.Second

// follower sees commits on one connection.
//
// Without capture it compares snapshots. The whole snapshot is compared: an old transaction
// that commits late moves neither of its ends but only the list of those under way in the
// middle. What was changed that does not tell.
//
// With capture it locks each table that was read against silence, and listens or reads the log.
// As long as a table is read that it could not lock, it compares snapshots too.
type follower struct {
	store *store
	conn  *pgx.Conn
	woken <-chan struct{}

	found    capture   // in the database, when it was looked at last
	capture  capture   // what is made use of
	channel  string    // of notifications to oneself
	snapshot string    // compared last
	logged   string    // the snapshot up to which the log was read
	looked   time.Time // when that was
	aged     string    // where the log was read up to when the net was due last
	crowded  bool      // the queue of notifications fills up
	noPrune  bool      // old lines could not be deleted

	tables    map[string]*table // that live queries have read
	heartbeat time.Time         // when it is due
	net       time.Time
}

var errOtherCapture = errors.New("the way in which the database tells of changes is another one now")

// follow sees commits until ctx ends, on one connection after the other.
func (s *store) follow(ctx context.Context, woken <-chan struct{}) {
	pause := s.pace.poll
	for ctx.Err() == nil {
		err := s.followOn(ctx, woken, func() { pause = s.pace.poll })
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, errOtherCapture):
			continue
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
	connecting, cancel := context.WithTimeout(ctx, s.pace.answer)
	defer cancel()
	c, err := pgx.ConnectConfig(connecting, s.watcher.Copy())
	if err != nil {
		return fmt.Errorf("connect to %s: %w", s.name, err)
	}
	defer s.leave(c)
	f := &follower{store: s, conn: c, woken: woken, tables: map[string]*table{}}
	if err := f.begin(ctx); err != nil {
		return err
	}
	connected()
	// Whatever was read before may be old already. From here on nothing is lost.
	s.listeners.Tell(database.Writes{Everything: true})
	for {
		if err := f.step(ctx); err != nil {
			return err
		}
	}
}

// leave closes a follower's connection. Its locks go with it.
func (s *store) leave(c *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), min(s.pace.answer, 2*time.Second))
	defer cancel()
	_ = c.Close(ctx)
}

// begin looks how the database tells of changes, and makes use of it.
func (f *follower) begin(ctx context.Context) error {
	if err := f.look(ctx); err != nil {
		return err
	}
	now := time.Now()
	f.heartbeat, f.net = now.Add(f.store.pace.heartbeat), now.Add(f.store.pace.net)
	switch f.found {
	case byNotify:
		return f.listen(ctx)
	case byLog:
		return f.open(ctx)
	case hidden:
		f.store.log.Warn("this role may not read elyra_live.log, so the database is asked for changes instead", "database", f.store.name)
	}
	return nil
}

// step sees to locks, logs and snapshots, and waits for the next reason to.
func (f *follower) step(ctx context.Context) error {
	now, p := time.Now(), f.store.pace
	beat, net := !now.Before(f.heartbeat), !now.Before(f.net)
	if beat {
		f.heartbeat = now.Add(p.heartbeat)
		if err := f.beat(ctx); err != nil {
			return err
		}
	}
	if f.capture != byNothing {
		if err := f.gate(ctx, beat); err != nil {
			return err
		}
	}
	if f.capture == byLog {
		if err := f.readLog(ctx); err != nil {
			return err
		}
	}
	if net || f.uncovered() {
		if err := f.compare(ctx); err != nil {
			return err
		}
	}
	if net {
		f.net = now.Add(p.net)
		f.prune(ctx)
	}
	switch {
	case f.capture == byLog:
		return f.wait(ctx, p.log)
	case f.capture == byNotify && !f.uncovered() && !f.draining():
		return f.hear(ctx, earlier(f.heartbeat, f.net))
	case f.capture == byNotify:
		return f.hear(ctx, time.Now().Add(p.poll))
	}
	return f.wait(ctx, p.poll)
}

// beat looks whether the capture is still there, and whether notifications arrive.
func (f *follower) beat(ctx context.Context) error {
	before := f.found
	if err := f.look(ctx); err != nil {
		return err
	}
	if f.found != before {
		return errOtherCapture
	}
	if f.capture != byNotify {
		return nil
	}
	return f.echo(ctx, f.conn)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func (f *follower) wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-f.woken:
	case <-time.After(d):
	}
	return nil
}

// compare tells of everything when the snapshot has moved.
func (f *follower) compare(ctx context.Context) error {
	now, err := ask(ctx, f, pgx.RowTo[string], "select pg_current_snapshot()::text")
	if err != nil {
		return err
	}
	if now[0] != f.snapshot {
		f.snapshot = now[0]
		f.store.listeners.Tell(database.Writes{Everything: true})
	}
	return nil
}
