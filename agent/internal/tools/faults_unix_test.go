//go:build unix

package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestFaults_specialFiles(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	pipe := filepath.Join(b.dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.fails("pipe is a named pipe", "read", "path", "pipe")
		b.fails("is a named pipe", "write", "path", "pipe", "content", "x")
		b.fails("is a named pipe", "edit", "path", "pipe", "edits", edit("a", "b"))
		b.fails("is a named pipe", "grep", "path", "pipe", "pattern", "x")
		b.fails("is a device", "read", "path", "/dev/zero")
		b.fails("is a device", "write", "path", "/dev/null", "content", "x")
		b.equal(b.ok("grep", "pattern", "x").Text, "nothing matches in 0 files")
		b.equal(b.ok("ls").Text, "pipe (no regular file)")
		b.ok("bash", "command", "touch a")
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("a tool waits for the pipe")
	}
}

func TestFaults_largeFile(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	path := b.file("large", numbered(3)+strings.Repeat("x", 10_000)+"\n")
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// A sparse gigabyte, which is one line of NULs, and two lines after it.
	if _, err := f.WriteAt([]byte("\nnext\nlast\n"), 1<<30); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	b.equal(b.ok("read", "path", "large", "limit", 2).Text, "1\tline 1\n2\tline 2\n[lines 1–2 of a large file; go on with offset 3]")
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("the beginning took %v", d)
	}
	out := b.ok("read", "path", "large", "offset", 5)
	if !strings.HasPrefix(out.Text, "5\t␀␀") || !strings.HasSuffix(out.Text, "[cut: the line has 1024.0 MB]\n6\tnext\n7\tlast") || len(out.Text) > 51<<10 {
		t.Errorf("%d bytes, %q", len(out.Text), out.Text[max(0, len(out.Text)-100):])
	}
	b.fails("more than 16.0 MB", "edit", "path", "large", "edits", edit("next", "x"))
	b.fails("more than 16.0 MB", "write", "path", "large", "content", "x")
	b.equal(b.ok("grep", "pattern", "next").Text, "nothing matches in 1 file\n[1 file left out: larger than 16.0 MB]")
	empty := b.file("sparse", "")
	if err := os.Truncate(empty, 1<<30); err != nil {
		t.Fatal(err)
	}
	b.fails("is no text (1024.0 MB)", "read", "path", "sparse")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, err := b.tools["read"].Run(ctx, Call{Arguments: args("path", "large", "offset", 100)}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestFaults_hugeFolder(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	const n = 100_000
	for i := range n {
		if err := os.WriteFile(filepath.Join(b.dir, fmt.Sprintf("file%06d", i)), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	text := b.ok("ls").Text
	if !strings.HasPrefix(text, "file000000\n") || !strings.HasSuffix(text, "file000399\n… 99600 more names of 100000, use find") {
		t.Errorf("…%q", text[len(text)-100:])
	}
	text = b.ok("find", "pattern", "file0999??", "limit", 3, "sort", "name").Text
	b.equal(text, "file099900\nfile099901\nfile099902\n[3 of 100; make the pattern narrower, or the limit larger]")
	b.ok("grep", "pattern", "x", "glob", "file00000?")
	b.fails("did you mean", "read", "path", "file00000o")
	// Too many to see what a command changes, and it runs all the same.
	if out := b.ok("bash", "command", "rm file000000"); out.Changes != nil {
		t.Errorf("%d changes", len(out.Changes))
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("%v", d)
	}
}

func TestFaults_names(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for _, name := range []string{"new\nline", "esc\x1b[31m", "caf\xe9", "bidi\u202eogpj", " space "} {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte("needle\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const names = "\" space \"\n\"bidi\\u202eogpj\"\n\"caf\\xe9\"\n\"esc\\x1b[31m\"\n\"new\\nline\""
	want := strings.Replace(names, `" space "`, " space ", 1)
	b.equal(b.ok("ls").Text, want)
	b.equal(b.ok("find", "pattern", "*", "sort", "name").Text, want)
	b.equal(b.ok("grep", "pattern", "needle", "mode", "files").Text, want)
	b.equal(b.ok("read", "path", "new\nline").Text, "1\tneedle")
	out := b.ok("edit", "path", "new\nline", "edits", edit("needle", "x"))
	b.equal(out.Text, "edited \"new\\nline\" at line 1 (+1 −1 lines)")
}

// TestFaults_limitedFile runs itself in a process that may write no file over a size, as a full disk would refuse it.
func TestFaults_limitedFile(t *testing.T) {
	t.Parallel()
	if os.Getenv("TOOLS_TEST_LIMITED") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFaults_limitedFile$", "-test.v")
		cmd.Env = append(os.Environ(), "TOOLS_TEST_LIMITED=1")
		if output, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, output)
		}
		return
	}
	b := newBench(t, nil)
	before := strings.Repeat("0123456789\n", 1000)
	b.file("file", before+"end\n")
	b.ok("read", "path", "file")
	// The signal that comes with it is ignored by Go programs, so that the write fails.
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	b.fails("the file is as it was", "edit", "path", "file", "edits", edit("end", "END"))
	b.fails("write", "write", "path", "new", "content", before)
	out := b.run("bash", "command", "seq 1 60000")
	if !strings.Contains(out.Text, "59999\n60000") || len(out.Text) > 50<<10 {
		t.Errorf("%q", out.Text[max(0, len(out.Text)-200):])
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 30, Max: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	b.equal(b.content("file"), before+"end\n")
	entries, err := os.ReadDir(b.dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v %v", entries, err)
	}
	b.ok("edit", "path", "file", "edits", edit("end", "END"))
}

// TestFaults_killed kills a process that writes a file again and again: what is there is always whole.
func TestFaults_killed(t *testing.T) {
	t.Parallel()
	const size = 200_000
	if dir := os.Getenv("TOOLS_TEST_KILLED"); dir != "" {
		b := newBench(t, nil)
		b.dir, b.env.Dir = dir, dir
		b.start()
		b.ok("read", "path", "file")
		for i := 0; ; i++ {
			b.ok("write", "path", "file", "content", strings.Repeat(string(rune('a'+i%26)), size))
			fmt.Println("written")
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte(strings.Repeat("A", size)), 0o644); err != nil {
		t.Fatal(err)
	}
	for round := range 8 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFaults_killed$", "-test.v")
		cmd.Env = append(os.Environ(), "TOOLS_TEST_KILLED="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for seen := ""; strings.Count(seen, "written") < 2; {
			var chunk [256]byte
			n, err := out.Read(chunk[:])
			if seen += string(chunk[:n]); err != nil {
				t.Fatalf("the writer ended: %s", seen)
			}
		}
		time.Sleep(time.Duration(round) * 700 * time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		data, err := os.ReadFile(path)
		if err != nil || len(data) != size || strings.Count(string(data), string(data[:1])) != size {
			t.Fatalf("round %d: %d bytes, %v", round, len(data), err)
		}
	}
}

func TestFaults_permission(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 && os.Getenv("TOOLS_TEST_NOBODY") == "" {
		// Root may do everything: once more as somebody else.
		dir, err := os.MkdirTemp("", "tools")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		self := filepath.Join(dir, "test")
		if err := errors.Join(os.Chmod(dir, 0o777), copyFile(os.Args[0], self)); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, "-test.run=^TestFaults_permission$", "-test.v")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TOOLS_TEST_NOBODY=1", "TMPDIR="+dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534, NoSetGroups: true}}
		if output, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, output)
		}
		return
	}
	b := newBench(t, nil)
	for name, mode := range map[string]os.FileMode{"secret": 0, "folder/file": 0o644, "closed/file": 0o644} {
		if err := os.Chmod(b.file(name, "x\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	b.ok("read", "path", "folder/file")
	for name, mode := range map[string]os.FileMode{"folder": 0o555, "closed": 0} {
		if err := os.Chmod(filepath.Join(b.dir, name), mode); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(filepath.Join(b.dir, name), 0o755)
	}
	b.fails("secret: permission denied", "read", "path", "secret")
	b.fails("permission denied (the folder must allow it too)", "edit", "path", "folder/file", "edits", edit("x", "y"))
	b.fails("permission denied", "write", "path", "folder/new", "content", "y")
	b.fails("permission denied", "ls", "path", "closed")
	b.fails("permission denied", "read", "path", "closed/file")
	b.equal(b.ok("grep", "pattern", "x").Text, "folder/file\n1: x\n[1 file left out: not readable]")
	b.equal(b.ok("ls").Text, "closed/\n  [permission denied]\nfolder/\n  file\nsecret")
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}
