package postgres

import (
	"context"
	"fmt"
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
	var changed []string
	for name, t := range f.tables {
		if t.oid == 0 || t.locked {
			continue
		}
		locked, err := f.lock(ctx, t.oid)
		if err != nil {
			return fmt.Errorf("lock a table against silence: %w", err)
		}
		if !locked {
			continue // somebody is trying the lock just now
		}
		t.locked = true
		if t.silent, err = f.writers(ctx, t.oid); err != nil {
			return err
		}
		changed = append(changed, name) // after it was read and before it was locked, perhaps
	}
	for name, t := range f.tables {
		if len(t.silent) == 0 || slices.Contains(changed, name) {
			continue
		}
		now, err := f.writers(ctx, t.oid)
		if err != nil {
			return err
		}
		before := len(t.silent)
		t.silent = slices.DeleteFunc(t.silent, func(one string) bool { return !slices.Contains(now, one) })
		if len(t.silent) < before {
			changed = append(changed, name)
		}
	}
	if len(changed) > 0 {
		slices.Sort(changed)
		f.store.listeners.Tell(database.Writes{Tables: changed})
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

// lock tries for the lock that makes writers tell. It lasts as long as the connection or, with
// a log, the transaction.
func (f *follower) lock(ctx context.Context, oid uint32) (locked bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, f.store.pace.answer)
	defer cancel()
	function := "pg_try_advisory_lock_shared"
	if f.capture == byLog {
		function = "pg_try_advisory_xact_lock_shared"
	}
	err = f.conn.QueryRow(ctx, "select "+function+"("+lockSpace+", ($1::bigint - 2147483648)::int)", int64(oid)).Scan(&locked)
	return locked, err
}

// writers gives the transactions that have written to a table and have not ended.
func (f *follower) writers(ctx context.Context, oid uint32) ([]string, error) {
	return ask(ctx, f, pgx.RowTo[string], writersOfTable, int64(oid))
}

const writersOfTable = `select distinct virtualtransaction from pg_locks where locktype = 'relation' and granted and relation = $1::bigint::oid
	and database = (select oid from pg_database where datname = current_database())
	and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`
