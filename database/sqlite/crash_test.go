package sqlite_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
)

// crashEnv tells this test binary to be the process that is killed: it holds the path of the
// database.
const crashEnv = "ELYRA_TEST_CRASH_DATABASE"

func TestMain(m *testing.M) {
	if path := os.Getenv(crashEnv); path != "" {
		fmt.Println(writeUntilKilled(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// writeUntilKilled commits a hundred rows one by one, says so, and goes on writing in a
// transaction that never ends.
func writeUntilKilled(path string) error {
	db, err := sqlite.Driver().Open(database.OpenOptions{URL: path})
	if err != nil {
		return err
	}
	if _, err := db.Exec("create table t(id integer primary key, s text)"); err != nil {
		return err
	}
	for range 100 {
		if _, err := db.Exec("insert into t(s) values ('committed')"); err != nil {
			return err
		}
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		// Enough to spill into the log before any commit.
		if _, err := tx.Exec("insert into t(s) values (?)", strings.Repeat("never ", 4000)); err != nil {
			return err
		}
		if i == 300 {
			fmt.Println("writing")
		}
	}
}

func TestKilledInATransaction(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "crash.db")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashEnv+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "writing\n" {
		t.Errorf("the process said %q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait() // says that it was killed
	if t.Failed() {
		return
	}

	db := openAt(t, path)
	var verdict string
	if err := db.QueryRowContext(t.Context(), "pragma integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity: %q, %v", verdict, err)
	}
	if n := db.int(t.Context(), "select count(*) from t"); n != 100 {
		t.Errorf("%d rows, want the 100 that were committed", n)
	}
	db.exec(t.Context(), "insert into t(s) values ('after')")
}
