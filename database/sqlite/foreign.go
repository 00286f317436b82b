package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/elyra-go/elyra/database"
)

// foreign sees the commits of other processes, as long as somebody watches.
//
// PRAGMA data_version on the writer's connection tells of them exactly: it moves with each
// commit that this connection did not make, and all of ours go through it. A file event wakes
// the question up, and a slow poll is the net below that.
type foreign struct {
	mu       sync.Mutex
	watchers int
	closed   bool
	stop     context.CancelFunc // of the goroutine, nil when there is none
	done     sync.WaitGroup
	finished chan struct{} // of the newest goroutine
	pages    pages         // belongs to the goroutine
	commits  uint64        // of ours, when an event was looked at last
	file     os.FileInfo   // as it was when it was opened; guarded by the store's mu
}

// foreignPoll is how often the question is asked without an event.
const foreignPoll = 125 * time.Millisecond

// lookEvery is how many polls go by until the file itself is looked at.
const lookEvery = 8

// ownPause keeps our own commits from asking each time.
const ownPause = 2 * time.Millisecond

// retries are the pauses after an event that told of nothing. A commit is in the file a moment
// before it counts.
var retries = [...]time.Duration{200 * time.Microsecond, time.Millisecond, 4 * time.Millisecond}

// Watch has the commits of other processes told to OnCommit as well, until stop is called.
func (h *handle) Watch() (stop func()) {
	if h.store.private {
		return func() {}
	}
	f := &h.store.foreign
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.watchers++; f.watchers == 1 && !f.closed {
		ctx, cancel := context.WithCancel(context.Background())
		f.stop = cancel
		before, finished := f.finished, make(chan struct{})
		f.finished = finished
		f.done.Go(func() {
			defer close(finished)
			if before != nil {
				<-before // it may not have heard yet that it was stopped
			}
			h.store.followOthers(ctx)
		})
	}
	return sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.watchers--; f.watchers == 0 && f.stop != nil {
			f.stop()
			f.stop = nil
		}
	})
}

// end stops the goroutine and waits for it.
func (f *foreign) end() {
	f.mu.Lock()
	f.closed = true
	if f.stop != nil {
		f.stop()
		f.stop = nil
	}
	f.mu.Unlock()
	f.done.Wait()
}

// followOthers asks whenever there is a reason to. What happened before it began is told by
// its first question, because the answer is compared with the one before.
func (s *store) followOthers(ctx context.Context) {
	listen := func() (woken <-chan struct{}, end func()) {
		file := s.realPath()
		s.foreign.pages.logPath = file + "-wal"
		return wakeups(file, s.log)
	}
	woken, end := listen()
	defer func() { end() }()
	defer s.foreign.pages.close()
	poll := time.NewTicker(foreignPoll)
	defer poll.Stop()
	s.askOthers(ctx)
	polls := 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-poll.C:
			if polls++; polls%lookEvery == 0 && s.replaced() {
				s.log.Warn("the database file was replaced, and is opened anew", "database", s.path)
				s.reopen()
				end()
				woken, end = listen()
			}
			s.askOthers(ctx)
		case <-woken:
			s.askAgain(ctx, woken)
		}
	}
}

// askAgain asks after an event, and a little later when there was no answer. A commit of ours
// since the last event explains this one: then it asks once, after a moment in which more of
// ours may come.
func (s *store) askAgain(ctx context.Context, woken <-chan struct{}) {
	own := s.ownCommits.Load()
	ours := own != s.foreign.commits
	s.foreign.commits = own
	if ours {
		select {
		case <-ctx.Done():
		case <-time.After(ownPause):
			s.askOthers(ctx)
		}
		return
	}
	if s.askOthers(ctx) {
		return
	}
	for _, pause := range retries {
		if s.ownCommits.Load() != own {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-woken:
		case <-time.After(pause):
		}
		if s.askOthers(ctx) {
			return
		}
	}
}

// askOthers publishes what others committed since it was asked last, and reports whether
// there was anything.
func (s *store) askOthers(ctx context.Context) bool {
	p, err := s.takeTurn(ctx, false)
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, errClosed) {
			s.log.Warn("changes by other programs are not seen", "database", s.path, "error", err)
		}
		return false
	}
	var told changes
	func() {
		defer s.endTurn(p)
		p.mu.Lock()
		defer p.mu.Unlock()
		told = s.foreignChanges(ctx, p)
	}()
	if told.empty() {
		return false
	}
	s.tell(told)
	return true
}

// foreignChanges tells what others changed. The caller has the writer's turn, so nothing of
// ours comes in between.
func (s *store) foreignChanges(ctx context.Context, p *physical) (told changes) {
	version, err := p.dataVersion(ctx)
	if err != nil {
		if ctx.Err() == nil {
			// Too much is told rather than too little.
			told.everything = true
		}
		return told
	}
	if version == p.dataSeen {
		if !s.foreign.pages.ready() {
			s.foreign.pages.changed(ctx, s) // so that the first change can be named
		}
		return told
	}
	p.dataSeen = version
	tables, known := s.foreign.pages.changed(ctx, s)
	if !known {
		told.everything = true
		return told
	}
	for _, table := range tables {
		told.add(table)
	}
	return told
}

// dataVersion gives a number that moves when another connection has committed. mu is held.
func (p *physical) dataVersion(ctx context.Context) (int64, error) {
	p.silent = true
	defer func() { p.silent = false }()
	// It looks at shared memory alone: to be ready to cancel it would cost more than it does.
	v, err := p.one(context.WithoutCancel(ctx), &p.foreign, "pragma data_version")
	return whole(v), err
}

// realPath gives the file that the path leads to: SQLite has the log beside that one, and not
// beside a link.
func (s *store) realPath() string {
	if path, err := filepath.EvalSymlinks(s.path); err == nil {
		return path
	}
	return s.path
}

// replaced reports whether there is another file under the database's name.
func (s *store) replaced() bool {
	now, err := os.Stat(s.path)
	s.mu.Lock()
	defer s.mu.Unlock()
	return err == nil && s.foreign.file != nil && !os.SameFile(now, s.foreign.file)
}

// reopen lets go of all connections that are not in use, and of the others when they come
// back.
func (s *store) reopen() {
	s.mu.Lock()
	idle := s.idle
	s.idle = nil
	s.generation++
	s.foreign.file = nil
	s.mu.Unlock()
	s.foreign.pages.close()
	for _, p := range idle {
		_ = p.close()
	}
}

var _ database.Handle = (*handle)(nil)
