//go:build unix

package endpoint

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nobody is the user of the other user's process: any but ours.
func nobody() int {
	const uid = 65534
	if os.Geteuid() == uid {
		return uid - 1
	}
	return uid
}

// TestMain lets the test binary be a process of another user.
func TestMain(m *testing.M) {
	if what := os.Getenv("ENDPOINT_TEST_STRANGER"); what != "" {
		if err := strange(what, os.Getenv("ENDPOINT_TEST_PATH")); err != nil {
			fmt.Println(err)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// strange does what a stranger would, and says what came of it.
func strange(what, path string) error {
	switch what {
	case "read":
		_, err := os.ReadFile(path)
		return err
	case "list":
		_, err := os.ReadDir(path)
		return err
	case "call":
		conn, err := net.Dial("unix", path)
		if err != nil {
			return err
		}
		conn.SetDeadline(time.Now().Add(10 * time.Second))
		io.WriteString(conn, `{"elyra":1,"nonce":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="}`+"\n")
		heard, err := io.ReadAll(conn)
		fmt.Printf("heard %q\n", heard)
		return err
	case "squat":
		l, err := net.Listen("unix", path)
		if err != nil {
			return err
		}
		if err := os.Chmod(path, 0o777); err != nil {
			return err
		}
		fmt.Println("squatting")
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		heard, err := io.ReadAll(conn)
		fmt.Printf("heard %q\n", heard)
		return err
	}
	return fmt.Errorf("a stranger cannot %s", what)
}

// stranger starts a process of another user, which only root can do. Anybody else gets one of their own, and the
// listener or dialer of o is told by its kernel that it is another's.
func stranger(t *testing.T, o *Options, what, path string) *bufio.Reader {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	program, err := os.ReadFile(self)
	must(t, err)
	// The folder that go test builds in is closed to others.
	dir := shortDir(t)
	must(t, os.Chmod(dir, 0o755))
	copied := filepath.Join(dir, "stranger")
	must(t, os.WriteFile(copied, program, 0o755))
	cmd := exec.Command(copied)
	cmd.Env = []string{"ENDPOINT_TEST_STRANGER=" + what, "ENDPOINT_TEST_PATH=" + path}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(nobody()), Gid: uint32(nobody())}}
	} else {
		t.Log("not root: the other user's process is one of ours whom the kernel is said to call another's")
		o.system.peerUID = func(net.Conn) (int, bool) { return nobody(), true }
	}
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return bufio.NewReader(out)
}

// TestAnotherUsersProcess tries the files of a running app, and then its socket with the folders opened wide by mistake.
func TestAnotherUsersProcess(t *testing.T) {
	t.Parallel()
	visible := func(t *testing.T) Options {
		base := shortDir(t)
		must(t, os.Chmod(base, 0o755))
		runtimeDir := filepath.Join(base, "run")
		must(t, os.Mkdir(runtimeDir, 0o755))
		return Options{AppID: "app", Paths: Paths{ConfigDir: filepath.Join(base, "config"), RuntimeDir: runtimeDir}}
	}
	t.Run("finds every door closed", func(t *testing.T) {
		t.Parallel()
		o := visible(t)
		l := listen(t, o, echo)
		if os.Geteuid() != 0 {
			t.Log("not root: what the folders keep away is seen by their modes alone, in TestFilesAreOursAlone")
			return
		}
		must(t, os.Chmod(o.Paths.ConfigDir, 0o755))
		for what, path := range map[string]string{"list": o.dir(), "read": o.tokenPath(), "call": l.bound.where.Address} {
			if said, _ := stranger(t, &o, what, path).ReadString('\n'); !strings.Contains(said, "permission denied") {
				t.Errorf("%s %s: the stranger says %q, want that it was denied", what, path, said)
			}
		}
	})
	t.Run("as a client", func(t *testing.T) {
		t.Parallel()
		o := visible(t)
		path := filepath.Join(o.Paths.RuntimeDir, "elyra")
		must(t, os.Mkdir(path, 0o700))
		if os.Geteuid() != 0 {
			o.system.peerUID = func(net.Conn) (int, bool) { return nobody(), true }
		}
		l := listen(t, o, func(context.Context, net.Conn, Peer) { t.Error("another user's process was served") })
		must(t, os.Chmod(path, 0o755))
		must(t, os.Chmod(l.bound.where.Address, 0o777))
		said := stranger(t, &o, "call", l.bound.where.Address)
		if line, _ := said.ReadString('\n'); line != "heard \"\"\n" && !strings.Contains(line, "reset by peer") && !strings.Contains(line, "broken pipe") {
			t.Errorf("the stranger %s; want nothing", line)
		}
	})
	t.Run("as the app", func(t *testing.T) {
		t.Parallel()
		o := visible(t)
		l := listen(t, o, echo)
		crash(t, l)
		must(t, os.Remove(l.bound.where.Address))
		must(t, os.Chmod(filepath.Dir(l.bound.where.Address), 0o777))
		said := stranger(t, &o, "squat", l.bound.where.Address)
		if line, err := said.ReadString('\n'); line != "squatting\n" {
			t.Fatalf("the stranger says %q, %v", line, err)
		}
		_, _, err := Dial(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("is a program of user %d", nobody())) || errors.Is(err, ErrNotRunning) {
			t.Errorf("Dial: %v", err)
		}
		if line, _ := said.ReadString('\n'); line != "heard \"\"\n" {
			t.Errorf("the stranger %s; want nothing", line)
		}
	})
}

// TestFoldersOfAnotherUser has root give one folder of an install away, as a program run through sudo would.
func TestFoldersOfAnotherUser(t *testing.T) {
	t.Parallel()
	for name, which := range map[string]func(o Options) string{
		"of the app":    func(o Options) string { return o.Paths.ConfigDir },
		"of the token":  Options.dir,
		"the token":     Options.tokenPath,
		"the pointer":   Options.pointerPath,
		"of the socket": func(o Options) string { return filepath.Join(o.Paths.RuntimeDir, "elyra") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := install(t, false)
			crash(t, listen(t, o, echo))
			owner := nobody()
			if os.Geteuid() == 0 {
				must(t, os.Chown(which(o), nobody(), nobody()))
			} else {
				t.Log("not root: all of the install belongs to another user than the one that we are said to be")
				owner = os.Geteuid()
				o.system.uid = nobody
			}
			l, err := Listen(t.Context(), o, echo)
			if l != nil {
				l.Close(t.Context())
			}
			if want := fmt.Sprintf("belongs to user %d", owner); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("Listen: %v, want an error with %q", err, want)
			}
		})
	}
}

// TestAReplayOverTheSocket listens in on a handshake and repeats the client's half of it to the app.
func TestAReplayOverTheSocket(t *testing.T) {
	t.Parallel()
	o := install(t, false)
	served := make(chan struct{}, 2)
	l := listen(t, o, func(context.Context, net.Conn, Peer) { served <- struct{}{} })
	path := l.bound.where.Address
	must(t, os.Rename(path, path+"2"))
	between, err := net.Listen("unix", path)
	must(t, err)
	defer between.Close()
	var heard bytes.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := between.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		app, err := net.Dial("unix", path+"2")
		if err != nil {
			t.Error(err)
			return
		}
		defer app.Close()
		go io.Copy(conn, app)
		io.Copy(io.MultiWriter(app, &heard), conn)
	}()
	conn, _, err := Dial(t.Context(), o)
	must(t, err)
	<-served
	conn.Close()
	<-done
	again, err := net.Dial("unix", path+"2")
	must(t, err)
	defer again.Close()
	again.SetDeadline(time.Now().Add(10 * time.Second))
	again.Write(heard.Bytes())
	answer, _ := io.ReadAll(again)
	if lines := bytes.Count(answer, []byte("\n")); lines > 1 || len(served) > 0 {
		t.Errorf("an old handshake was answered with %d lines and served %d times; want one challenge and no service", lines, len(served))
	}
}
