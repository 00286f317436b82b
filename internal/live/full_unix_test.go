//go:build unix

package live_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/internal/live"
)

// fullEnv tells this test binary to be an app on a disk without space: it holds the path of the
// database.
const fullEnv = "ELYRA_TEST_FULL_DISK"

// TestADiskThatIsFull has the system refuse to let any file grow, which is where a full disk is met: in
// the middle of a commit. The limit is that of a process, so another one has it.
func TestADiskThatIsFull(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fullEnv+"="+filepath.Join(t.TempDir(), "full.db"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func onAFullDisk(path string) (err error) {
	ctx := context.Background()
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: path})
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "create table note(id integer primary key, text blob); insert into note values (1, 'first')"); err != nil {
		return err
	}
	r := live.New(live.Options{})
	defer r.Close()
	var published atomic.Int64
	h, _ := database.HandleOf(db)
	defer h.OnCommit(func(w database.Writes) {
		published.Add(1)
		r.Committed(w)
	})()
	const text = "select count(*), min(text) from note"
	s, err := r.Subscribe(live.Key{Command: text}, func(ctx context.Context) ([]byte, error) {
		value, err := result(ctx, db, text, nil)
		return []byte(value), err
	})
	if err != nil {
		return err
	}
	first := <-s.Updates()
	return errors.Join(first.Err, whileNothingGrows(path, func() error { return refused(ctx, db, s, &published) }), settled(ctx, db, s))
}

// whileNothingGrows calls fn while no file may become much larger than the log of the database is.
func whileNothingGrows(path string, fn func() error) error {
	log, err := os.Stat(path + "-wal")
	if err != nil {
		return err
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	full := limit
	full.Cur = uint64(log.Size()) + 10_000
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full); err != nil {
		return err
	}
	return errors.Join(fn(), syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
}

// refused makes writes that do not fit: alone, with rows, and in a transaction that fails only when it is
// committed.
func refused(ctx context.Context, db *sql.DB, s *live.Subscription, published *atomic.Int64) error {
	const large = "insert into note(text) values (zeroblob(300000))"
	_, alone := db.ExecContext(ctx, large)
	var id int
	rows := db.QueryRowContext(ctx, large+" returning id").Scan(&id)
	committed := database.Transact(ctx, db, func(ctx context.Context) error {
		if _, err := db.ExecContext(ctx, large); err != nil {
			return fmt.Errorf("inside, where there is room: %w", err)
		}
		return nil
	})
	var errs []error
	for what, err := range map[string]error{"alone": alone, "with rows": rows, "at its commit": committed} {
		if err == nil || !strings.Contains(err.Error(), "check the disk and its space") && !strings.Contains(err.Error(), "the disk is full") {
			errs = append(errs, fmt.Errorf("a write %s that does not fit: %v", what, err))
		}
	}
	if !strings.Contains(fmt.Sprint(committed), "transact: commit: ") {
		errs = append(errs, fmt.Errorf("the transaction ended with: %v", committed))
	}
	time.Sleep(300 * time.Millisecond) // longer than the look for other programs
	if n := published.Load(); n > 0 {
		errs = append(errs, fmt.Errorf("%d commits were told", n))
	}
	select {
	case u := <-s.Updates():
		errs = append(errs, fmt.Errorf("pushed %q, %v", u.Value, u.Err))
	default:
	}
	return errors.Join(errs...)
}

// settled makes a write that fits again.
func settled(ctx context.Context, db *sql.DB, s *live.Subscription) error {
	if _, err := db.ExecContext(ctx, "insert into note(text) values ('second')"); err != nil {
		return fmt.Errorf("with room again: %w", err)
	}
	select {
	case u := <-s.Updates():
		if !strings.Contains(string(u.Value), "2") || u.Err != nil {
			return fmt.Errorf("with room again: pushed %q, %w", u.Value, u.Err)
		}
		return nil
	case <-time.After(10 * time.Second):
		return errors.New("with room again: nothing was pushed")
	}
}
