// Command play is a scripted model for programs that are tried by hand or by a shell script.
//
// play SCRIPT -- COMMAND… runs a command to whom the model is Anthropic and OpenAI, and says afterwards what of the script did
// not happen as it is written; its exit code is then 1, else that of the command. play SCRIPT prints the variables to set and
// serves until it is interrupted. In both, a script may have == in the place of -- around the names of its files.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"github.com/elyra-go/elyra/agent/internal/model/modeltest"
)

func main() {
	code, err := play(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "play:", err)
	}
	os.Exit(code)
}

func play(args []string) (code int, err error) {
	if len(args) == 0 || len(args) > 1 && (len(args) < 3 || args[1] != "--") {
		return 2, errors.New("use: play SCRIPT, or play SCRIPT -- COMMAND ARGUMENTS…")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return 2, err
	}
	server, err := modeltest.Start(modeltest.Unquote(string(text)))
	if err != nil {
		return 2, fmt.Errorf("%s: %w", args[0], err)
	}
	environ := []string{
		"ANTHROPIC_BASE_URL=" + strings.TrimSuffix(server.URL, "/v1"), "ANTHROPIC_API_KEY=scripted",
		"OPENAI_BASE_URL=" + server.URL, "OPENAI_API_KEY=scripted",
	}
	if len(args) > 1 {
		code, err = run(args[2:], environ)
	} else {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		for _, variable := range environ {
			fmt.Println("export", variable)
		}
		<-ctx.Done()
	}
	for _, problem := range server.Close() {
		code, err = 1, errors.Join(err, errors.New("the script: "+problem))
	}
	return code, err
}

// run runs a command on this program's own streams. What ends it at the keyboard ends it alone.
func run(args, environ []string) (code int, err error) {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), environ...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), nil
	}
	if err != nil {
		return 2, err
	}
	return 0, nil
}
