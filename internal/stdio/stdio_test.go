package stdio

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// role makes the test's binary play a program that takes its streams, or that program's child.
const role = "ELYRA_STDIO_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "program":
		if err := program(); err != nil {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(1)
		}
	case "child":
		input, _ := io.ReadAll(os.Stdin)
		fmt.Printf("the child's output, input %q\n", input)
	default:
		os.Exit(m.Run())
	}
}

func program() error {
	before := os.Stdout
	in, out, err := Take()
	if err != nil {
		return err
	}
	fmt.Println("stray output")
	fmt.Fprintln(before, "stray output through a file kept from before")
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), role+"=child")
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := child.Run(); err != nil {
		return err
	}
	if rest, err := io.ReadAll(os.Stdin); err != nil || len(rest) > 0 {
		return fmt.Errorf("standard input gave %q, %v", rest, err)
	}
	_, err = io.Copy(out, in)
	return err
}

func TestTake(t *testing.T) {
	t.Parallel()
	const message = `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), role+"=program")
	cmd.Dir = "/"
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(message), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("run: %v\n%s", err, &stderr)
	}
	if stdout.String() != message {
		t.Errorf("the protocol's stream had %q, want the message alone", &stdout)
	}
	for _, want := range []string{"stray output\n", "kept from before\n", `the child's output, input ""`} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("standard error lacks %q:\n%s", want, &stderr)
		}
	}
}
