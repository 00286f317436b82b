package liveload

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	lib "modernc.org/sqlite"
)

// Side is a database in which the cost of statements is measured.
type Side struct {
	*sql.DB
	ctx context.Context // records what is read
	i   int             // of the next statement
}

// Tracked opens the tracked driver. With watched, somebody depends on single rows of the table, and on
// the commits of other programs.
func Tracked(ctx context.Context, dir string, watched bool) (*Side, error) {
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: filepath.Join(dir, fmt.Sprintf("tracked-%v.db", watched))})
	if err != nil {
		return nil, err
	}
	s := &Side{DB: db, ctx: database.WithRecorder(ctx, nobody{})}
	if err := s.fill(); err != nil || !watched {
		return s, err
	}
	h, _ := database.HandleOf(db)
	h.Watch() // until db is closed
	return s, s.readOne()
}

// Raw opens the library under it with the same settings.
func Raw(ctx context.Context, dir string) (*Side, error) {
	connector, err := lib.NewConnector("file:" + filepath.ToSlash(filepath.Join(dir, "raw.db")) +
		"?_journal_mode=WAL&_synchronous=NORMAL&_foreign_keys=1&_busy_timeout=5000")
	if err != nil {
		return nil, err
	}
	s := &Side{DB: sql.OpenDB(connector), ctx: ctx}
	return s, s.fill()
}

func (s *Side) fill() error { return create(s.ctx, s.DB, Members) }

// Rounds does the same on all sides in turns, for rounds of a length, and gives the nanoseconds that
// one operation of each took in each round. The first round of each warms up and does not count.
func Rounds(rounds int, length time.Duration, do func(*Side) error, sides ...*Side) ([][]float64, error) {
	all := make([][]float64, len(sides))
	for round := range rounds + 1 {
		for at, s := range sides {
			start, n := time.Now(), 0
			for ; time.Since(start) < length; n++ {
				if err := do(s); err != nil {
					return nil, err
				}
			}
			if round > 0 {
				all[at] = append(all[at], float64(time.Since(start))/float64(n))
			}
		}
	}
	return all, nil
}

// ReadOne reads one row.
func ReadOne(s *Side) error { return s.readOne() }

func (s *Side) readOne() error {
	s.i++
	_, err := memberOf(s.i%Members)(s.ctx, s.DB)
	return err
}

// ReadPage reads the fifty rows of one key of an index.
func ReadPage(s *Side) error {
	s.i++
	_, err := pageOf(s.i%Teams)(s.ctx, s.DB)
	return err
}

// WriteOne changes one row. The name is another one each time: SQLite writes no page that stays the same.
func WriteOne(s *Side) error {
	s.i++
	_, err := s.ExecContext(s.ctx, "update member set name = ? where id = ?", strconv.Itoa(s.i), s.i%Members)
	return err
}

// nobody is told what statements read and forgets it.
type nobody struct{}

func (nobody) From(database.Handle)                  {}
func (nobody) Read(string)                           {}
func (nobody) ReadRows(string, []database.Condition) {}
func (nobody) Volatile(string)                       {}
func (nobody) ReadEverything()                       {}
