package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/elyra-go/elyra/database"
)

// open begins the transaction in which the log is read. The locks against silence live in it,
// so that they also hold by way of a pooler that gives each transaction another connection. It
// sees what others commit and holds back no clean-up.
//
// The server ends it when nothing is heard of it for a while, as when the computer sleeps. With
// the limits of readLog, the time between two looks at the log is shorter than the net; and lines
// are deleted once they are older than that. So no line is deleted unread.
func (f *follower) open(ctx context.Context) error {
	net := f.store.pace.net.Milliseconds()
	for _, statement := range []string{
		"begin isolation level read committed read only",
		fmt.Sprintf("set local idle_in_transaction_session_timeout = %d", net/3),
		fmt.Sprintf("set local statement_timeout = %d", net/6),
	} {
		if err := f.execute(ctx, statement); err != nil {
			return err
		}
	}
	f.capture, f.looked = byLog, time.Now()
	return nil
}

var errLate = errors.New("the log was not read for too long, so lines of it may be deleted")

// readLog tells which tables were changed by transactions that the last snapshot did not see
// and this one does, however long ago they began.
func (f *follower) readLog(ctx context.Context) error {
	type line struct {
		Snapshot string
		Tables   []string
	}
	lines, err := ask(ctx, f, pgx.RowToStructByPos[line], newLines, f.logged)
	if err != nil {
		return err
	}
	if time.Since(f.looked) > f.store.pace.net/4 {
		return errLate
	}
	f.logged, f.looked = lines[0].Snapshot, time.Now()
	tables := slices.DeleteFunc(lines[0].Tables, func(name string) bool { return f.tables[name] == nil })
	if len(tables) > 0 {
		slices.Sort(tables)
		f.store.listeners.Tell(database.Writes{Tables: tables})
	}
	return nil
}

const newLines = `select pg_current_snapshot()::text, array(select distinct relation from elyra_live.log
	where xid >= pg_snapshot_xmin($1::text::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::text::pg_snapshot))`

// prune deletes the lines of transactions that had all ended when the net was due last. It has
// a connection of its own, because the transaction that follows only reads.
func (f *follower) prune(ctx context.Context) {
	aged := f.aged
	f.aged = f.logged
	if f.capture != byLog || aged == "" || f.noPrune {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, f.store.pace.answer)
	defer cancel()
	c, err := f.store.connect(ctx)
	if err == nil {
		_, err = c.Conn().Exec(ctx, "delete from elyra_live.log where xid < pg_snapshot_xmin($1::text::pg_snapshot)", aged)
		_ = c.Close()
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "42501" {
		f.noPrune = true // said once
	}
	if err != nil && ctx.Err() == nil {
		f.store.log.Warn("old lines of elyra_live.log cannot be deleted", "database", f.store.name, "error", err)
	}
}
