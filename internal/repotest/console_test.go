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
	"testing"
)

// A block of the language console shows commands and what they print. The comment above it says in which
// folder of the repository to run them:
//
//	<!-- run in examples/notes -->
//
// Each line that begins with "$ " is a command of rata; the lines up to the next are all that it prints. The
// blocks of one page run in turn with a home folder of the page's own, so that what one stores the next
// finds. `go test ./internal/repotest -run Consoles -update` writes the outputs again.

// session is what one page's commands share.
type session struct {
	rata string
	env  []string
}

// newSession makes a home folder. Go keeps its caches where they are, and apps are built without a version,
// which would change with each commit.
func newSession(t *testing.T, rata string) session {
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
	return session{rata, append(env, "HOME="+home, "USERPROFILE="+home, "GOFLAGS=-buildvcs=false", "GOPROXY=off",
		"GOCACHE="+folders[0], "GOMODCACHE="+folders[1], "GOPATH="+folders[2])}
}

// buildRata builds the command line as its users have it.
func buildRata(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "rata")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if output, err := goCommand("rata", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("build rata: %v\n%s", err, output)
	}
	return binary
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

func TestConsoles(t *testing.T) {
	t.Parallel()
	rata := buildRata(t)
	for _, p := range pages(t) {
		all, _ := p.fences()
		all = slices.DeleteFunc(all, func(f fence) bool { return !strings.HasPrefix(f.marker, "run in ") })
		if !p.documentation() || len(all) == 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := newSession(t, rata)
			texts := map[int]string{}
			for _, f := range all {
				got, err := played(p.text(f), strings.TrimPrefix(f.marker, "run in "), s.run)
				if err != nil {
					t.Errorf("%s: %v", p.at(f), err)
				} else if got != p.text(f) {
					texts[f.open] = got
					if !*update {
						t.Errorf("%s: the commands print\n%s", p.at(f), got)
					}
				}
			}
			if *update && len(texts) > 0 {
				p.write(t, texts)
			}
		})
	}
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

func TestShellCommands(t *testing.T) {
	t.Parallel()
	rata := buildRata(t)
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
	var problems []string
	for _, p := range pages(t) {
		if p.documentation() {
			problems = append(problems, shellProblems(p, string(makefile), exists, understood)...)
		}
	}
	report(t, problems, "write a command that works from the folder that the text names")
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
