//go:build unix

package process

import (
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// gone waits until a group has no members. The system reaps orphans when it comes to it.
func gone(t *testing.T, g Group) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); syscall.Kill(-g.id, 0) == nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("group %d is still there", g.id)
		}
	}
}

func TestAGroupEndsAsAWhole(t *testing.T) {
	t.Parallel()
	for _, start := range map[string]func(*exec.Cmd) (Group, error){"group": Start, "session": StartSession} {
		for _, end := range []func(Group){Group.Kill, Group.Terminate} {
			cmd := exec.Command("sh", "-c", "sleep 60 & sleep 60")
			g, err := start(cmd)
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond) // for the child of the child
			end(g)
			cmd.Wait() //nolint:errcheck // A signal ended it.
			gone(t, g)
			g.Release()
		}
	}
	if _, err := Start(exec.Command("/does/not/exist")); err == nil {
		t.Error("a program that does not exist was started")
	}
}
