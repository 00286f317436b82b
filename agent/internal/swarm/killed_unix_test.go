//go:build unix

package swarm

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A parent that is killed leaves neither children, also none that does not look at its input, nor servers.
func TestAKilledParentLeavesNothing(t *testing.T) {
	t.Parallel()
	owner := exec.Command(os.Args[0], ownerArgument, t.TempDir())
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, word := range strings.Fields(line) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	if len(pids) != 4 {
		t.Fatalf("a server and three children: %q", line)
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); err != nil {
			t.Errorf("process %d is gone already", pid)
		}
	}
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	owner.Wait() //nolint:errcheck // It was killed.
	for _, pid := range pids {
		for end := time.Now().Add(10 * time.Second); syscall.Kill(-pid, 0) == nil; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("process %d is still there", pid)
				syscall.Kill(-pid, syscall.SIGKILL) //nolint:errcheck // It is in the way of nobody then.
			}
		}
	}
}
