package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrTransactionOpen is the error of a statement that would wait for a transaction of its
// own call: a second BeginTx, or a write beside the transaction. It tells what to do.
var ErrTransactionOpen = errors.New("this call already has a transaction open that writes, and waiting for it would never end: " +
	"use the ctx that Transact gives (or the *sql.Tx), and Transact instead of a second BeginTx")

// ErrTransactionEnded is the error of a statement whose ctx belongs to a transaction that
// was committed or rolled back before.
var ErrTransactionEnded = errors.New("the transaction of this ctx has ended: use the ctx from outside Transact")

// Transact runs fn in a transaction of db and commits it when fn returns nil. An error of
// fn, a panic or the end of ctx rolls it back.
//
// The transaction travels in the ctx that fn gets: every statement made with it joins,
// through whichever *sql.DB of the same database. Transact with that ctx nests as a
// savepoint: an error takes back what the inner function did, and the outer one goes on.
// The savepoints of one transaction cannot overlap in time, so concurrent inner calls are
// refused.
//
// Under [WithReadOnly] the transaction is read-only: one unchanging view of the data.
func Transact(ctx context.Context, db *sql.DB, fn func(ctx context.Context) error) error {
	h, ok := HandleOf(db)
	if !ok {
		return errors.New("transact: this *sql.DB was not opened by a driver of elyra/database, so statements cannot join by ctx")
	}
	if j := JoiningOf(ctx, h); j != nil {
		return j.nested(ctx, db, fn)
	}
	s := scopeOf(ctx)
	j := &Joining{handle: h, parent: s.tx}
	s.tx = j
	inner := s.in(ctx)
	tx, err := db.BeginTx(inner, &sql.TxOptions{ReadOnly: s.readOnly != nil})
	if err != nil {
		return fmt.Errorf("transact: begin: %w", err)
	}
	committed := false
	defer func() {
		j.end()
		if !committed {
			// The error of fn says what went wrong. A rollback can only fail when the
			// transaction is gone already.
			_ = tx.Rollback()
		}
	}()
	if err := fn(inner); err != nil {
		return err
	}
	j.end()
	if err := j.failure(); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("transact: commit: %w", err)
	}
	committed = true
	return nil
}
