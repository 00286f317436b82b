package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// migrateLock is the purpose of the lock that migrations run under.
const migrateLock = "migrate"

// patience is how long somebody who waits for a lock is left without a word.
const patience = time.Second

// lockHolder is a Handle that can tell people who has a lock: "process 4711". It says "" when it
// does not know.
type lockHolder interface {
	LockHolder(ctx context.Context, purpose string) string
}

// lock waits for other processes that migrate, and says so when that takes time.
func (m *migrator) lock(ctx context.Context) (unlock func() error, err error) {
	waiting, cancel := ctx, func() {}
	if m.options.Wait > 0 {
		waiting, cancel = context.WithTimeout(ctx, m.options.Wait)
	}
	defer cancel()
	locked, said := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(said)
		select {
		case <-locked:
		case <-time.After(patience):
			m.options.Log.Warn("waiting: another process migrates the database", "database", m.handle.Name(), "holder", m.holder(waiting))
		}
	}()
	unlock, err = m.handle.Lock(waiting, migrateLock)
	close(locked)
	<-said
	if err != nil && ctx.Err() == nil && errors.Is(waiting.Err(), context.DeadlineExceeded) {
		return nil, fmt.Errorf("another process migrates the database: %s. It was waited for %v: try again when it has ended",
			m.holder(ctx), m.options.Wait)
	}
	return unlock, err
}

func (m *migrator) holder(ctx context.Context) string {
	h, ok := m.handle.(lockHolder)
	if !ok {
		return "it is not known which"
	}
	return cmp.Or(h.LockHolder(ctx, migrateLock), "it is not known which")
}
