//go:build unix

package tools

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// gone waits until the process whose number is in a file has ended.
func (b *bench) gone(file string) {
	b.Helper()
	pid, err := strconv.Atoi(strings.TrimSpace(b.content(file)))
	if err != nil {
		b.Fatal(err)
	}
	for range 200 {
		if syscall.Kill(pid, 0) != nil || zombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	b.Errorf("the process of %s is alive", file)
}

// zombie reports a process that has ended, and that whoever adopted it has not yet noticed.
func zombie(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return strings.HasPrefix(rest, "Z")
}

func TestBash(t *testing.T) {
	t.Parallel()
	b := newBench(t, func(e *Env) {
		e.Environ = append(e.Environ, "OPENAI_API_KEY=k", "ELYRA_HOME=h", "SHOP_TOKEN=t", "STRIPE_API_KEY=s", "DATABASE_URL=d")
		e.Hide = []string{"DATABASE_URL", "SHOP_*"}
	})
	b.file("sub/x", "")
	for name, c := range map[string]struct {
		command, want string
		fails         bool
	}{
		"output":           {command: "echo a; echo b >&2; echo c", want: "a\nb\nc"},
		"no output":        {command: "true", want: "[no output]"},
		"exit code":        {command: "echo a; exit 3", want: "a\n[exit code 3]", fails: true},
		"silent failure":   {command: "false", want: "[exit code 1]", fails: true},
		"signal":           {command: "kill -9 $$", want: "[ended by a signal: killed]", fails: true},
		"not there":        {command: "nosuchprogram 2>/dev/null", want: "[exit code 127]", fails: true},
		"cd does not last": {command: "cd sub; ls", want: "x"},
		"in the project":   {command: "basename \"$PWD\"", want: "project"},
		"input is empty":   {command: "read x || echo none", want: "none"},
		"no terminal":      {command: "(: </dev/tty) 2>/dev/null || echo none; tty", want: "none\nnot a tty\n[exit code 1]", fails: true},
		"environment":      {command: `echo "$OPENAI_API_KEY$ELYRA_HOME$SHOP_TOKEN$DATABASE_URL" $STRIPE_API_KEY $NO_COLOR $TERM $PAGER $GIT_TERMINAL_PROMPT`, want: " s 1 dumb cat 0"},
		"clean":            {command: `printf '\033[31mred\033[0m \000 caf\351\n'`, want: "red ␀ caf\ufffd"},
		"progress":         {command: `printf '10%%\r50%%\r100%%\ndone\r\n'`, want: "100%\ndone"},
		"no final break":   {command: "printf a", want: "a"},
		"two lines":        {command: "echo a\necho b", want: "a\nb"},
		"here-document":    {command: "cat <<'E'\n$x\nE", want: "$x"},
	} {
		out := b.run("bash", "command", c.command)
		b.equal(name+": "+out.Text, name+": "+c.want)
		if out.IsError != c.fails {
			t.Errorf("%s: IsError = %v", name, out.IsError)
		}
	}
	b.fails(`"command" is missing`, "bash", "command", " \n")
	b.fails("write a file and run that", "bash", "command", "echo "+strings.Repeat("x", maxCommand))
	b.fails("it must be from 1 to 600", "bash", "command", "ls", "timeout", 601)
}

func TestBash_streams(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	chunks := make(chan string, 10)
	done := make(chan error, 1)
	go func() {
		_, err := b.tools["bash"].Run(context.Background(), Call{
			Arguments: args("command", "echo $$; until [ -e go ]; do sleep 0.01; done; echo second"),
			Progress:  func(p []byte) { chunks <- string(p) },
		})
		done <- err
	}()
	pid, err := strconv.Atoi(strings.TrimSpace(<-chunks)) // While the command runs.
	if err != nil {
		t.Fatal(err)
	}
	// In a session of its own it has no terminal that it could read from or write to.
	if session, err := unix.Getsid(pid); err != nil || session != pid {
		t.Errorf("the session %d of %d, %v", session, pid, err)
	}
	b.file("go", "")
	b.equal(<-chunks, "second\n")
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestBash_ends(t *testing.T) {
	t.Parallel()
	t.Run("timeout", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil)
		start := time.Now()
		out := b.run("bash", "command", "echo begun; sh -c 'trap \"\" TERM; echo $$ > stubborn; sleep 60' & sh -c 'echo $$ > child; sleep 60; true'", "timeout", 1)
		if !strings.HasPrefix(out.Text, "begun\n[ended after 1 seconds, its timeout") || !out.IsError || !out.Details.TimedOut || time.Since(start) > 20*time.Second {
			t.Errorf("%q %+v", out.Text, out.Details)
		}
		b.gone("child")
		b.gone("stubborn")
	})
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		out, err := b.tools["bash"].Run(ctx, Call{
			Arguments: args("command", "echo new > made; sh -c 'echo $$ > child; echo begun; sleep 60; true'"),
			Progress:  func([]byte) { cancel() },
		})
		if err != context.Canceled || out.Text != "begun\n[cancelled: the command and all that it started were ended]" || !out.IsError {
			t.Errorf("%v %q", err, out.Text)
		}
		b.gone("child")
		if b.changed["made"] != "-" || len(out.Changes) != 2 {
			t.Errorf("%+v", out.Changes)
		}
	})
	t.Run("background", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil)
		start := time.Now()
		b.equal(b.ok("bash", "command", "sh -c 'echo $$ > child; sleep 60; true' & until [ -s child ]; do sleep 0.01; done; echo done").Text, "done")
		b.gone("child")
		b.ok("bash", "command", "sh -c 'echo $$ > quiet; sleep 60; true' >/dev/null 2>&1 & until [ -s quiet ]; do sleep 0.01; done")
		b.gone("quiet")
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("after %v", d)
		}
	})
	t.Run("left the group", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil)
		start := time.Now()
		// It keeps the output open, and nothing hangs for that.
		b.equal(b.ok("bash", "command", "setsid sh -c 'echo $$ > child; sleep 20' & until [ -s child ]; do sleep 0.01; done; echo done").Text, "done")
		if d := time.Since(start); d > 15*time.Second {
			t.Errorf("after %v", d)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(b.content("child")))
		if err != nil {
			t.Fatal(err)
		}
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	})
	t.Run("flood", func(t *testing.T) {
		t.Parallel()
		b := newBench(t, nil)
		out := b.run("bash", "command", "yes | head -c 1000000000", "timeout", 500)
		if !out.IsError || !strings.Contains(out.Text, "ended because it printed more than 256.0 MB") || len(out.Text) > 50<<10 {
			t.Errorf("%d bytes, …%q", len(out.Text), out.Text[max(0, len(out.Text)-300):])
		}
		if info, err := os.Stat(out.Overflow); err != nil || info.Size() != maxSpool || info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info, err)
		}
	})
}

func TestBash_muchOutput(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for name, c := range map[string]struct {
		command     string
		bytes       int64
		first, last string
	}{
		"many lines":    {"seq 1 3000", 13893, "1\n2\n", "\n2999\n3000"},
		"many bytes":    {"seq 1 60000", 348894, "1\n2\n", "\n59999\n60000"},
		"one long line": {"head -c 300000 /dev/zero | tr '\\0' x", 300000, "xxx", "xxx"},
		"failing":       {"seq 1 60000; exit 2", 348894, "1\n2\n", "\n60000\n[exit code 2]"},
	} {
		out := b.run("bash", "command", c.command)
		if !strings.HasPrefix(out.Text, c.first) || !strings.HasSuffix(out.Text, c.last) || len(out.Text) > 50<<10 || strings.Count(out.Text, "\n") > 2000 ||
			!strings.Contains(out.Text, out.Overflow) {
			t.Errorf("%s: %d bytes, %q … %q", name, len(out.Text), out.Text[:50], out.Text[len(out.Text)-50:])
		}
		if info, err := os.Stat(out.Overflow); err != nil || info.Size() != c.bytes {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	// The model may read it.
	out := b.ok("bash", "command", "seq 1 60000")
	b.equal(b.ok("read", "path", out.Overflow, "offset", 30000, "limit", 1).Text, "30000\t30000\n[lines 30000–30000 of 60000; go on with offset 30001]")
}

func TestSpool_chunks(t *testing.T) {
	t.Parallel()
	// However the output comes, the same is shown.
	data := []byte(strings.Repeat("a line of the output, é\n", 20_000))
	var texts []string
	for _, size := range []int{1, 7, 4096, 300_000, len(data)} {
		s := spool{folder: t.TempDir(), flooded: func() {}}
		for rest := data; len(rest) > 0; {
			n := min(size, len(rest))
			if _, err := s.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		text, path := s.finish((&session{}).limits())
		whole, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(whole, data) {
			t.Errorf("%d at a time: the file is not the whole: %v", size, err)
		}
		texts = append(texts, strings.ReplaceAll(text, path, ""))
	}
	for _, text := range texts {
		for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
			if line != "a line of the output, é" && !strings.HasPrefix(line, "[about ") {
				t.Fatalf("a cut line %q", line)
			}
		}
	}
}

func TestBash_changes(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	b.file("edited", "old\n")
	b.file("deleted", "gone\n")
	b.file("same", "same\n")
	b.file("moved", "moved\n")
	b.file("large", strings.Repeat("x", maxKeptFile+1))
	b.file(".gitignore", "*.o\n")
	b.ok("read", "path", "edited")
	out := b.ok("bash", "command", "echo new > edited; rm deleted; mkdir d; mv moved d/; echo x > created; echo x > a.o; echo y >> large; cat same")
	var got []string
	for _, c := range out.Changes {
		rel, err := filepath.Rel(b.dir, c.Path)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %v", rel, c.What, c.Undoable))
	}
	b.equal(strings.Join(got, "; "), "created created true; d/moved created true; deleted deleted true; edited modified true; large modified false; moved deleted true")
	for name, before := range map[string]string{"edited": "old\n", "deleted": "gone\n", "moved": "moved\n", "created": "-", "d/moved": "-"} {
		b.equal(name+" "+b.changed[name], name+" "+before)
	}
	// What it knows of the file is old now.
	b.fails("has changed on disk", "edit", "path", "edited", "edits", edit("new", "newer"))
	// The second command sees what the first left.
	out = b.ok("bash", "command", "echo newest > edited; touch same2")
	b.equal(b.changed["edited"], "new\n")
	if len(out.Changes) != 2 {
		t.Errorf("%+v", out.Changes)
	}
	if out := b.ok("bash", "command", "ls"); len(out.Changes) != 0 {
		t.Errorf("%+v", out.Changes)
	}
}

func TestBash_paths(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	if err := os.Symlink("/etc", filepath.Join(b.dir, "link")); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"cat a.go":         "read inside",
		"cat /etc/passwd":  "read outside",
		"cat link/passwd":  "read outside",
		"cat link/../x":    "",
		"cat ../x":         "read outside",
		"cd link && cat x": "read outside; read inside; read outside",
		"make > out":       "write inside",
		"make > $x":        "write outside",
		"make > ~/.bashrc": "write outside",
		"make > .git/HEAD": "write inside denied",
		"ls && make":       "",
	} {
		paths, err := b.tools["bash"].Paths(args("command", command))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range paths {
			s := "read"
			if p.Write {
				s = "write"
			}
			if s += " inside"; p.Outside {
				s = strings.Replace(s, "inside", "outside", 1)
			}
			if p.Deny != "" {
				s += " denied"
			}
			got = append(got, s)
		}
		b.equal(command+": "+strings.Join(got, "; "), command+": "+want)
	}
}
