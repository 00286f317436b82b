package sqlite

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/internal/commits"
)

// store is one database file: its readers, its writer and those who listen to commits.
type store struct {
	path      string
	private   bool // nobody else uses the file
	untracked untracked

	development bool
	log         *slog.Logger
	handle      *handle
	listeners   commits.Listeners
	routes      routes
	watched     watched
	foreign     foreign
	ownCommits  atomic.Uint64 // of ours, as a hint

	release sync.Once // looks at the release of SQLite
	proven  bool      // plans of this release were tested

	opening sync.Mutex    // held while the file is opened for the first time
	turn    chan struct{} // holds one value while someone uses the writer

	mu     sync.Mutex
	writer *physical // nil until the first use, and after it broke
	idle   []*physical
	holder holder // whose turn it is
	closed bool

	generation int // counted up when the file was replaced
}

// holder tells a statement that must wait from one that would wait for itself.
type holder struct {
	call *database.Call
	tx   bool // until the transaction ends, not only for one statement
}

var errClosed = errors.New("the database is closed")

// idleReaders is how many readers are kept when nobody reads. There may be more at a time.
const idleReaders = 8

// slowTurn is how long a statement waits for the writer before the log says so.
const slowTurn = 5 * time.Second

func newStore(path string, log *slog.Logger) *store {
	return &store{path: path, log: log, turn: make(chan struct{}, 1)}
}

// reader gives a connection that only reads. It goes back by giveReader.
func (s *store) reader(ctx context.Context) (*physical, error) {
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	if n := len(s.idle); n > 0 {
		// The one used last has the warmest caches.
		p := s.idle[n-1]
		s.idle = s.idle[:n-1]
		s.mu.Unlock()
		return p, nil
	}
	s.mu.Unlock()
	return s.connectReader(ctx)
}

func (s *store) giveReader(p *physical) {
	s.mu.Lock()
	keep := !s.closed && len(s.idle) < idleReaders && p.born == s.generation
	if keep {
		s.idle = append(s.idle, p)
	}
	s.mu.Unlock()
	if !keep {
		_ = p.close()
	}
}

// takeTurn waits until the writer is free and gives it. It goes back by endTurn. With tx it
// is held until a transaction ends, and a statement of the same call that would wait for that
// fails at once.
func (s *store) takeTurn(ctx context.Context, tx bool) (*physical, error) {
	if err := s.open(ctx); err != nil {
		return nil, err
	}
	call := database.CallOf(ctx)
	s.mu.Lock()
	itself := call != nil && s.holder.tx && s.holder.call == call
	s.mu.Unlock()
	if itself {
		return nil, database.ErrTransactionOpen
	}
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	p, closed := s.writer, s.closed
	var stale *physical
	if p != nil && p.born != s.generation {
		stale, p, s.writer = p, nil, nil
	}
	s.holder = holder{call, tx}
	s.mu.Unlock()
	if stale != nil {
		_ = stale.close()
	}
	switch {
	case closed:
		s.endTurn(p)
		return nil, errClosed
	case p == nil:
		// The last writer broke. The turn is ours, so nobody else opens one.
		p, err := s.connectWriter(ctx)
		if err != nil {
			s.endTurn(nil)
			return nil, err
		}
		p.dataSeen = -1 // what others did between the two is not known
		s.mu.Lock()
		s.writer = p
		s.mu.Unlock()
		return p, nil
	}
	return p, nil
}

func (s *store) wait(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	default:
	}
	slow := time.NewTimer(slowTurn)
	defer slow.Stop()
	for {
		select {
		case s.turn <- struct{}{}:
			return nil
		case <-ctx.Done():
			return fmt.Errorf("wait for the database's writer: %w", ctx.Err())
		case <-slow.C:
			s.log.Warn("a statement waits for a transaction that writes; if that transaction waits for it, pass on the ctx that Transact gives",
				"database", s.path, "waited", slowTurn)
		}
	}
}

// endTurn frees the writer. p is the connection that takeTurn gave.
func (s *store) endTurn(p *physical) {
	s.mu.Lock()
	s.holder = holder{}
	closed := s.closed
	if closed {
		s.writer = nil
	}
	s.mu.Unlock()
	if closed && p != nil {
		_ = p.close()
	}
	<-s.turn
}

// drop closes a writer whose state is not known. The next turn opens another. The caller has
// the turn.
func (s *store) drop(p *physical) {
	s.mu.Lock()
	if s.writer == p {
		s.writer = nil
	}
	s.mu.Unlock()
	_ = p.close()
}

// write runs one statement, or a script, on the writer outside a transaction, and publishes
// what it committed.
func (s *store) write(ctx context.Context, run func(*physical) error) error {
	p, err := s.takeTurn(ctx, false)
	if err != nil {
		return err
	}
	var done changes
	err = func() error {
		defer s.endTurn(p)
		p.mu.Lock()
		defer p.mu.Unlock()
		err := run(p)
		p.pending = changes{}
		done = p.takeCommitted()
		return err
	}()
	s.publish(done)
	return err
}

func (s *store) publish(c changes) {
	if c.empty() {
		return
	}
	s.ownCommits.Add(1)
	s.tell(c)
}

// tell tells the listeners of a commit, of whoever made it.
func (s *store) tell(c changes) {
	if c.everything {
		s.routes.clear()
		s.watched.clear()
	}
	s.listeners.Tell(c.writes())
}

// close closes what is idle now. What is in use is closed by whoever gives it back.
func (s *store) close() error {
	s.foreign.end()
	s.mu.Lock()
	s.closed = true
	idle := s.idle
	s.idle = nil
	s.mu.Unlock()
	var errs []error
	for _, p := range idle {
		errs = append(errs, p.close())
	}
	select {
	case s.turn <- struct{}{}:
		s.mu.Lock()
		p := s.writer
		s.writer = nil
		s.mu.Unlock()
		if p != nil {
			errs = append(errs, p.close())
		}
		<-s.turn
	default:
	}
	return errors.Join(errs...)
}

// routes remembers which texts need the writer, so that they are not tried on a reader each
// time. A wrong entry costs time and no correctness: SQLite has the last word.
type routes struct {
	mu     sync.RWMutex
	writes map[string]bool
}

// maxRoutes bounds the memory for apps that put values into their SQL.
const maxRoutes = 4096

// find gives false, false for a text that was not seen before.
func (r *routes) find(text string) (writes, known bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	writes, known = r.writes[text]
	return writes, known
}

func (r *routes) learn(text string, writes bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.writes == nil || len(r.writes) >= maxRoutes {
		r.writes = map[string]bool{}
	}
	r.writes[text] = writes
}

func (r *routes) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writes = nil
}
