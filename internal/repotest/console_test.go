package repotest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A block of the language console shows commands and what they print. The comment above it says in which
// folder of the repository to run them:
//
//	<!-- run in examples/notes -->
//
// Each line that begins with "$ " is a command of rata; the lines up to the next are all that it prints. The
// blocks of one page run in turn with a home folder of the page's own, so that what one stores the next
// finds. `go test ./internal/repotest -run CommandLines -update` writes the outputs again.

// session is what one page's commands share.
type session struct {
	rata string
	env  []string
	app  func(folder string) (string, error) // builds the app in a folder, once
}

// newSession makes a home folder. Go keeps its caches where they are.
func newSession(t *testing.T, rata string, app func(folder string) (string, error)) session {
	t.Helper()
	home := t.TempDir()
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		for _, name := range []string{"XDG_", "HOME=", "USERPROFILE=", "APPDATA=", "LOCALAPPDATA=", "DATABASE_URL=", "ELYRA_"} {
			if strings.HasPrefix(v, name) {
				return true
			}
		}
		return false
	})
	output, err := goCommand(".", "env", "GOCACHE", "GOMODCACHE", "GOPATH").Output()
	if err != nil {
		t.Fatal(err)
	}
	folders := strings.Fields(string(output))
	env = append(env, "HOME="+home, "USERPROFILE="+home, "GOFLAGS=", "GOPROXY=off",
		"GOCACHE="+folders[0], "GOMODCACHE="+folders[1], "GOPATH="+folders[2])
	return session{rata, env, app}
}

// build compiles a program as its users have it, but without a version, which would change with each commit.
func build(folder, binary string) error {
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	output, err := goCommand(folder, "build", "-buildvcs=false", "-o", binary, ".").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build %s: %w\n%s", folder, err, output)
	}
	return nil
}

// onceEach builds each app once, however many pages show it.
func onceEach(t *testing.T) func(folder string) (string, error) {
	dir := t.TempDir()
	var mu sync.Mutex
	built := map[string]string{}
	return func(folder string) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if binary, ok := built[folder]; ok {
			return binary, nil
		}
		binary := filepath.Join(dir, strings.ReplaceAll(folder, "/", "-"))
		if err := build(folder, binary); err != nil {
			return "", err
		}
		built[folder] = binary
		return binary, nil
	}
}

// run runs one command line and gives what it prints. How it exits is not looked at: what it prints tells.
func (s session) run(folder, line string) (string, error) {
	words, err := splitCommand(line)
	if err != nil {
		return "", err
	}
	if words[0] != "rata" {
		return "", fmt.Errorf("only rata is run in a console, not %s", words[0])
	}
	if len(words) > 2 && words[1] == "mcp" { // what would build the app in the folder
		app, err := s.app(folder)
		if err != nil {
			return "", err
		}
		words = slices.Insert(words, 3, "--bin", app)
	}
	command := exec.Command(s.rata, words[1:]...)
	command.Dir, command.Env = filepath.Join(root, folder), s.env
	output, err := command.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return "", err
	}
	return strings.TrimRight(string(output), "\n"), nil
}

// splitCommand splits a command line at spaces outside of single quotes.
func splitCommand(line string) ([]string, error) {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	if strings.Count(line, "'")%2 == 1 || len(words) == 0 {
		return nil, fmt.Errorf("cannot read the command %q", line)
	}
	return words, nil
}

// played gives the text of a console with the outputs that its commands have now.
func played(text, folder string, run func(folder, line string) (string, error)) (string, error) {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		output, err := run(folder, command)
		if err != nil {
			return "", err
		}
		lines = append(lines, line)
		if output != "" {
			lines = append(lines, output)
		}
	}
	if len(lines) == 0 {
		return "", errors.New(`no line begins with "$ "`)
	}
	return strings.Join(lines, "\n"), nil
}

var makeTarget = regexp.MustCompile(`(?m)^([a-z-]+):`)

// shellProblems reports the commands of blocks of sh that cannot work: make targets and folders that do not exist,
// and command lines that rata does not take. understood asks rata.
func shellProblems(p page, makefile string, exists func(string) bool, understood func(words []string) error) []string {
	var targets, problems []string
	for _, m := range makeTarget.FindAllStringSubmatch(makefile, -1) {
		targets = append(targets, m[1])
	}
	all, _ := p.fences()
	for _, f := range all {
		if f.language != "sh" {
			continue
		}
		for line := range strings.SplitSeq(p.text(f), "\n") {
			line, _, _ = strings.Cut(line, " #")
			words, err := splitCommand(line)
			if strings.TrimSpace(line) == "" {
				continue
			}
			if err == nil {
				err = commandProblem(words, targets, exists, understood)
			}
			if err != nil {
				problems = append(problems, fmt.Sprintf("%s: %q: %v", p.at(f), strings.TrimSpace(line), err))
			}
		}
	}
	return problems
}

func commandProblem(words, targets []string, exists func(string) bool, understood func(words []string) error) error {
	for strings.Contains(words[0], "=") { // variables
		words = words[1:]
	}
	switch {
	case words[0] == "make" && !slices.Contains(targets, words[len(words)-1]):
		return errors.New("there is no such target")
	case words[0] == "rata":
		return understood(words[1:])
	case len(words) > 2 && words[0] == "go" && words[1] == "run":
		if folder, ours := strings.CutPrefix(words[2], module+"/"); ours && folder == "rata" {
			return understood(words[3:])
		}
		if !exists(words[2]) {
			return errors.New("there is no such folder")
		}
	}
	return nil
}

func TestCommandLines(t *testing.T) {
	t.Parallel()
	rata := filepath.Join(t.TempDir(), "rata")
	if err := build("rata", rata); err != nil {
		t.Fatal(err)
	}
	app := onceEach(t)
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(root, name))
		return err == nil
	}
	understood := func(words []string) error {
		// With --help the rest of the line is read all the same, and nothing is done.
		if output, err := exec.Command(rata, append(slices.Clone(words), "--help")...).CombinedOutput(); err != nil {
			return errors.New(strings.TrimSpace(string(output)))
		}
		return nil
	}
	for _, p := range pages(t) {
		if !p.documentation() {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			report(t, shellProblems(p, string(makefile), exists, understood), "write a command that works from the folder that the text names")
			play(t, p, newSession(t, rata, app))
		})
	}
}

// play runs the consoles of a page and compares what they print.
func play(t *testing.T, p page, s session) {
	t.Helper()
	all, _ := p.fences()
	texts := map[int]string{}
	for i, f := range all {
		folder, ok := strings.CutPrefix(f.marker, "run in ")
		if !ok {
			continue
		}
		got, err := played(p.text(f), folder, s.run)
		if err != nil {
			t.Errorf("%s: %v", p.at(f), err)
		} else if got != p.text(f) {
			texts[i] = got
			if !*update {
				t.Errorf("%s: the commands print\n%s", p.at(f), got)
			}
		}
	}
	if *update && len(texts) > 0 {
		p.rewrite(t, texts)
	}
}

func TestConsoleParts(t *testing.T) {
	t.Parallel()
	run := func(folder, line string) (string, error) {
		if line == "rata fail" {
			return "", errors.New("failed")
		}
		return folder + " " + strings.TrimPrefix(line, "rata "), nil
	}
	for _, tt := range []struct{ name, text, want, err string }{
		{"outputs", "$ rata a\nold\n\nold\n$ rata b", "$ rata a\nx a\n$ rata b\nx b", ""},
		{"no command", "rata a", "", "no line"},
		{"failure", "$ rata fail", "", "failed"},
	} {
		got, err := played(tt.text, "x", run)
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: played = %q, %v; want %q, %q", tt.name, got, err, tt.want, tt.err)
		}
	}
	words, err := splitCommand(`rata call x '{"a": "b c"}'`)
	if want := []string{"rata", "call", "x", `{"a": "b c"}`}; err != nil || !slices.Equal(words, want) {
		t.Errorf("splitCommand = %q, %v; want %q", words, err, want)
	}
	exists := func(name string) bool { return name == "./there" }
	understood := func(words []string) error {
		if words[0] == "generate" {
			return nil
		}
		return errors.New("unknown command")
	}
	for line, good := range map[string]bool{
		"make test": true, "make nonesuch": false, "rata generate": true, "A=b rata generate # comment": true, "rata migrate": false,
		"go run ./there": true, "go run ./gone --mcp": false, "go run " + module + "/rata migrate": false, "rata 'x": false, "sudo apt-get install x": true,
	} {
		p := page{"a.md", []string{"```sh", line, "```"}}
		if problems := shellProblems(p, "test: x ## help\n", exists, understood); (len(problems) == 0) != good {
			t.Errorf("%s: problems = %q, want none: %v", line, problems, good)
		}
	}
}
