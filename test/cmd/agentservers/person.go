package main

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"time"
)

// atTerminal runs the agent at a terminal, where somebody types name into the first field of a form, takes what the others
// offer, and agrees.
func (t *trial) atTerminal(name string, args ...string) outcome {
	quoted := make([]string, 0, len(args)+1)
	for _, a := range append([]string{t.program}, args...) {
		quoted = append(quoted, "'"+strings.ReplaceAll(a, "'", `'\''`)+"'")
	}
	r := &running{command: exec.Command("script", "-qec", strings.Join(quoted, " "), "/dev/null"), began: time.Now(), ended: make(chan error, 1)}
	r.command.Env, r.command.Dir = append(t.environ(), "SHELL=/bin/sh"), t.project
	keys, err := r.command.StdinPipe()
	if err != nil {
		return outcome{status: -2, errors: err.Error()}
	}
	r.command.Stdout = &typist{shown: &r.out, keys: keys, name: name}
	if err := r.command.Start(); err != nil {
		return outcome{status: -2, errors: err.Error()}
	}
	go func() { r.ended <- r.command.Wait() }()
	return r.wait(t.ctx, patience)
}

// typist reads what a terminal shows, and types at each prompt.
type typist struct {
	shown *bytes.Buffer
	keys  io.Writer
	name  string
}

func (t *typist) Write(b []byte) (int, error) {
	t.shown.Write(b)
	line := ""
	switch {
	case bytes.HasSuffix(t.shown.Bytes(), []byte("[y/N] ")):
		line = "y"
	case !bytes.HasSuffix(t.shown.Bytes(), []byte("\n> ")):
		return len(b), nil
	default:
		line, t.name = t.name, ""
	}
	_, err := io.WriteString(t.keys, line+"\n")
	return len(b), err
}
