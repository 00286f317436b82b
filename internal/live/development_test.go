package live_test

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/internal/live"
)

// lines is a log that several goroutines write to.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func TestWarningsOfDevelopment(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, query string
		lost        bool // the query is made without the command's ctx
		rerun       bool
		quiet       bool // no development
		want        string
	}{
		{name: "plain", query: "select a from t where date(a) = '2026-01-01'"},
		{name: "the time", query: "select datetime('now')", want: "function=datetime"},
		{name: "the time without a word", query: "select datetime()", want: "function=datetime"},
		{name: "current_timestamp", query: "select current_timestamp", want: "function=current_timestamp"},
		{name: "chance", query: "select random() from t", want: "function=random"},
		{name: "the time, asked for again", query: "select datetime('now')", rerun: true},
		{name: "the time, not in development", query: "select datetime('now')", quiet: true},
		{name: "without ctx", query: "select a from t", lost: true, want: "missed_test.go:"},
		{name: "without ctx, not in development", query: "select a from t", lost: true, quiet: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			log := &lines{}
			logger := slog.New(slog.NewTextHandler(log, nil))
			db, err := sqlite.Driver().Open(database.OpenOptions{URL: filepath.Join(t.TempDir(), "app.db"), Log: logger, Development: !test.quiet})
			if err != nil {
				t.Fatal(err)
			}
			r := live.New(live.Options{Log: logger, Development: !test.quiet})
			write(t, db, "create table t(a)")
			s, err := r.Subscribe(live.Key{Command: "index"}, func(ctx context.Context) ([]byte, error) {
				if test.rerun {
					live.RerunAt(ctx, time.Now().Add(time.Hour))
				}
				if test.lost {
					ctx = context.Background()
				}
				value, err := result(ctx, db, test.query, nil)
				return []byte(value), err
			})
			if err != nil {
				t.Fatal(err)
			}
			if u := <-s.Updates(); u.Err != nil {
				t.Error(u.Err)
			}
			r.Close()
			if err := db.Close(); err != nil {
				t.Error(err)
			}
			if got := log.String(); !strings.Contains(got, test.want) || (test.want == "") != (got == "") {
				t.Errorf("logged %q, want %q", got, test.want)
			}
		})
	}
}
