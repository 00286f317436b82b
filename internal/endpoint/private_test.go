//go:build unix

package endpoint

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestUnsafeFilesAreRefused damages an install that ran before, and starts and dials it.
func TestUnsafeFilesAreRefused(t *testing.T) {
	t.Parallel()
	link := func(t *testing.T, path string) {
		must(t, os.Rename(path, path+".real"))
		must(t, os.Symlink(path+".real", path))
	}
	cases := []struct {
		name      string
		damage    func(t *testing.T, o *Options)
		listenErr string // "" means that Listen must repair it
		dialErr   string
	}{
		{
			"token readable by others", func(t *testing.T, o *Options) { must(t, os.Chmod(o.tokenPath(), 0o644)) },
			"mode 0644", "mode 0644",
		},
		{"token is a link", func(t *testing.T, o *Options) { link(t, o.tokenPath()) }, "symbolic link", "symbolic link"},
		{"token cannot be read", func(t *testing.T, o *Options) {
			must(t, os.Remove(o.tokenPath()))
			must(t, os.Mkdir(o.tokenPath(), 0o700))
		}, "not a regular file", "not a regular file"},
		{
			"token too short", func(t *testing.T, o *Options) { must(t, os.WriteFile(o.tokenPath(), []byte("short"), 0o600)) },
			"5 bytes instead of 32", "5 bytes instead of 32",
		},
		{
			"token too long", func(t *testing.T, o *Options) { must(t, os.WriteFile(o.tokenPath(), make([]byte, 4096), 0o600)) },
			"longer than", "longer than",
		},
		{
			"pointer readable by others", func(t *testing.T, o *Options) { must(t, os.Chmod(o.pointerPath(), 0o640)) },
			"mode 0640", "mode 0640",
		},
		{"pointer is a link", func(t *testing.T, o *Options) { link(t, o.pointerPath()) }, "symbolic link", "symbolic link"},
		{"pointer is a named pipe", func(t *testing.T, o *Options) {
			must(t, os.Remove(o.pointerPath()))
			must(t, syscall.Mkfifo(o.pointerPath(), 0o600))
		}, "not a regular file", "not a regular file"},
		{
			"pointer is damaged", func(t *testing.T, o *Options) { must(t, os.WriteFile(o.pointerPath(), []byte("{"), 0o600)) },
			"", "read pointer file",
		},
		{"folder open to others", func(t *testing.T, o *Options) { must(t, os.Chmod(o.dir(), 0o750)) }, "mode 0750", "mode 0750"},
		{"folder is a link", func(t *testing.T, o *Options) { link(t, o.dir()) }, "symbolic link", "symbolic link"},
		{"everything is another user's", func(_ *testing.T, o *Options) {
			o.system.uid = func() int { return os.Geteuid() + 1 }
		}, "belongs to user", "belongs to user"},
		{"socket's folder open to others", func(t *testing.T, o *Options) {
			must(t, os.Chmod(filepath.Join(o.Paths.RuntimeDir, "elyra"), 0o755))
		}, "mode 0755", "not running"},
		{
			"socket's folder is a link", func(t *testing.T, o *Options) { link(t, filepath.Join(o.Paths.RuntimeDir, "elyra")) },
			"symbolic link", "not running",
		},
		{"socket is a plain file", func(t *testing.T, o *Options) {
			where, err := o.readPointer()
			must(t, err)
			must(t, os.Remove(where.Address))
			must(t, os.WriteFile(where.Address, []byte("precious"), 0o600))
		}, "in the way", "not running"},
		{"socket is a link", func(t *testing.T, o *Options) {
			where, err := o.readPointer()
			must(t, err)
			link(t, where.Address)
		}, "in the way", "not running"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := install(t, false)
			o.system.uid = os.Geteuid
			crash(t, listen(t, o, echo))
			c.damage(t, &o)
			if _, _, err := Dial(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.dialErr) {
				t.Errorf("Dial: %v, want an error with %q", err, c.dialErr)
			}
			l, err := Listen(t.Context(), o, echo)
			switch {
			case c.listenErr == "" && err != nil:
				t.Errorf("Listen: %v", err)
			case c.listenErr != "" && (err == nil || !strings.Contains(err.Error(), c.listenErr)):
				t.Errorf("Listen: %v, want an error with %q", err, c.listenErr)
			}
			if l != nil {
				must(t, l.Close(t.Context()))
			}
		})
	}
}

func TestFilesAreOursAlone(t *testing.T) {
	t.Parallel()
	o := install(t, false)
	l := listen(t, o, echo)
	for path, want := range map[string]os.FileMode{
		o.dir():                             0o700,
		o.tokenPath():                       0o600,
		o.pointerPath():                     0o600,
		filepath.Dir(l.bound.where.Address): 0o700,
		l.bound.where.Address:               0o600,
	} {
		info, err := os.Lstat(path)
		must(t, err)
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %04o, want %04o", path, got, want)
		}
	}
}

func TestPlaceOfTheSocket(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a-long-name-", 10)
	cases := []struct {
		name    string
		paths   func(t *testing.T) Paths
		inside  func(p Paths) string
		wantErr string
	}{
		{
			"runtime folder", func(t *testing.T) Paths { return Paths{shortDir(t), shortDir(t), ""} },
			func(p Paths) string { return p.RuntimeDir }, "",
		},
		{
			"no runtime folder", func(t *testing.T) Paths { return Paths{shortDir(t), "", ""} },
			func(p Paths) string { return p.ConfigDir }, "",
		},
		{
			"runtime folder is missing", func(t *testing.T) Paths { return Paths{shortDir(t), shortDir(t) + "/none", ""} },
			func(p Paths) string { return p.ConfigDir }, "",
		},
		{"others may write to the runtime folder", func(t *testing.T) Paths {
			open := shortDir(t)
			must(t, os.Chmod(open, 0o777))
			return Paths{shortDir(t), open, ""}
		}, func(p Paths) string { return p.ConfigDir }, ""},
		{
			"long config folder", func(t *testing.T) Paths { return Paths{filepath.Join(shortDir(t), long), "", shortDir(t)} },
			func(p Paths) string { return p.TempDir }, "",
		},
		{"everything is long", func(t *testing.T) Paths {
			dir := filepath.Join(shortDir(t), long)
			must(t, os.Mkdir(dir, 0o700))
			return Paths{filepath.Join(dir, "config"), dir, dir}
		}, nil, "longer than 100 bytes"},
		{
			"long and no temporary folder", func(t *testing.T) Paths { return Paths{filepath.Join(shortDir(t), long), "", ""} },
			nil, "use a shorter one",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := Options{AppID: "app", Paths: c.paths(t)}
			l, err := Listen(t.Context(), o, echo)
			if c.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), c.wantErr) {
					t.Errorf("Listen: %v, want an error with %q", err, c.wantErr)
				}
				return
			}
			must(t, err)
			defer l.Close(t.Context())
			path := l.bound.where.Address
			if !strings.HasPrefix(path, c.inside(o.Paths)+"/") || len(path) > maxSocketPath {
				t.Errorf("the socket is %s", path)
			}
			conn, _, err := Dial(t.Context(), Options{AppID: "app", Paths: Paths{ConfigDir: o.Paths.ConfigDir}})
			must(t, err)
			conn.Close()
		})
	}
}

func TestInstallsDoNotMeet(t *testing.T) {
	t.Parallel()
	runtimeDir := shortDir(t)
	a, b := install(t, false), install(t, false)
	a.Paths.RuntimeDir, b.Paths.RuntimeDir = runtimeDir, runtimeDir
	listen(t, a, echo)
	if _, _, err := Dial(t.Context(), b); !errors.Is(err, ErrNotRunning) {
		t.Errorf("dialling the other install: %v", err)
	}
	listen(t, b, echo) // must not be ErrInUse
}

// TestASquatterLearnsNothing puts a stranger's program where a crashed app was listening.
func TestASquatterLearnsNothing(t *testing.T) {
	t.Parallel()
	eachVariant(t, func(t *testing.T, o Options) {
		l := listen(t, o, echo)
		crash(t, l)
		where := l.bound.where
		if where.Network == "unix" {
			must(t, os.Remove(where.Address))
		}
		squatter, err := net.Listen(where.Network, where.Address)
		must(t, err)
		defer squatter.Close()
		heard := make(chan []byte, 1)
		go func() {
			conn, err := squatter.Accept()
			if err != nil {
				return
			}
			defer conn.Close()
			line := make([]byte, 4096)
			n, _ := conn.Read(line)
			conn.Write(line[:n]) // its own words are the best a stranger has to offer
			rest, _ := io.ReadAll(conn)
			heard <- append(line[:n:n], rest...)
		}()
		_, _, err = Dial(t.Context(), o)
		if !errors.Is(err, errUnproved) || errors.Is(err, ErrNotRunning) {
			t.Errorf("Dial: %v, want that the stranger proved nothing", err)
		}
		got := <-heard
		if bytes.Count(got, []byte("\n")) != 1 || !bytes.HasPrefix(got, []byte(`{"elyra":1,"nonce":"`)) {
			t.Errorf("the stranger heard %q, want a nonce and nothing else", got)
		}
		if bytes.Contains(got, []byte(o.AppID)) || bytes.Contains(got, []byte(o.BuildID)) {
			t.Errorf("the stranger learned who called: %q", got)
		}
	})
}

func TestASilentSquatterDelaysByTwoSecondsAtMost(t *testing.T) {
	t.Parallel()
	o := install(t, true)
	l := listen(t, o, echo)
	crash(t, l)
	squatter, err := net.Listen(l.bound.where.Network, l.bound.where.Address)
	must(t, err)
	defer squatter.Close()
	start := time.Now()
	_, _, err = Dial(t.Context(), o)
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 10*time.Second {
		t.Errorf("Dial: %v after %v", err, time.Since(start))
	}
	second := listen(t, o, echo) // a port that others took is no reason not to start
	if second.bound.where == l.bound.where {
		t.Error("the new app claims the squatter's port")
	}
}

func TestAHangingAppIsInUse(t *testing.T) {
	t.Parallel()
	o := install(t, false)
	l := listen(t, o, echo)
	crash(t, l)
	must(t, os.Remove(l.bound.where.Address))
	hung, err := net.Listen("unix", l.bound.where.Address)
	must(t, err)
	defer hung.Close()
	if _, err := Listen(t.Context(), o, echo); !errors.Is(err, ErrInUse) {
		t.Errorf("Listen beside an app that accepts and says nothing: %v, want ErrInUse", err)
	}
}

// TestPeersOfOtherUsersAreRefused lets the kernel claim that the other end is somebody else.
func TestPeersOfOtherUsersAreRefused(t *testing.T) {
	t.Parallel()
	somebody := func(net.Conn) (int, bool) { return os.Geteuid() + 1, true }
	t.Run("as a client", func(t *testing.T) {
		t.Parallel()
		o := install(t, false)
		served := o
		served.system.peerUID = somebody
		listen(t, served, func(context.Context, net.Conn, Peer) { t.Error("another user's client was served") })
		if _, _, err := Dial(t.Context(), o); err == nil {
			t.Error("Dial succeeded")
		}
	})
	t.Run("as a server", func(t *testing.T) {
		t.Parallel()
		o := install(t, false)
		listen(t, o, echo)
		o.system.peerUID = somebody
		if _, _, err := Dial(t.Context(), o); err == nil || !strings.Contains(err.Error(), "is a program of user") {
			t.Errorf("Dial: %v", err)
		}
	})
	t.Run("asking the kernel", func(t *testing.T) {
		t.Parallel()
		o := install(t, false)
		o.system.peerUID = func(conn net.Conn) (int, bool) {
			uid, known := peerUID(conn)
			if known && uid != os.Geteuid() {
				t.Errorf("the kernel says %d, want %d", uid, os.Geteuid())
			}
			return uid, known
		}
		listen(t, o, echo)
		conn, _, err := Dial(t.Context(), o)
		must(t, err)
		conn.Close()
	})
}

// TestCloseLeavesASuccessorAlone closes a listener whose files another start has replaced by then.
func TestCloseLeavesASuccessorAlone(t *testing.T) {
	t.Parallel()
	eachVariant(t, func(t *testing.T, o Options) {
		first := listen(t, o, echo)
		first.bound.inner.Close() // as if it had hung, and its socket was taken for stale
		second := listen(t, o, echo)
		must(t, second.o.writePointer(second.bound.where))
		first.Close(t.Context())
		conn, _, err := Dial(t.Context(), o)
		if err != nil {
			t.Fatalf("the successor is gone: %v", err)
		}
		conn.Close()
	})
}
