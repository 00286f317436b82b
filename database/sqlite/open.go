package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	lib "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// open makes sure that the file is there and that the writer is connected. It does the work
// once; after a failure the next use tries again.
func (s *store) open(ctx context.Context) error {
	s.opening.Lock()
	defer s.opening.Unlock()
	s.mu.Lock()
	open, closed := s.writer != nil, s.closed
	s.mu.Unlock()
	if closed {
		return fmt.Errorf("open database %s: %w", s.path, errClosed)
	}
	if open {
		return nil
	}
	if len(s.turn) > 0 {
		return nil // someone is replacing a writer that broke
	}
	p, err := s.connectWriter(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.writer != nil || s.closed {
		return p.close()
	}
	s.writer = p
	return nil
}

func (s *store) connectWriter(ctx context.Context) (*physical, error) {
	params := url.Values{"_journal_mode": {"WAL"}, "_txlock": {"immediate"}}
	clean, err := s.prepareFile(params)
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", s.path, err)
	}
	defer clean()
	p, err := connect(ctx, source(s.path, params), true, &s.watched)
	if err != nil {
		return nil, s.openError(err)
	}
	if readOnly, err := p.raw.IsReadOnly("main"); err != nil || readOnly {
		_ = p.close()
		return nil, s.openError(errors.Join(errNotWritable, err))
	}
	if p.dataSeen, err = p.dataVersion(ctx); err != nil {
		_ = p.close()
		return nil, s.openError(err)
	}
	s.opened(p)
	return p, nil
}

// opened notes which file a writer was opened on.
func (s *store) opened(p *physical) {
	info, err := os.Stat(s.path)
	s.mu.Lock()
	defer s.mu.Unlock()
	p.born = s.generation
	if err == nil {
		s.foreign.file = info
	}
}

func (s *store) connectReader(ctx context.Context) (*physical, error) {
	// query_only is the net below the authorizer: whatever a statement turns out to do, a
	// reader cannot write. mode=rw keeps a file that was deleted from coming back empty.
	p, err := connect(ctx, source(s.path, url.Values{"_query_only": {"1"}, "mode": {"rw"}}), false, &s.watched)
	if err != nil {
		return nil, s.openError(err)
	}
	p.proven = s.isProven(p)
	s.mu.Lock()
	p.born = s.generation
	s.mu.Unlock()
	return p, nil
}

// isProven reports whether plans can be read on this release of SQLite. The log says once
// when they cannot.
func (s *store) isProven(p *physical) bool {
	s.release.Do(func() {
		p.silent = true
		rows, err := p.ask(context.Background(), "select sqlite_version()")
		p.silent = false
		if err != nil {
			return
		}
		if s.proven = text(rows[0][0]) == provenVersion; !s.proven {
			s.log.Info("live queries follow whole tables, because plans of this SQLite were not tested",
				"sqlite", text(rows[0][0]), "tested", provenVersion)
		}
	})
	return s.proven
}

// prepareFile checks what lies at the path, makes the folder, and sees to it that SQLite
// creates a new file for this user alone.
func (s *store) prepareFile(params url.Values) (clean func(), err error) {
	clean = func() {}
	info, err := os.Stat(s.path)
	switch {
	case err == nil && info.IsDir():
		return nil, errors.New("it is a folder: give the path of a file")
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("it is no regular file but %s", info.Mode().Type())
	case err == nil:
		return clean, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	folder := filepath.Dir(s.path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	// The file must not be opened here, not even to create it: another connection of this
	// process may have it open already, and closing it would drop that one's locks. SQLite
	// can copy the permissions of another file instead.
	model, err := os.CreateTemp(folder, ".mode-*")
	if err != nil {
		return nil, err
	}
	clean = func() { _ = os.Remove(model.Name()) }
	err = model.Chmod(0o600)
	if err := errors.Join(err, model.Close()); err != nil {
		clean()
		return nil, err
	}
	params.Set("modeof", model.Name())
	return clean, nil
}

var errNotWritable = errors.New("it cannot be written to: check the permissions of the file and its folder")

// openError says in words what SQLite has against the file.
func (s *store) openError(err error) error {
	reason := err
	if e, ok := errors.AsType[*lib.Error](err); ok {
		switch e.Code() & 0xff {
		case codes.SQLITE_NOTADB:
			reason = fmt.Errorf("it is not a SQLite database, or it is encrypted: %w", err)
		case codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
			reason = fmt.Errorf("it cannot be opened: check that this user may read and write the file and its folder: %w", err)
		case codes.SQLITE_READONLY:
			reason = fmt.Errorf("%w: %w", errNotWritable, err)
		case codes.SQLITE_CORRUPT:
			reason = fmt.Errorf("the file is damaged: restore a copy: %w", err)
		case codes.SQLITE_BUSY:
			reason = fmt.Errorf("another program has kept it locked: close that program: %w", err)
		}
	}
	return fmt.Errorf("open database %s: %w", s.path, reason)
}

// refusedByReader reports whether SQLite would not let a reader do what needs the writer.
func refusedByReader(err error) bool {
	e, ok := errors.AsType[*lib.Error](err)
	return ok && e.Code()&0xff == codes.SQLITE_READONLY
}
