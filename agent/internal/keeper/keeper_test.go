//go:build unix

package keeper

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// role says what this test binary is when it is started as another program.
const role = "ELYRA_KEEPER_TEST"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "keeper":
		Run(os.Stdin)
	case "owner":
		own()
	default:
		os.Exit(m.Run())
	}
}

// self is this test binary in a role.
func self(as string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"="+as)
	return cmd
}

// own starts a stubborn group, has it watched, prints its number and waits to be killed.
func own() {
	k := New(func() *exec.Cmd { return self("keeper") })
	stubborn := stubbornGroup()
	if err := stubborn.Start(); err != nil {
		panic(err)
	}
	k.Watch(stubborn.Process.Pid)
	fmt.Println(stubborn.Process.Pid)
	time.Sleep(time.Minute)
}

// stubbornGroup is a group of two that ignores the end of its input.
func stubbornGroup() *exec.Cmd {
	cmd := exec.Command("sh", "-c", "sleep 60 & sleep 60")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd
}

// wait waits until a group is gone.
func wait(t *testing.T, group int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); alive(group); time.Sleep(look) {
		if time.Now().After(end) {
			t.Fatalf("group %d is still there", group)
		}
	}
}

func TestAKilledOwnerLeavesNothing(t *testing.T) {
	t.Parallel()
	owner := self("owner")
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
	group, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || !alive(group) {
		t.Fatalf("group %q: %v", line, err)
	}
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	owner.Wait() //nolint:errcheck // It was killed.
	wait(t, group)
}

func TestAGroupThatIsGoneIsForgotten(t *testing.T) {
	t.Parallel()
	k := New(func() *exec.Cmd { return self("keeper") })
	mine := stubbornGroup()
	if err := mine.Start(); err != nil {
		t.Fatal(err)
	}
	k.Watch(mine.Process.Pid)()
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	if !alive(mine.Process.Pid) {
		t.Error("the keeper ended a group that was taken back")
	}
	kill(mine.Process.Pid)
	mine.Wait() //nolint:errcheck // It was killed.
}

func TestCloseEndsWhatIsLeft(t *testing.T) {
	t.Parallel()
	k := New(func() *exec.Cmd { return self("keeper") })
	mine := stubbornGroup()
	if err := mine.Start(); err != nil {
		t.Fatal(err)
	}
	go mine.Wait() //nolint:errcheck // Reaps it.
	k.Watch(mine.Process.Pid)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	wait(t, mine.Process.Pid)
}

func TestAKeeperThatCannotStart(t *testing.T) {
	t.Parallel()
	k := New(func() *exec.Cmd { return exec.Command("/does/not/exist") })
	k.Watch(12345)()
	if err := k.Err(); err == nil || !strings.Contains(err.Error(), "start the keeper") {
		t.Errorf("error %v", err)
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}

func TestNoKeeper(t *testing.T) {
	t.Parallel()
	var k Keeper
	k.Watch(12345)()
	if k.Err() != nil || k.Close() != nil {
		t.Error("a zero keeper has something to say")
	}
}

func TestReadPassesOverWhatSaysNothing(t *testing.T) {
	t.Parallel()
	got := read(strings.NewReader("+10\n+11\n\nx\n+\n+1\n+0\n+-5\n-11\n+99999999999999999999\n+12\n"))
	if len(got) != 2 || !got[10] || !got[12] {
		t.Errorf("groups %v", got)
	}
}
