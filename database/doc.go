// Package database is what an app and a database driver agree on: a plain *sql.DB that is
// tracked, so that a live query knows what it read and hears what was written.
//
// It owns the values that travel in a context (the call, the recorder of reads, the
// read-only guard, the transaction), [Transact] and [Migrate]. It promises that sqlc, sqlx,
// gorm and other users of database/sql work unmodified: everything happens inside the
// driver, behind the *sql.DB that [Driver] opens.
//
// It must not import a driver, package elyra or anything in internal/. The drivers are the
// packages below it, and only programs import them.
package database
