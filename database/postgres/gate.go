package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"github.com/elyra-go/elyra/database"
)

// table is one that live queries have read.
type table struct {
	oid    uint32 // 0 when it has no trigger
	locked bool   // against silence, see captureGate

	// silent are the transactions that wrote to it, perhaps before it was locked, and that have
	// not ended. What they tell of it is not known.
	silent []string
}

// uncovered reports whether a table was read of whose changes the triggers do not tell for sure.
func (f *follower) uncovered() bool {
	if f.capture == byNothing || f.capture == byNotify && f.crowded {
		return true
	}
	for _, t := range f.tables {
		if !t.locked {
			return true
		}
	}
	return false
}

// draining reports whether there are silent transactions to wait for.
func (f *follower) draining() bool {
	for _, t := range f.tables {
		if len(t.silent) > 0 {
			return true
		}
	}
	return false
}

// gate locks the tables that are newly read against silence. Whoever writes after that tells.
// Those who wrote before still have the server's own lock on the table, until they have ended;
// so they are known, and their end counts as a change.
func (f *follower) gate(ctx context.Context, again bool) error {
	names := f.store.watch.names()
	if again || slices.ContainsFunc(names, func(name string) bool { return f.tables[name] == nil }) {
		if err := f.find(ctx, names); err != nil {
			return err
		}
	}
	changed, err := f.lock(ctx) // after they were read and before they were locked, perhaps
	if err != nil {
		return fmt.Errorf("lock tables against silence: %w", err)
	}
	ended, err := f.drain(ctx, changed)
	if err != nil {
		return err
	}
	if changed = append(changed, ended...); len(changed) > 0 {
		slices.Sort(changed)
		f.store.listeners.Tell(database.Writes{Tables: slices.Compact(changed)})
	}
	return nil
}

// find looks which tables have the trigger.
func (f *follower) find(ctx context.Context, names []string) error {
	type triggered struct {
		OID  uint32
		Name string
	}
	found, err := ask(ctx, f, pgx.RowToStructByPos[triggered], triggeredTables, names)
	if err != nil {
		return err
	}
	oids := map[string]uint32{}
	for _, t := range found {
		oids[t.Name] = t.OID
	}
	var without []string
	for _, name := range names {
		t := f.tables[name]
		if t != nil && t.oid == oids[name] {
			continue
		}
		f.tables[name] = &table{oid: oids[name]}
		if oids[name] == 0 {
			without = append(without, name)
		}
	}
	if len(without) > 0 {
		f.store.log.Warn(`tables that live queries read have no trigger, so the database is asked for changes: their owner can "select elyra_live.capture()"`,
			"database", f.store.name, "tables", without)
	}
	return nil
}

const triggeredTables = `select c.oid, n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
	where n.nspname || '.' || c.relname = any($1)
	and exists (select from pg_trigger where tgrelid = c.oid and tgname = 'elyra_changed' and tgenabled = 'A')`

// lock tries for the locks that make writers tell, and gives the names of the tables that are
// locked now and were not before. A lock lasts as long as the connection or, with a log, the
// transaction.
func (f *follower) lock(ctx context.Context) (fresh []string, err error) {
	open := map[int64]string{}
	for name, t := range f.tables {
		if t.oid != 0 && !t.locked {
			open[int64(t.oid)] = name
		}
	}
	if len(open) == 0 {
		return nil, nil
	}
	try := "pg_try_advisory_lock_shared"
	if f.capture == byLog {
		try = "pg_try_advisory_xact_lock_shared"
	}
	ctx, cancel := context.WithTimeout(ctx, f.store.pace.answer)
	defer cancel()
	rows, err := f.conn.Query(ctx, "select oid from unnest($1::bigint[]) oid where "+try+"("+lockSpace+", (oid - 2147483648)::int)", slices.Collect(maps.Keys(open)))
	if err != nil {
		return nil, err
	}
	locked, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	for _, oid := range locked { // the others are being tried by somebody just now
		f.tables[open[oid]].locked = true
		fresh = append(fresh, open[oid])
	}
	return fresh, err
}

// drain notes who has written to the fresh tables and has not ended, and gives the names of those
// tables on which one of those who were noted before has.
func (f *follower) drain(ctx context.Context, fresh []string) (ended []string, err error) {
	var watched []int64
	for name, t := range f.tables {
		if len(t.silent) > 0 || slices.Contains(fresh, name) {
			watched = append(watched, int64(t.oid))
		}
	}
	if len(watched) == 0 {
		return nil, nil
	}
	type writer struct {
		Table uint32
		Name  string
	}
	writers, err := ask(ctx, f, pgx.RowToStructByPos[writer], writersOfTables, watched)
	if err != nil {
		return nil, err
	}
	now := map[uint32][]string{}
	for _, w := range writers {
		now[w.Table] = append(now[w.Table], w.Name)
	}
	for name, t := range f.tables {
		if slices.Contains(fresh, name) {
			t.silent = now[t.oid]
			continue
		}
		before := len(t.silent)
		t.silent = slices.DeleteFunc(t.silent, func(one string) bool { return !slices.Contains(now[t.oid], one) })
		if len(t.silent) < before {
			ended = append(ended, name)
		}
	}
	return ended, nil
}

const writersOfTables = `select distinct relation, virtualtransaction from pg_locks where locktype = 'relation' and granted and relation = any($1::bigint[]::oid[])
	and database = (select oid from pg_database where datname = current_database())
	and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`
