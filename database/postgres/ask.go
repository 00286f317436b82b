package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// capture is how the database tells what was changed.
type capture string

const (
	byNothing capture = ""
	byNotify  capture = "notify"
	byLog     capture = "log"
	hidden    capture = "hidden" // there is a log, which this role may not read
)

// look asks for the snapshot, for the kind of capture and how full the queue is.
func (f *follower) look(ctx context.Context) error {
	type state struct {
		Snapshot string
		Found    capture
		Usage    float64
	}
	states, err := ask(ctx, f, pgx.RowToStructByPos[state], stateOfCapture)
	if err != nil {
		return err
	}
	f.found, f.crowded = states[0].Found, states[0].Usage > 0.25
	if f.snapshot == "" {
		f.snapshot, f.logged = states[0].Snapshot, states[0].Snapshot
	}
	return nil
}

const stateOfCapture = `select pg_current_snapshot()::text, coalesce((
	select case when l.oid is null then 'notify' when has_schema_privilege(n.oid, 'usage') and has_table_privilege(l.oid, 'select') then 'log' else 'hidden' end
	from pg_namespace n join pg_proc p on p.pronamespace = n.oid and p.proname = 'changed'
	left join pg_class l on l.relnamespace = n.oid and l.relname = 'log' where n.nspname = 'elyra_live'), ''), pg_notification_queue_usage()`

// ask runs a query that the server has to answer in time. With a log there is a transaction,
// which must not keep a lock on what the query reads: a migration would wait for it.
func ask[T any](ctx context.Context, f *follower, row pgx.RowToFunc[T], query string, args ...any) (found []T, err error) {
	ctx, cancel := context.WithTimeout(ctx, f.store.pace.answer)
	defer cancel()
	b := &pgx.Batch{}
	if f.capture == byLog {
		b.Queue("savepoint ask")
	}
	b.Queue(query, args...).Query(func(rows pgx.Rows) (err error) {
		found, err = pgx.CollectRows(rows, row)
		return err
	})
	if f.capture == byLog {
		b.Queue("rollback to savepoint ask")
		b.Queue("release savepoint ask")
	}
	return found, f.conn.SendBatch(ctx, b).Close()
}
