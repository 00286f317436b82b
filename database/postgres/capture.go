package postgres

// CaptureMigration is a migration that lets the database say at once which tables were changed,
// by whomever: a trigger for each statement on each table of the schema public, and NOTIFY. An
// app that has it among its migrations hears of commits within a millisecond, and by table; one
// that has not asks for the snapshot instead. Its own down part takes it back.
//
// The trigger tells nothing of a table that no app follows, never makes a statement fail, needs
// no rights of whoever writes, and sends the name of the table and no row. Tables that are made
// later are covered by "select elyra.capture()", which later migrations may call again and
// again. Until then, apps that read them ask for the snapshot.
//
// Whether a table is followed is told by locks, because they do not depend on what a transaction
// sees: who follows holds a shared one, and who writes tries for the exclusive one until its
// transaction ends. When that fails, someone follows. Whoever begins to follow gets the lock only
// after all who wrote without telling have ended.
const CaptureMigration = `-- +goose Up
-- +goose StatementBegin
create schema elyra;

create function elyra.changed() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
	if not pg_try_advisory_xact_lock(` + lockSpace + `, (tg_relid::bigint - 2147483648)::int) then
		perform pg_notify('elyra', tg_table_schema || '.' || tg_table_name);
	end if;
	return null;
exception when others then
	begin
		perform pg_notify('elyra', tg_table_schema || '.' || tg_table_name);
	exception when others then
	end;
	return null;
end $$;

create function elyra.capture() returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare name regclass;
begin
	for name in select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname = 'public' and c.relkind in ('r', 'p') and not exists (select from pg_trigger where tgrelid = c.oid and tgname = 'elyra_changed')
	loop
		execute format('create trigger elyra_changed after insert or update or delete or truncate on %s for each statement execute function elyra.changed()', name);
		execute format('alter table %s enable always trigger elyra_changed', name);
	end loop;
end $$;

select elyra.capture();
-- +goose StatementEnd

-- +goose Down
drop schema elyra cascade;
`

// lockSpace is the first half of the locks that say which tables are followed.
const lockSpace = "1701606770"
