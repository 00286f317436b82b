package postgres

// CaptureMigration is a migration that lets the database say at once which tables were changed,
// by whomever: a trigger for each statement on each table of the schema public, and NOTIFY. An
// app that has it among its migrations hears of commits within a millisecond, and by table; one
// that has not asks for the snapshot instead. Its own down part takes it back.
//
// The trigger tells nothing of a table that no app follows, never makes a statement fail, needs
// no rights of whoever writes, and sends the name of the table and no row. Tables that are made
// later are covered by "select elyra_live.capture()", which later migrations may call again and
// again. Until then, apps that read them ask for the snapshot, as they do for tables that belong
// to another role than the one that runs the migration.
//
// What no trigger is told (a change of the schema, what logical replication brings) is seen
// within a minute.
const CaptureMigration = captureBegin + captureTables +
	captureGate + tellByNotify + captureElse + tellByNotify + captureEnd

// CaptureLogMigration is like [CaptureMigration], with a table in place of NOTIFY: each
// transaction adds a line for each followed table that it changed, and apps read them every
// 50 ms. It is for many writers at a time, whose commits wait for one another when they notify,
// and for connections by way of a pooler that gives each transaction another one. An app that
// follows keeps a transaction open, and so one of the pooler's connections.
//
// The table is unlogged, so that a line costs little, and every role may read it. Lines that are
// more than a minute old are deleted by the apps that follow: by those that may, which are those
// that connect as the role that ran the migration or were granted it.
//
// A database has one of the two captures. A migration "drop schema elyra_live cascade" takes away
// either before the other.
const CaptureLogMigration = captureBegin + captureLog + captureTables +
	captureGate + tellByLog + captureElse + tellByLog + captureEnd

const captureBegin = `-- +goose Up
-- +goose StatementBegin
create schema elyra_live;
`

const captureLog = `
create unlogged table elyra_live.log(xid xid8, relation text, primary key (xid, relation));
grant usage on schema elyra_live to public;
grant select on elyra_live.log to public;
`

// captureTables makes the function that puts the trigger on all tables.
const captureTables = `
create function elyra_live.capture() returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare name regclass;
begin
	for name in select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname = 'public' and c.relkind in ('r', 'p') and not exists (select from pg_trigger where tgrelid = c.oid and tgname = 'elyra_changed')
	loop
		begin
			execute format('create trigger elyra_changed after insert or update or delete or truncate on %s for each statement execute function elyra_live.changed()', name);
			execute format('alter table %s enable always trigger elyra_changed', name);
		exception when insufficient_privilege then
			raise warning '% is not captured, because it is not owned by %', name, current_user;
		end;
	end loop;
end $$;
`

// captureGate begins the function of the trigger. Whether a table is followed is told by a lock,
// because locks do not depend on what a transaction sees: who follows holds it shared, so that
// trying for the exclusive one fails. Who gets it gives it back at once, so that writers hardly
// ever meet there; see gate for how those are found who found nobody. CASE keeps the order, and
// nothing can come between the two calls.
const captureGate = `
create function elyra_live.changed() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare key int := (tg_relid::bigint - 2147483648)::int;
begin
	if (case when pg_try_advisory_lock(` + lockSpace + `, key) then not pg_advisory_unlock(` + lockSpace + `, key) else true end) then
		`

const captureElse = `
	end if;
	return null;
exception when others then
	begin
		`

const captureEnd = `
	exception when others then
	end;
	return null;
end $$;

select elyra_live.capture();
-- +goose StatementEnd

-- +goose Down
drop schema elyra_live cascade;
`

// tellByNotify leaves out the notification when the server's queue is half full: at the latest
// when it is full, commits would fail. Those who follow ask for the snapshot long before.
const tellByNotify = `perform pg_notify('elyra', tg_table_schema || '.' || tg_table_name) where pg_notification_queue_usage() < 0.5;`

// tellByLog notes a table once for each transaction.
const tellByLog = `insert into elyra_live.log values (pg_current_xact_id(), tg_table_schema || '.' || tg_table_name) on conflict do nothing;`

// lockSpace is the first half of the locks that say which tables are followed.
const lockSpace = "1701606770"
