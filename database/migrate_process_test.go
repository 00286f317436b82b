package database_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
	"github.com/elyra-go/elyra/database/sqlite"
)

// migrateEnv tells this test binary to be a program that starts and migrates: it holds the
// path or the URL of the database. stuckEnv has it run the migrations that do not end.
const (
	migrateEnv = "ELYRA_TEST_MIGRATE_DATABASE"
	stuckEnv   = "ELYRA_TEST_MIGRATE_STUCK"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(migrateEnv); address != "" {
		if err := startAndMigrate(address); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// startAndMigrate waits for a line on stdin, so that several processes go at once, and says how
// many migrations it applied.
func startAndMigrate(address string) error {
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	db, err := driverFor(address).Open(database.OpenOptions{URL: address})
	if err != nil {
		return err
	}
	migrations := files
	if os.Getenv(stuckEnv) != "" {
		migrations = stuck
	}
	n, err := database.Migrate(context.Background(), db, migrations, database.MigrateOptions{})
	fmt.Println(n)
	return errors.Join(err, db.Close())
}

func driverFor(address string) database.Driver {
	if strings.HasPrefix(address, "postgres:") {
		return postgres.Driver()
	}
	return sqlite.Driver()
}

func TestProcessesThatStartAtOnceMigrateOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "folder", "app.db")
	type process struct {
		*exec.Cmd
		start io.Writer
		out   *strings.Builder
	}
	var all []process
	for range 4 {
		p := process{Cmd: exec.Command(os.Args[0]), out: &strings.Builder{}}
		p.Env = append(os.Environ(), migrateEnv+"="+path)
		p.Stdout, p.Stderr = p.out, p.out
		in, err := p.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		p.start = in
		all = append(all, p)
	}
	for _, p := range all {
		if _, err := p.start.Write([]byte("go\n")); err != nil {
			t.Error(err)
		}
	}
	total := 0
	for _, p := range all {
		if err := p.Wait(); err != nil {
			t.Errorf("%v: %s", err, p.out)
			continue
		}
		var n int
		if _, err := fmt.Sscan(p.out.String(), &n); err != nil {
			t.Errorf("%v: %s", err, p.out)
		}
		total += n
	}
	if total != 3 {
		t.Errorf("%d migrations were applied by all together, want 3", total)
	}
	var seeds int
	if err := openAt(t, path).QueryRowContext(t.Context(), "select count(*) from things").Scan(&seeds); err != nil || seeds != 1 {
		t.Errorf("seeded %d times, %v", seeds, err)
	}
}

// stuck are migrations of which the second does not end by itself, after it has written much.
var stuck = fstest.MapFS{
	"sqlite/00001_things.sql": files["sqlite/00001_things.sql"],
	"sqlite/00002_big.sql": {Data: []byte("-- +goose Up\ncreate table big(text text);\n" +
		"insert into big with recursive n(i) as (select 1 union all select i+1 from n where i < 20000) select hex(randomblob(500)) from n;\n" +
		"delete from things;\ninsert into things with recursive n(i) as (select 1 union all select i+1 from n) select i, 'endless' from n;\n")},
	"postgres/00001_things.sql": files["sqlite/00001_things.sql"],
	"postgres/00002_big.sql":    {Data: []byte("-- +goose Up\ncreate table big(text text);\ninsert into big values ('half');\nselect pg_sleep(5);\n")},
}

// startStuck runs the migrations that do not end in a process of its own.
func startStuck(t *testing.T, address string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), migrateEnv+"="+address, stuckEnv+"=1")
	cmd.Stdin = strings.NewReader("go\n")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

// await polls until something holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within 30 s", what)
		}
	}
}

// checkKilled kills the process in the middle of its second migration, and looks at what is left.
func checkKilled(t *testing.T, db *sql.DB, cmd *exec.Cmd) {
	t.Helper()
	// Somebody who comes meanwhile is told whom they wait for.
	_, err := database.Migrate(t.Context(), db, stuck, database.MigrateOptions{Wait: 50 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "another process migrates the database: ") || !strings.Contains(err.Error(), "waited for 50ms") {
		t.Errorf("locked: %v", err)
	}
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d.", cmd.Process.Pid)) && !strings.Contains(err.Error(), "the server's process ") &&
		runtime.GOOS != "windows" { // where nobody reads a file that is locked
		t.Errorf("the error does not say who: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // says that it was killed
	if got := fmt.Sprint(applied(t, db, stuck)); got != "[1]" {
		t.Errorf("applied: %s", got)
	}
	if _, err := db.ExecContext(t.Context(), "select text from big"); err == nil {
		t.Error("half of the migration is there")
	}
	mended := fstest.MapFS{"00001_things.sql": files["sqlite/00001_things.sql"], "00002_big.sql": {Data: []byte("-- +goose Up\ncreate table big(text text);\n")}}
	if n, err := database.Migrate(t.Context(), db, mended, database.MigrateOptions{}); n != 1 || err != nil {
		t.Errorf("the next start: %d, %v", n, err)
	}
}

func TestKilledInTheMiddleOfAMigration(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "test.db")
	cmd := startStuck(t, path)
	await(t, "the migration writes", func() bool {
		info, err := os.Stat(path + "-wal")
		return err == nil && info.Size() > 4<<20
	})
	checkKilled(t, openAt(t, path), cmd)
}
