// Package sqlconn has what the connections of all drivers do alike with a statement: keep its
// text when it is prepared, and find the transaction that it belongs to. It imports nothing of
// this module but package database.
package sqlconn

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/elyra-go/elyra/database"
)

// Conn runs statements by their text.
type Conn interface {
	driver.ExecerContext
	driver.QueryerContext
}

// prepared is a statement that its connection compiles when it runs, and then keeps.
type prepared struct {
	conn Conn
	text string
}

// Prepare gives the statement unless ctx has ended.
func Prepare(ctx context.Context, c Conn, text string) (driver.Stmt, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &prepared{c, text}, nil
}

func (s *prepared) Close() error { return nil }

// NumInput says that the database counts the parameters itself.
func (s *prepared) NumInput() int { return -1 }

var errOld = errors.New("statements need the methods with a context")

func (s *prepared) Exec([]driver.Value) (driver.Result, error) { return nil, errOld }
func (s *prepared) Query([]driver.Value) (driver.Rows, error)  { return nil, errOld }

func (s *prepared) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.conn.ExecContext(ctx, s.text, args)
}

func (s *prepared) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.QueryContext(ctx, s.text, args)
}

// Transaction gives what the driver attached to the transaction of h that ctx carries. It is the zero
// T when there is no transaction, or when it has not begun.
func Transaction[T any](ctx context.Context, h database.Handle) (T, error) {
	var t T
	j := database.JoiningOf(ctx, h)
	if j == nil {
		return t, nil
	}
	held, err := j.Conn()
	if err != nil {
		return t, err
	}
	t, _ = held.(T)
	return t, nil
}
