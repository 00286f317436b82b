package cli

import (
	"bufio"
	"context"
	"io"
	"os"
	"testing"
)

func TestWatchingEndsWellWhenInterrupted(t *testing.T) {
	t.Parallel()
	t.Run("modern", func(t *testing.T) { watchAndInterrupt(t) })
	t.Run("legacy", func(t *testing.T) { watchAndInterrupt(t, "--era", "2025-11-25") })
}

func watchAndInterrupt(t *testing.T, flags ...string) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	lines, stdout := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- Run(ctx, append([]string{"mcp", "watch", "--dir", "../notes", "app://count"}, flags...), Env{Stdin: os.Stdin, Stdout: stdout, Stderr: t.Output()})
		stdout.Close()
	}()
	in := bufio.NewScanner(lines)
	for range 2 {
		if !in.Scan() {
			t.Fatal("it ended by itself")
		}
	}
	interrupt()
	for in.Scan() {
		continue // what was on its way
	}
	if got := <-code; got != exitOK {
		t.Errorf("exit code %d, want %d", got, exitOK)
	}
}
