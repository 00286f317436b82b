//go:build unix

package host

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// alive reports whether a process group has members.
func alive(group int) bool { return syscall.Kill(-group, 0) == nil }

// ownerVariable makes this test binary a program that uses servers until it is killed. Its value is the folder for that.
const ownerVariable = "ELYRA_HOST_TEST_OWNER"

// TestOwner is that program, not a test.
func TestOwner(t *testing.T) {
	dir := os.Getenv(ownerVariable)
	if dir == "" {
		return
	}
	f := newFixture(t)
	f.starts = dir + "/starts"
	f.open(nil, f.program("good", "good"), f.program("stubborn", "stubborn"), f.program("noisy", "noisy"))
	for _, name := range []string{"good", "stubborn", "noisy"} {
		if _, err := f.call(name, "pid", `{}`); err != nil {
			t.Fatal(err)
		}
	}
	println("ready")
	time.Sleep(time.Minute)
}

// abruptEnds is how often a program is killed. ELYRA_ABRUPT_ENDS says how often instead.
const abruptEnds = 10

func TestNothingIsLeftOfAProgramThatWasKilled(t *testing.T) {
	t.Parallel()
	ends := abruptEnds
	if text := os.Getenv("ELYRA_ABRUPT_ENDS"); text != "" {
		var err error
		if ends, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	free := make(chan struct{}, 5)
	var mu sync.Mutex
	var groups []int
	for range ends {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			started := kill(t)
			mu.Lock()
			defer mu.Unlock()
			groups = append(groups, started...)
		})
	}
	wg.Wait()
	left := 0
	for end := time.Now().Add(15 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		left = 0
		for _, g := range groups {
			if alive(g) {
				left++
			}
		}
		if left == 0 || time.Now().After(end) {
			break
		}
	}
	t.Logf("%d programs with %d servers were killed; %d process groups are left", ends, len(groups), left)
	if left > 0 || len(groups) != 3*ends {
		t.Errorf("%d of %d groups are left", left, len(groups))
	}
}

// kill starts a program that uses servers, kills it, and returns the groups of its servers.
func kill(t *testing.T) []int {
	dir := t.TempDir()
	owner := exec.Command(os.Args[0], "-test.run", "^TestOwner$")
	owner.Env = append(os.Environ(), ownerVariable+"="+dir)
	out, err := owner.StderrPipe()
	if err != nil {
		t.Error(err)
		return nil
	}
	if err := owner.Start(); err != nil {
		t.Error(err)
		return nil
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "ready" {
		t.Errorf("the program said %q, %v", line, err)
	}
	if err := owner.Process.Kill(); err != nil {
		t.Error(err)
	}
	owner.Wait() //nolint:errcheck // It was killed.
	f := &fixture{t: t, starts: dir + "/starts"}
	var groups []int
	for _, name := range []string{"good", "stubborn", "noisy"} {
		groups = append(groups, f.started(name)...)
	}
	return groups
}
