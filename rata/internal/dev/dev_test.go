package dev

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// session is one run of Run on an app of the test's own.
type session struct {
	t    *testing.T
	dir  string
	stop context.CancelFunc
	done chan struct{} // closed when Run has returned err
	err  error

	mu     sync.Mutex
	said   []string // by Run and by the app
	seen   int      // how many of them await has looked at
	builds int
}

func (s *session) add(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, line)
}

// lines takes what an app prints.
type lines struct {
	s    *session
	mu   sync.Mutex
	rest string
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest += string(p)
	for {
		line, rest, ok := strings.Cut(l.rest, "\n")
		if !ok {
			return len(p), nil
		}
		l.rest = rest
		l.s.add("app: " + line)
	}
}

// await waits until a line contains text, which is behind the lines that were awaited before.
func (s *session) await(text string) string {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		for i := s.seen; i < len(s.said); i++ {
			if strings.Contains(s.said[i], text) {
				line := s.said[i]
				s.seen = i + 1
				s.mu.Unlock()
				return line
			}
		}
		s.mu.Unlock()
	}
	s.t.Fatalf("nobody said %q: %q", text, s.said)
	return ""
}

// write writes files of the app, one behind the other.
func (s *session) write(namesAndTexts ...string) {
	s.t.Helper()
	for i := 0; i < len(namesAndTexts); i += 2 {
		path := filepath.Join(s.dir, namesAndTexts[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(namesAndTexts[i+1]), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}

// program is an app that says what it is, starts a child, and stays until it is told to stop.
func program(word string) string {
	return `package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

//go:embed data
var data string

func main() {
	if len(os.Args) > 2 {
		time.Sleep(time.Hour)
	}
	ctx := make(chan os.Signal, 1)
	signal.Notify(ctx, syscall.SIGTERM, os.Interrupt)
	child := exec.Command(os.Args[0], "be", "a", "child")
	child.Stdout = os.Stdout
	if err := child.Start(); err != nil {
		panic(err)
	}
	fmt.Println("` + word + `", data, os.Args[1], os.Getenv("EXTRA"), "child", child.Process.Pid)
	<-ctx
}
`
}

// begin starts Run on an app whose main.go is given. The first build has not ended when it returns.
func begin(t *testing.T, main string) *session {
	t.Helper()
	s := &session{t: t, dir: t.TempDir(), done: make(chan struct{})}
	s.write("go.mod", "module example.com/app\n\ngo 1.26\n", "main.go", main, "data", "data1")
	ctx, stop := context.WithCancel(t.Context())
	s.stop = stop
	o := Options{
		Dir: s.dir, Args: []string{"argument"},
		Build: func(ctx context.Context, folder string) (string, error) {
			s.mu.Lock()
			s.builds++
			s.mu.Unlock()
			path := filepath.Join(folder, "app.exe")
			cmd := exec.CommandContext(ctx, "go", "build", "-o", path, ".")
			cmd.Dir = s.dir
			if out, err := cmd.CombinedOutput(); err != nil {
				s.add(string(out))
				return "", ErrSaid
			}
			return path, nil
		},
		Environ: func(pages string) ([]string, error) {
			return []string{"EXTRA=extra", "PAGES=" + filepath.Base(pages)}, nil
		},
		Say:    func(format string, args ...any) { s.add(fmt.Sprintf(format, args...)) },
		Output: Output{Stdout: &lines{s: s}, Stderr: &lines{s: s}},
	}
	go func() {
		defer close(s.done)
		s.err = Run(ctx, o)
	}()
	t.Cleanup(func() {
		stop()
		<-s.done
	})
	return s
}

// result is what Run returned.
func (s *session) result() error {
	s.t.Helper()
	select {
	case <-s.done:
		return s.err
	case <-time.After(time.Minute):
		s.t.Fatalf("it does not end: %q", s.said)
		return nil
	}
}

// gone waits until no process has an id.
func gone(t *testing.T, line string) {
	t.Helper()
	var id int
	if _, err := fmt.Sscanf(line[strings.Index(line, "child "):], "child %d", &id); err != nil {
		t.Fatal(line, err)
	}
	process, err := os.FindProcess(id)
	for end := time.Now().Add(20 * time.Second); err == nil && process.Signal(syscall.Signal(0)) == nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("process %d is still there", id)
		}
	}
}

func TestWorkOnAnApp(t *testing.T) {
	t.Parallel()
	s := begin(t, program("one"))
	first := s.await("app: one data1 argument extra child")

	s.write("main.go", program("two"))
	s.await("main.go changed: building")
	s.await("started again")
	second := s.await("app: two data1")
	gone(t, first)

	// While it is broken the one from before stays.
	s.write("main.go", program("three")+"func (")
	s.await("syntax error")
	s.await("the app from before goes on")
	// Editors save by renaming.
	s.write("main.go.new", program("two"))
	if err := os.Rename(filepath.Join(s.dir, "main.go.new"), filepath.Join(s.dir, "main.go")); err != nil {
		t.Fatal(err)
	}
	s.await("nothing that the app is made of has changed")

	// What is embedded counts, and a package that is new.
	s.write("data", "data2")
	s.await("app: two data2")
	gone(t, second)
	s.write("sub/sub.go", "package sub\n\nconst Word = \"sub\"\n")
	s.write("main.go", strings.Replace(program("four"), `"time"`, "\"time\"\n\t\"example.com/app/sub\"", 1)+"\nvar _ = sub.Word\n")
	s.await("app: four data2")

	// elyra.toml is read at each start, so the app starts again.
	s.write("elyra.toml", "[app]\n")
	s.await("elyra.toml changed")
	last := s.await("app: four data2")

	s.stop()
	if err := s.result(); err != nil {
		t.Error(err)
	}
	gone(t, last)
}

func TestManySavesMakeOneBuild(t *testing.T) {
	t.Parallel()
	s := begin(t, program("one"))
	s.await("app: one")
	s.mu.Lock()
	before := s.builds
	s.mu.Unlock()
	for i := range 20 {
		s.write("main.go", program(fmt.Sprint("version", i)), fmt.Sprintf("more%d.go", i), "package main\n")
	}
	s.await("app: version19")
	s.mu.Lock()
	if n := s.builds - before; n > 2 { // a second one when the machine is so slow that the first had begun
		t.Errorf("%d builds: %q", n, s.said)
	}
	s.mu.Unlock()
	// What the app is not made of makes none.
	s.write("main_test.go", "package main\n", "README.md", "text", ".main.go.swp", "x", "main.go~", "x", "elyra_gen.go", "package main\n",
		"node_modules/a/a.go", "package a\n", "bin/b.go", "package b\n", "data.db", "x")
	s.write("data", "data3")
	s.await("app: version19 data3")
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.said {
		if strings.HasSuffix(line, "changed: building") && !strings.HasPrefix(line, "data ") && !strings.HasPrefix(line, "main.go ") && !strings.HasPrefix(line, "more") {
			t.Error(line)
		}
	}
}

func TestTheAppEnds(t *testing.T) {
	t.Parallel()
	ending := func(code int) string {
		return fmt.Sprintf("package main\n\nimport (\n\t_ \"embed\"\n\t\"os\"\n)\n\n//go:embed data\nvar data string\n\nfunc main() { println(\"ends\"); os.Exit(%d) }\n", code)
	}
	t.Run("closed", func(t *testing.T) {
		t.Parallel()
		s := begin(t, ending(0))
		s.await("the app was closed")
		if err := s.result(); err != nil {
			t.Error(err)
		}
	})
	t.Run("no display", func(t *testing.T) {
		t.Parallel()
		s := begin(t, ending(4))
		s.await("rata dev -- --headless")
		if ended, ok := errors.AsType[*ErrEnded](s.result()); !ok || ended.Code != 4 {
			t.Error(ended)
		}
	})
	t.Run("a crash", func(t *testing.T) {
		t.Parallel()
		s := begin(t, ending(1))
		s.await("exit code 1: waiting for a change")
		s.write("main.go", program("mended"))
		s.await("app: mended")
		s.stop()
		if err := s.result(); err != nil {
			t.Error(err)
		}
	})
	t.Run("never built", func(t *testing.T) {
		t.Parallel()
		s := begin(t, "package main\n")
		s.await("not built: waiting for a change")
		s.write("main.go", program("mended"))
		s.await("app: mended")
	})
}

func TestSameFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	long := strings.Repeat("x", 300<<10)
	one := file("one", long)
	for content, same := range map[string]bool{long: true, long + "y": false, long[1:]: false, "": false, "y" + long[1:]: false} {
		if sameFile(one, file("other", content)) != same {
			t.Errorf("%d bytes: not %v", len(content), same)
		}
	}
	if sameFile(one, filepath.Join(dir, "none")) || !sameFile(file("a", ""), file("b", "")) {
		t.Error("nothing")
	}
}
