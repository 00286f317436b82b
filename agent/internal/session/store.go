package session

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
	"github.com/elyra-go/elyra/agent/internal/model"
)

const (
	folderName = "sessions"
	suffix     = ".jsonl"
	nameTime   = "2006-01-02T15-04-05.000Z"
	maxFile    = 1 << 30 // bytes of a file that is opened
)

// Options configure New.
type Options struct {
	Now  func() time.Time // nil: time.Now
	Rand io.Reader        // nil: crypto/rand; ids come from it
	// Summary makes the message that stands for what was summarised. Nil: the text, as the user's.
	Summary func(text string) model.Message
}

// Store is all sessions of the agent's folder.
type Store struct {
	dir *home.Dir
	o   Options
}

// New returns the sessions in the agent's folder.
func New(dir *home.Dir, o Options) *Store {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Summary == nil {
		o.Summary = func(text string) model.Message {
			return model.Message{Role: model.User, Content: []model.Block{model.Text(text)}}
		}
	}
	return &Store{dir, o}
}

func (st *Store) now() time.Time { return st.o.Now().UTC().Truncate(time.Millisecond) }

// random returns an id of n bytes in hex. A system without randomness does not come here.
func (st *Store) random(n int) string {
	id := make([]byte, n)
	io.ReadFull(st.o.Rand, id) //nolint:errcheck // crypto/rand does not fail, and ids are no secrets.
	return hex.EncodeToString(id)
}

func (st *Store) entryID(taken map[string]int) string {
	for {
		id := st.random(4)
		if _, ok := taken[id]; !ok {
			return id
		}
	}
}

// Create returns a new session of a working directory. There is no file before its first entry.
func (st *Store) Create(cwd string) (*Session, error) {
	return st.create(Header{Cwd: cwd}, nil, nil)
}

// CreateChild is Create for an agent that works for the one with the session owner.
func (st *Store) CreateChild(cwd, owner string) (*Session, error) {
	return st.create(Header{Cwd: cwd, Owner: owner}, nil, nil)
}

// create returns a new session that begins with entries. The rest of the header is filled in.
func (st *Store) create(h Header, from *content, indices []int) (*Session, error) {
	h.Type, h.Version, h.ID, h.Created = "session", version, st.random(8), st.now()
	text, err := line(h)
	if err != nil {
		return nil, fmt.Errorf("create a session: %w", err)
	}
	s := &Session{store: st, c: &content{header: h, byID: map[string]int{}}, pending: text}
	for _, at := range indices {
		e := from.entries[at]
		if e.Parent = ""; len(s.c.entries) > 0 {
			e.Parent = s.c.entries[len(s.c.entries)-1].ID
		}
		s.c.add(e)
		e.Sum = s.c.sum
		if text, err = line(e); err != nil {
			return nil, fmt.Errorf("create a session: %w", err)
		}
		s.pending = append(s.pending, text...)
	}
	s.leaf = len(s.c.entries) - 1
	name := h.Created.Format(nameTime) + "_" + h.ID + suffix
	s.path = st.dir.Path(folderName, encode(h.Cwd), name)
	return s, nil
}

// Open opens a session to go on with it. [ErrInUse] says that another process does.
func (st *Store) Open(path string) (_ *Session, err error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open session: %w", err)
	}
	unlock, err := lock(path)
	if err != nil {
		return nil, fmt.Errorf("open session %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	c, data, err := read(path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, fmt.Errorf("open session: %w", err)
	}
	if err := mend(f, path, c, data); err != nil {
		return nil, errors.Join(fmt.Errorf("open session %s: %w", path, err), f.Close())
	}
	s := &Session{store: st, path: path, c: c, file: f, unlock: unlock, size: c.whole}
	s.leaf = c.next(len(c.entries) - 1)
	return s, nil
}

// read reads a file without changing it.
func read(path string) (*content, []byte, error) {
	data, err := home.ReadFile(path, maxFile)
	if err != nil {
		return nil, nil, fmt.Errorf("open session: %w", err)
	}
	c := parse(path, data)
	if c.header.Version > version {
		return nil, nil, fmt.Errorf("open session %s: a later elyra wrote it (version %d): update elyra", path, c.header.Version)
	}
	return c, data, nil
}

// mend makes the end of a file one that can be appended to. What a crash has left of a line is kept beside the file.
func mend(f *os.File, path string, c *content, data []byte) error {
	if torn := data[c.whole:]; len(torn) > 0 {
		if err := home.WriteFile(path+".torn", torn, 0o600); err != nil {
			return err
		}
		if err := f.Truncate(c.whole); err != nil {
			return err
		}
	}
	if c.open {
		if _, err := f.WriteString("\n"); err != nil {
			return err
		}
		c.whole++
	}
	return nil
}

// Fork returns a new session of a working directory that begins with what the session at path holds up to an entry, ""
// for all of its last branch. The other may be in use meanwhile, and stays as it is.
func (st *Store) Fork(path, at, cwd string) (*Session, error) {
	c, _, err := read(path)
	if err != nil {
		return nil, err
	}
	leaf := c.next(len(c.entries) - 1)
	if at != "" {
		var ok bool
		if leaf, ok = c.byID[at]; !ok {
			return nil, fmt.Errorf("fork session %s at %q: %w", path, at, ErrNoEntry)
		}
	}
	s, err := st.create(Header{Cwd: cwd, Parent: c.header.ID}, c, c.path(leaf))
	if err == nil {
		err = s.adopt(filepath.Join(filepath.Dir(path), blobFolder))
	}
	return s, err
}

// encode turns a working directory into the name of a folder. Two may share one: the header says which it is.
func encode(cwd string) string {
	const most = 180 // with the rest, below the 255 bytes that file systems take
	name := strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:<>"|?*`, r) || r == 0x7f || r == 0xfffd {
			return '-'
		}
		return r
	}, strings.Trim(cwd, `/\`))
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "-" + hashOf([]byte(cwd))[:8]
	}
	return "--" + name + "--"
}
