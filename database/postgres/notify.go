package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/elyra-go/elyra/database"
)

// echoWithin is how long the first notification to oneself may take. It does not come at all by
// way of a pooler that gives each transaction another connection.
const echoWithin = 5 * time.Second

// listen begins to hear notifications, if they arrive. A first one comes by another connection:
// one's own would come along with the answer, whoever answers.
func (f *follower) listen(ctx context.Context) error {
	f.channel = "elyra_" + strings.ToLower(rand.Text())
	for _, channel := range []string{"elyra", f.channel} {
		if err := f.execute(ctx, "listen "+channel); err != nil {
			return err
		}
	}
	first, cancel := context.WithTimeout(ctx, min(echoWithin, f.store.pace.answer))
	defer cancel()
	other, err := pgx.ConnectConfig(first, f.store.watcher.Copy())
	if err != nil {
		return fmt.Errorf("connect to %s: %w", f.store.name, err)
	}
	defer f.store.leave(other)
	err = f.echo(first, other)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		f.capture = byNotify
		return nil
	case f.conn.IsClosed() || other.IsClosed():
		return err
	}
	f.store.log.Warn("notifications do not arrive, so the database is asked for changes instead", "database", f.store.name)
	return nil
}

// echo sends a notification to oneself and waits for it. A connection on which nothing arrives
// any more is found by this, even when nobody has closed it.
func (f *follower) echo(ctx context.Context, by *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, f.store.pace.answer)
	defer cancel()
	if _, err := by.Exec(ctx, "select pg_notify($1, '')", f.channel); err != nil {
		return err
	}
	for {
		n, err := f.conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if n.Channel == f.channel {
			return nil
		}
		f.told(n)
	}
}

// hear waits for notifications until a time, or until the locks have to be seen to.
func (f *follower) hear(ctx context.Context, until time.Time) error {
	waiting, cancel := context.WithDeadline(ctx, until)
	var waker sync.WaitGroup
	defer waker.Wait()
	defer cancel()
	waker.Go(func() {
		select {
		case <-f.woken:
			cancel()
		case <-waiting.Done():
		}
	})
	for {
		n, err := f.conn.WaitForNotification(waiting)
		if err != nil {
			if waiting.Err() == nil || ctx.Err() != nil {
				return err
			}
			return nil
		}
		f.told(n)
	}
}

// told passes on which table was changed. Everybody may notify, so what is not a table that was
// read is nothing.
func (f *follower) told(n *pgconn.Notification) {
	if f.tables[n.Payload] != nil {
		f.store.listeners.Tell(database.Writes{Tables: []string{n.Payload}})
	}
}

func (f *follower) execute(ctx context.Context, statement string) error {
	ctx, cancel := context.WithTimeout(ctx, f.store.pace.answer)
	defer cancel()
	_, err := f.conn.Exec(ctx, statement)
	return err
}
