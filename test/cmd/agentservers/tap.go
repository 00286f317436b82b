package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// The tap stands between the agent and a server's standard input, and keeps what the agent writes in a file. Two other files
// beside it, made by a trial, change what it does with the next call of a tool: PATH.die ends the server in that moment,
// PATH.hold keeps the call from it.

// tapArgument makes this program a tap.
const tapArgument = "tap"

// tapStarted is the first line of each start.
const tapStarted = "# started"

func tap(path string, command []string) int {
	server := exec.Command(command[0], command[1:]...)
	server.Stdout, server.Stderr = os.Stdout, os.Stderr
	input, err := server.StdinPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tap:", err)
		return 1
	}
	ended := make(chan int, 2)
	go func() { ended <- exitStatus(server.Wait()) }()
	go func() {
		if err := forward(path, input, server); err != nil {
			fmt.Fprintln(os.Stderr, "tap:", err)
			ended <- 1
		}
	}()
	return <-ended
}

func exitStatus(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		return 1
	}
	return 0
}

// forward passes lines on until the input ends, and then ends that of the server.
func forward(path string, input io.WriteCloser, server *exec.Cmd) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	fmt.Fprintln(file, tapStarted)
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return input.Close()
		}
		if _, err := file.Write(line); err != nil {
			return err
		}
		if bytes.Contains(line, []byte(`"method":"tools/call"`)) {
			switch {
			case os.Remove(path+".die") == nil:
				return server.Process.Kill()
			case exists(path + ".hold"):
				continue
			}
		}
		if _, err := input.Write(line); err != nil {
			return err
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// heard returns what went through a tap or a proxy so far.
func heard(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(text)
}

// count counts the starts, or messages of a method.
func count(log, method string) int {
	if method == "" {
		return strings.Count(log, tapStarted)
	}
	return strings.Count(log, `"method":"`+method+`"`)
}
