package elyra

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/elyra-go/elyra/database"
)

var errNoDatabase = errors.New("the app has no database: call App.Database")

// DB returns the app's database bound to the call that ctx belongs to: what is read through it is
// tracked for live queries, and statements join the call's transaction, even where a library drops
// the context. Outside a call every operation of the result fails.
func DB(ctx context.Context) *sql.DB {
	c := callOf(ctx)
	if c == nil {
		return failedDB(errors.New("elyra.DB: this context belongs to no call; use the one that the command was given"))
	}
	h, err := c.instance.handle()
	if err != nil {
		return failedDB(err)
	}
	return h.Bind(ctx)
}

// Transact runs fn in a transaction of the app's database, which every statement made with the
// context that fn is given joins. It commits when fn returns nil and rolls back otherwise; within
// a transaction it is a savepoint.
func Transact(ctx context.Context, fn func(ctx context.Context) error) error {
	c := callOf(ctx)
	if c == nil {
		return errors.New("elyra.Transact: this context belongs to no call; use the one that the command was given")
	}
	if _, err := c.instance.handle(); err != nil {
		return err
	}
	return database.Transact(ctx, c.instance.app.db, fn)
}

func (in *Instance) handle() (database.Handle, error) {
	if in.app.db == nil {
		return nil, errNoDatabase
	}
	h, _ := database.HandleOf(in.app.db) // checked when the app started
	return h, nil
}

// checkDB reports why db cannot be an app's database.
func checkDB(db *sql.DB) error {
	if f, ok := db.Driver().(failed); ok {
		return f.err
	}
	if _, ok := database.HandleOf(db); !ok {
		return fmt.Errorf("database: this *sql.DB was not opened by Env.Database, so what it reads and writes cannot be seen (it is a %T)", db.Driver())
	}
	return nil
}

// failedDB returns a database of which every operation fails with err.
func failedDB(err error) *sql.DB { return sql.OpenDB(failed{err}) }

type failed struct{ err error }

func (f failed) Connect(context.Context) (driver.Conn, error) { return nil, f.err }
func (f failed) Driver() driver.Driver                        { return f }
func (f failed) Open(string) (driver.Conn, error)             { return nil, f.err }
