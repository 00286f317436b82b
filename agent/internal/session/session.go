package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/elyra-go/elyra/agent/internal/model"
)

// ErrClosed is returned by what would write to a session after Close.
var ErrClosed = errors.New("the session is closed")

// ErrNoEntry is returned for an id that the session does not have.
var ErrNoEntry = errors.New("the session has no such entry")

// file is what a session writes to.
type file interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// Session is one conversation. Its methods may be called from many goroutines.
type Session struct {
	store *Store
	path  string

	mu      sync.Mutex
	c       *content
	leaf    int    // index of the entry that the next one hangs on, -1 for none
	pending []byte // what the first write puts before its entry, when there is no file yet
	file    file   // nil until the first entry
	size    int64  // of the file
	broken  bool   // the file is longer than size: a write failed and could not be taken back
	closed  bool
	unlock  func()
}

// ID names the session.
func (s *Session) ID() string { return s.c.header.ID }

// Path returns the path of its file, which does not exist before the first entry.
func (s *Session) Path() string { return s.path }

// Header returns the first line.
func (s *Session) Header() Header { return s.c.header }

// Damage says in lines for a person what was wrong with the file when it was opened.
func (s *Session) Damage() []string {
	if s.c.unsaid > 0 {
		return append(s.c.damage[:maxDamage:maxDamage], fmt.Sprintf("and %d lines more", s.c.unsaid))
	}
	return s.c.damage
}

// Append stores a message.
func (s *Session) Append(m model.Message) error {
	m = storable(m)
	_, err := s.Add(Entry{Kind: KindMessage, Message: &m})
	return err
}

// Compact stores that all messages of [Session.History] but the last keep are replaced by a summary, and what that took in
// tokens and US dollars.
func (s *Session) Compact(summary string, keep int, usage model.Usage, cost float64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := conversation(s.entries(), s.store.o.Summary)
	if keep < 0 || keep > len(list) {
		return fmt.Errorf("compact the session: it has %d messages and not %d", len(list), keep)
	}
	c := &Compaction{Summary: summary, Usage: usage, Cost: cost}
	for i := len(list) - keep; i >= 0 && keep > 0 && c.Keep == ""; i-- {
		c.Keep = list[i].id // a result that was made up stays with its call
	}
	_, err := s.add(Entry{Kind: KindCompaction, Compaction: c})
	return err
}

// SetModel stores which model the conversation goes on with.
func (s *Session) SetModel(name string, level model.Level) error {
	_, err := s.Add(Entry{Kind: KindModel, Model: name, Level: level})
	return err
}

// AddChild stores that an agent works on a task for this session's and is kept in a session of its own.
func (s *Session) AddChild(id, task string) error {
	if !validID(id) {
		return fmt.Errorf("note the session of an agent: %.80q is no id", id)
	}
	_, err := s.Add(Entry{Kind: KindChild, Target: id, Text: oneLine(task)})
	return err
}

// SetLeaf makes the conversation go on at an entry, "" for its beginning. What came after stays in the file.
func (s *Session) SetLeaf(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.c.byID[id]
	if !ok && id != "" {
		return fmt.Errorf("go back to %q: %w", id, ErrNoEntry)
	}
	if !ok {
		at = -1
	}
	if at == s.leaf {
		return nil
	}
	old := s.leaf
	s.leaf = at
	_, err := s.add(Entry{Kind: KindLeaf})
	if err != nil {
		s.leaf = old
	}
	return err
}

// Label gives an entry a name, or takes it away with "".
func (s *Session) Label(id, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.c.byID[id]; !ok {
		return fmt.Errorf("name %q: %w", id, ErrNoEntry)
	}
	_, err := s.add(Entry{Kind: KindLabel, Target: id, Text: text})
	return err
}

// Add stores an entry at the end of the conversation and returns its id. It is on the disk then.
func (s *Session) Add(e Entry) (id string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(e)
}

func (s *Session) add(e Entry) (string, error) {
	e.ID, e.Parent, e.Time = s.store.entryID(s.c.byID), "", s.store.now()
	if s.leaf >= 0 {
		e.Parent = s.c.entries[s.leaf].ID
	}
	e.Sum = s.c.sum
	e.Sum.add(e)
	text, err := line(e)
	if err == nil {
		err = s.write(text)
	}
	if err != nil {
		return "", fmt.Errorf("write to session %s: %w", s.path, err)
	}
	s.c.add(e)
	s.leaf = s.c.next(len(s.c.entries) - 1)
	return e.ID, nil
}

// write appends whole lines. What a failed write has left is taken back, so that the next one begins a line.
func (s *Session) write(text []byte) error {
	if s.closed {
		return ErrClosed
	}
	if s.file == nil {
		if err := s.create(); err != nil {
			return err
		}
	}
	if s.broken {
		if err := s.file.Truncate(s.size); err != nil {
			return fmt.Errorf("take back what an earlier write has left: %w", err)
		}
		s.broken = false
	}
	text = append(s.pending, text...)
	_, err := s.file.Write(text)
	if err == nil {
		err = s.file.Sync()
	}
	if err != nil {
		s.broken = s.file.Truncate(s.size) != nil
		return err
	}
	s.size += int64(len(text))
	s.pending = nil
	return nil
}

// create makes the file of a new session.
func (s *Session) create() error {
	folder, err := s.store.dir.Folder(filepath.Join(folderName, encode(s.c.header.Cwd)))
	if err != nil {
		return err
	}
	unlock, err := lock(s.path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		unlock()
		return err
	}
	if d, err := os.Open(folder); err == nil { // so that the name survives a power cut, where a folder can be synced
		d.Sync()  //nolint:errcheck // As above.
		d.Close() //nolint:errcheck // It was read only.
	}
	s.file, s.unlock = f, unlock
	return nil
}

// Close lets others write to the session.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.unlock()
	if err != nil {
		return fmt.Errorf("close session %s: %w", s.path, err)
	}
	return nil
}
