package cli

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

// terminalKey is where a script's terminal is kept.
const terminalKey = "terminal"

const (
	// seeTime is how long a script waits for what it wants to see.
	seeTime = 30 * time.Second
	// readTime passes before a question is answered: it takes no keys before it could be read.
	readTime = 600 * time.Millisecond
)

// terminalOf is the terminal of a script, at which somebody works with a program.
type terminalOf struct {
	cmd    *exec.Cmd
	pty    *os.File
	screen *vt.SafeEmulator
	typed  int // how many lines there were when something was typed last
	work   sync.WaitGroup
}

// openTerminal starts a program at a terminal: terminal WIDTHxHEIGHT PROGRAM ARGUMENTS…
func openTerminal(ts *testscript.TestScript, _ bool, args []string) {
	t := ts.Value(terminalKey).(*terminalOf)
	var size pty.Winsize
	if len(args) < 2 || t.cmd != nil {
		ts.Fatalf("use: terminal WIDTHxHEIGHT PROGRAM ARGUMENTS, one at a time")
	}
	if _, err := fmt.Sscanf(args[0], "%dx%d", &size.Cols, &size.Rows); err != nil {
		ts.Fatalf("%q is no width and height in cells: %v", args[0], err)
	}
	program := args[1]
	for _, folder := range strings.Split(ts.Getenv("PATH"), string(os.PathListSeparator)) {
		if found, err := exec.LookPath(folder + "/" + program); err == nil {
			program = found
			break
		}
	}
	t.typed = 0
	t.cmd = exec.Command(program, args[2:]...)
	t.cmd.Dir = ts.MkAbs(".")
	t.cmd.Env = []string{"TERM=xterm-256color", "LC_ALL=C.UTF-8"}
	for _, name := range []string{
		"PATH", "HOME", "TMPDIR", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_KEY", browserVariable,
	} {
		if value := ts.Getenv(name); value != "" {
			t.cmd.Env = append(t.cmd.Env, name+"="+value)
		}
	}
	t.screen = vt.NewSafeEmulator(int(size.Cols), int(size.Rows))
	var err error
	t.pty, err = pty.StartWithSize(t.cmd, &size)
	ts.Check(err)
	ts.Defer(func() { t.end() })
	t.work.Go(func() { // What the program writes, until it has ended.
		b := make([]byte, 32<<10)
		for {
			n, err := t.pty.Read(b)
			_, _ = t.screen.Write(b[:n])
			if err != nil {
				_ = t.screen.Close()
				return
			}
		}
	})
	t.work.Go(func() { // What the terminal answers by itself.
		b := make([]byte, 1<<10)
		for {
			n, err := t.screen.Read(b)
			if err != nil {
				return
			}
			_, _ = t.pty.Write(b[:n])
		}
	})
}

// end ends the program and gives its exit code.
func (t *terminalOf) end() int {
	if t.cmd == nil {
		return 0
	}
	killer := time.AfterFunc(20*time.Second, func() { _ = t.cmd.Process.Kill() })
	_ = t.pty.Close()
	_ = t.cmd.Wait()
	killer.Stop()
	t.work.Wait()
	code := t.cmd.ProcessState.ExitCode()
	t.cmd = nil
	return code
}

// lines are what is and was on the screen.
func (t *terminalOf) lines() []string {
	var lines []string
	row := func(y int, at func(x, y int) string) {
		var l strings.Builder
		for x := range t.screen.Width() {
			l.WriteString(at(x, y))
		}
		lines = append(lines, strings.TrimRight(l.String(), " "))
	}
	for y := range t.screen.ScrollbackLen() {
		row(y, func(x, y int) string {
			if c := t.screen.ScrollbackCellAt(x, y); c != nil {
				return c.Content
			}
			return " "
		})
	}
	for y := range t.screen.Height() {
		row(y, func(x, y int) string {
			if c := t.screen.CellAt(x, y); c != nil {
				return c.Content
			}
			return " "
		})
	}
	return lines
}

// sees waits until a text is there to see since something was typed, wherever its lines are broken, or with ! holds that it
// is not: sees TEXT
func sees(ts *testscript.TestScript, neg bool, args []string) {
	look(ts, neg, args, (*terminalOf).since)
}

// since are the lines that came since something was typed.
func (t *terminalOf) since() []string {
	lines := t.lines()
	return lines[min(t.typed, len(lines)):]
}

// below are the lines of what is being asked or written: those below the last rule.
func (t *terminalOf) below() []string {
	lines := t.lines()
	return lines[rule(lines):]
}

// rule is the index of the line that separates what is finished from what is not.
func rule(lines []string) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "───") && strings.Trim(lines[i], "─") == "" {
			return i
		}
	}
	return 0
}

// look waits until a text is where it is looked for.
func look(ts *testscript.TestScript, neg bool, args []string, at func(*terminalOf) []string) {
	t := ts.Value(terminalKey).(*terminalOf)
	if t.cmd == nil {
		ts.Fatalf("there is no terminal")
	}
	want := strings.Join(strings.Fields(strings.Join(args, " ")), " ")
	for end := time.Now().Add(seeTime); ; time.Sleep(20 * time.Millisecond) {
		lines := at(t)
		there := strings.Contains(strings.Join(strings.Fields(strings.Join(lines, " ")), " "), want)
		switch {
		case there != neg:
			return
		case time.Now().After(end):
			ts.Fatalf("%q is seen: %t; the terminal shows:\n%s", want, there, strings.Join(lines, "\n"))
		}
	}
}

// types waits until nothing goes on, writes a text and presses enter: types TEXT
func types(ts *testscript.TestScript, _ bool, args []string) {
	look(ts, false, []string{"❯ ask anything"}, (*terminalOf).below)
	t := ts.Value(terminalKey).(*terminalOf)
	t.typed = rule(t.lines())
	text := strings.Join(args, " ")
	write(ts, text)
	look(ts, false, []string{"❯ " + text}, (*terminalOf).below)
	write(ts, "\r")
	look(ts, true, []string{"❯ " + text}, (*terminalOf).below) // From then on it shows whether something goes on.
}

// presses presses keys by name, or writes what is no name: presses esc y
func presses(ts *testscript.TestScript, _ bool, args []string) {
	named := map[string]string{
		"enter": "\r", "esc": "\x1b", "tab": "\t", "up": "\x1b[A", "down": "\x1b[B", "ctrl+c": "\x03", "ctrl+d": "\x04", "ctrl+u": "\x15",
	}
	for _, key := range args {
		if bytes, ok := named[key]; ok {
			key = bytes
		}
		write(ts, key)
		time.Sleep(50 * time.Millisecond) // Escape and a key at once are another key.
	}
}

// chooses waits for a question and answers it: chooses KEY QUESTION
func chooses(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("use: chooses KEY QUESTION")
	}
	look(ts, false, args[1:], (*terminalOf).below)
	time.Sleep(readTime)
	presses(ts, false, slices.Clone(args[:1]))
}

// leaves says goodbye with ctrl+d and waits for the program's good end.
func leaves(ts *testscript.TestScript, _ bool, _ []string) {
	t := ts.Value(terminalKey).(*terminalOf)
	write(ts, "\x04")
	done := make(chan struct{})
	go func() {
		t.work.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(seeTime):
		ts.Fatalf("the program does not end; the terminal shows:\n%s", strings.Join(t.lines(), "\n"))
	}
	shown := strings.Join(t.lines(), "\n")
	if code := t.end(); code != 0 {
		ts.Fatalf("exit code %d; the terminal shows:\n%s", code, shown)
	}
}

func write(ts *testscript.TestScript, text string) {
	t := ts.Value(terminalKey).(*terminalOf)
	if t.cmd == nil {
		ts.Fatalf("there is no terminal")
	}
	_, err := t.pty.WriteString(text)
	ts.Check(err)
}
