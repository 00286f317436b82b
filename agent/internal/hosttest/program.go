package hosttest

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/elyra-go/elyra/agent/internal/keeper"
)

// Argument is the first argument of the program, before the name of a behaviour.
const Argument = "hosttest-server"

// KeeperArgument makes the program the keeper of its owner's processes.
const KeeperArgument = "hosttest-keeper"

// Main runs the program when the arguments of the process say so, and ends the process then.
func Main() {
	if len(os.Args) > 1 && os.Args[1] == KeeperArgument {
		keeper.Run(os.Stdin)
		os.Exit(0)
	}
	if len(os.Args) < 3 || os.Args[1] != Argument {
		return
	}
	behaviour, options := os.Args[2], os.Args[3:]
	note(options)
	os.Exit(run(behaviour, options))
}

// Keeper is a command that runs the keeper.
func Keeper() *exec.Cmd { return exec.Command(os.Args[0], KeeperArgument) }

// note appends the process id to the file that the options name, one line a start.
func note(options []string) {
	for _, o := range options {
		if path, ok := strings.CutPrefix(o, "starts="); ok {
			file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				panic(err)
			}
			fmt.Fprintln(file, os.Getpid())
			file.Close()
		}
	}
}

func run(behaviour string, options []string) int {
	var in io.Reader = os.Stdin
	switch behaviour {
	case "good":
		return serve(in, options)
	case "exit": // dies before it says anything
		fmt.Fprintln(os.Stderr, "cannot find my database")
		return 3
	case "hang": // never answers
		io.Copy(io.Discard, in) //nolint:errcheck // Until the input ends.
		return 0
	case "slow": // takes its time before it reads
		time.Sleep(duration(options, "wait", time.Second))
		return serve(in, options)
	case "noisy": // writes what is no message, before and between the messages
		fmt.Println("Server running on stdio")
		fmt.Println()
		go func() {
			for {
				fmt.Println("\x1b[32mlog line\x1b[0m")
				fmt.Fprintln(os.Stderr, strings.Repeat("noise ", 100))
				time.Sleep(time.Millisecond)
			}
		}()
		return serve(in, options)
	case "stubborn": // stays after the end of its input, and has a child that stays too
		signal.Ignore(syscall.SIGTERM)
		child := exec.Command(os.Args[0], Argument, "asleep")
		if err := child.Start(); err != nil {
			panic(err)
		}
		serve(in, options)
		time.Sleep(time.Minute)
		return 0
	case "asleep":
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Minute)
		return 0
	case "flood": // floods both streams, and serves all the same
		flood()
		return serve(in, options)
	case "liar": // lists tools that are broken and answers calls wrongly
		return lie(in, options)
	case "spinning": // does not notice the end of its input and takes all of a processor
		signal.Ignore(syscall.SIGTERM)
		serve(in, options)
		for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		}
		return 0
	case "legacy": // exits on a probe
		return serve(&exitOnProbe{in: in}, options)
	}
	fmt.Fprintln(os.Stderr, "unknown behaviour", behaviour)
	return 2
}

// duration is an option like wait=100ms.
func duration(options []string, name string, otherwise time.Duration) time.Duration {
	for _, o := range options {
		if text, ok := strings.CutPrefix(o, name+"="); ok {
			d, err := time.ParseDuration(text)
			if err != nil {
				panic(err)
			}
			return d
		}
	}
	return otherwise
}

func has(options []string, name string) bool {
	for _, o := range options {
		if o == name {
			return true
		}
	}
	return false
}

// exitOnProbe ends the process at a message that a server of before 2026 does not know.
type exitOnProbe struct{ in io.Reader }

func (e *exitOnProbe) Read(b []byte) (int, error) {
	n, err := e.in.Read(b)
	if strings.Contains(string(b[:n]), "server/discover") {
		os.Exit(1)
	}
	return n, err
}

// serve serves the catalog until the input ends.
func serve(in io.Reader, options []string) int {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	c := newCatalog(options)
	if err := c.server.Serve(ctx, in, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
