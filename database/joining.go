package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
)

// Joining is the transaction that a ctx carries, as a driver sees it. [Transact] puts it
// there before it calls BeginTx, the driver attaches its connection to it, and sends later
// statements with that ctx to what it attached.
type Joining struct {
	handle Handle
	parent *Joining // the next one in the same ctx, perhaps of another database
	outer  *Joining // the transaction that this savepoint lies in, nil for a transaction
	depth  int      // how many savepoints deep

	mu     sync.Mutex
	conn   any
	ended  bool
	busy   bool  // a savepoint is open inside
	broken error // a savepoint could not be taken back, so the whole must not be committed
}

// JoiningOf gives the innermost transaction of h that ctx carries, or nil.
func JoiningOf(ctx context.Context, h Handle) *Joining {
	for j := scopeOf(ctx).tx; j != nil; j = j.parent {
		if j.handle == h {
			return j
		}
	}
	return nil
}

// Attach gives the transaction what the driver wants to find again. It is called once, by
// the driver's BeginTx.
func (j *Joining) Attach(conn any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.conn = conn
}

// Conn gives what was attached, nil before that, and [ErrTransactionEnded] after the end.
func (j *Joining) Conn() (any, error) {
	if j.outer != nil {
		if _, err := j.outer.Conn(); err != nil {
			return nil, err
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.ended {
		return nil, ErrTransactionEnded
	}
	return j.conn, nil
}

func (j *Joining) end() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ended = true
}

func (j *Joining) failure() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.broken
}

// fail makes the whole transaction, however far out it began, end in a rollback.
func (j *Joining) fail(err error) {
	for ; j != nil; j = j.outer {
		j.mu.Lock()
		j.broken = err
		j.mu.Unlock()
	}
}

var errOverlap = errors.New("transact: another nested transaction is open inside this one, and savepoints cannot overlap: " +
	"run them one after the other, or use the ctx of the inner one")

// enter claims the one place for a savepoint inside j.
func (j *Joining) enter() (conn any, err error) {
	if _, err := j.Conn(); err != nil {
		return nil, fmt.Errorf("transact: %w", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.busy {
		return nil, errOverlap
	}
	j.busy = true
	return j.conn, nil
}

func (j *Joining) leave() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.busy = false
}

// nested runs fn in a savepoint of j.
func (j *Joining) nested(ctx context.Context, db *sql.DB, fn func(ctx context.Context) error) error {
	conn, err := j.enter()
	if err != nil {
		return err
	}
	defer j.leave()
	s := scopeOf(ctx)
	point := &Joining{handle: j.handle, parent: s.tx, outer: j, depth: j.depth + 1, conn: conn}
	defer point.end()
	s.tx = point
	inner := s.in(ctx)
	name := fmt.Sprintf("elyra_%d", point.depth)
	if _, err := db.ExecContext(inner, "SAVEPOINT "+name); err != nil {
		return fmt.Errorf("transact: begin savepoint: %w", err)
	}
	released := false
	defer func() {
		if released {
			return
		}
		// Also after a cancellation, or a panic that someone further out may recover from.
		cleanup := context.WithoutCancel(inner)
		for _, statement := range []string{"ROLLBACK TO " + name, "RELEASE " + name} {
			if _, err := db.ExecContext(cleanup, statement); err != nil {
				point.fail(fmt.Errorf("transact: a nested transaction could not be rolled back: %w", err))
				return
			}
		}
	}()
	if err := fn(inner); err != nil {
		return err
	}
	if _, err := db.ExecContext(inner, "RELEASE "+name); err != nil {
		return fmt.Errorf("transact: release savepoint: %w", err)
	}
	released = true
	return nil
}
