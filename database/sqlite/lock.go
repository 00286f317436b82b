package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lockPoll is how often a lock that another process has is tried again. File locks cannot be
// waited for under a context.
const lockPoll = 20 * time.Millisecond

// Lock takes a lock on the file "<database>.<purpose>.lock", which stays: deleting it would let
// two processes lock two files of one name.
func (h *handle) Lock(ctx context.Context, purpose string) (unlock func() error, err error) {
	if purpose == "" || strings.Trim(purpose, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return nil, fmt.Errorf("lock %s: purpose %q: use lower-case letters, digits and hyphens", h.store.path, purpose)
	}
	path := h.store.realPath() + "." + purpose + ".lock" // the same by whatever name the file is opened
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	lock := flock.New(path, flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockPoll); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), lock.Close())
	}
	// For LockHolder. Where a locked file cannot be written to, the holder stays unknown.
	_ = os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())), 0o600)
	return func() error {
		h.store.restore()
		if err := lock.Close(); err != nil {
			return fmt.Errorf("unlock %s: %w", path, err)
		}
		return nil
	}, nil
}

// LockHolder tells people who has the lock for a purpose: "process 4711", or "" when it is not known.
func (h *handle) LockHolder(_ context.Context, purpose string) string {
	text, err := os.ReadFile(h.store.realPath() + "." + purpose + ".lock")
	if err != nil || len(text) > 20 {
		return ""
	}
	if _, err := strconv.Atoi(string(text)); err != nil {
		return ""
	}
	return "process " + string(text)
}

// restore turns foreign keys on again, which a migration that rebuilds a table turns off and
// does not turn on again when it fails half-way. It leaves a writer alone that is in use.
func (s *store) restore() {
	select {
	case s.turn <- struct{}{}:
	default:
		return
	}
	s.mu.Lock()
	p, closed := s.writer, s.closed
	s.mu.Unlock()
	defer s.endTurn(p)
	if p == nil || closed {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, _, err := p.exec(context.Background(), "PRAGMA foreign_keys = ON", nil, anything); err != nil {
		s.log.Error("foreign keys could not be turned on", "database", s.path, "error", err)
	}
	p.pending = changes{}
}
