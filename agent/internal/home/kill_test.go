package home

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"
)

// childVariable makes the test binary a process that rewrites a file in the folder it names until it is killed.
const childVariable = "ELYRA_TEST_HOME_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childVariable); path != "" {
		fmt.Fprintln(os.Stderr, rewrite(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// content is one of the file's contents: long enough to be written in several pieces, and the same letter all over.
func content(round int) []byte {
	return bytes.Repeat([]byte{'a' + byte(round%26)}, 300_000+round%7)
}

func rewrite(path string) error {
	d, err := Open(path)
	if err != nil {
		return err
	}
	for round := 0; ; round++ {
		err := d.Update(context.Background(), "f", func([]byte) ([]byte, error) { return content(round), nil })
		if err != nil {
			return err
		}
		if round == 0 {
			fmt.Println("written")
		}
	}
}

// whole reads the file and wants one round's content, all of it.
func whole(t *testing.T, d *Dir) {
	t.Helper()
	got, err := d.Read("f")
	if err != nil || len(got) < 300_000 || len(got) > 300_006 || bytes.Count(got, got[:1]) != len(got) {
		t.Fatalf("%d bytes, %v: torn", len(got), err)
	}
}

// TestKilledAtAnyMoment reads while a process writes, kills it, and looks whether it left a whole file and a lock that
// can be had.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	d := open(t)
	for range 12 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVariable+"="+d.Path())
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		t.Cleanup(func() {
			cmd.Process.Kill() //nolint:errcheck // It is gone unless the test has failed.
			cmd.Wait()         //nolint:errcheck // As above.
		})
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Errorf("the writer did not begin: %v", err)
		}
		for until := time.Now().Add(time.Duration(rand.IntN(50_000)) * time.Microsecond); time.Now().Before(until); {
			whole(t, d)
		}
		must(t, cmd.Process.Kill())
		cmd.Wait() //nolint:errcheck // It was killed.

		whole(t, d)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		unlock, err := d.Lock(ctx, "f")
		cancel()
		must(t, err)
		unlock()
	}
}
