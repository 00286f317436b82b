package ports_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/elyra-go/elyra/internal/endpoint/ports"
)

// TestMain lets the test binary be a child that listens.
func TestMain(m *testing.M) {
	if network := os.Getenv("PORTS_TEST_LISTEN"); network != "" {
		address := map[string]string{"tcp4": "127.0.0.1:0", "tcp6": "[::1]:0", "unix": os.Getenv("PORTS_TEST_PATH")}[network]
		if _, err := net.Listen(network, address); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("listening")
		bufio.NewReader(os.Stdin).ReadString('\n') // until the parent has looked
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestListening(t *testing.T) {
	t.Parallel()
	cases := map[string]string{"tcp4": "0100007F:", "tcp6": "00000000000000000000000001000000:", "unix": ""}
	if l, err := net.Listen("tcp6", "[::1]:0"); err != nil {
		t.Logf("without IPv6 on this machine: %v", err)
		delete(cases, "tcp6")
	} else {
		l.Close()
	}
	for network, want := range cases {
		t.Run(network, func(t *testing.T) {
			t.Parallel()
			// Through a shell, so that the listening process is a child of the one that is asked about.
			cmd := exec.Command("sh", "-c", `"$0"; true`, os.Args[0])
			cmd.Env = append(os.Environ(), "PORTS_TEST_LISTEN="+network, "PORTS_TEST_PATH="+t.TempDir()+"/s")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer cmd.Wait()
			defer in.Close()
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "listening\n" {
				t.Fatalf("the child says %q, %v", line, err)
			}
			found, err := ports.Listening(cmd.Process.Pid)
			if err != nil {
				t.Fatal(err)
			}
			if len(found) == 0 && want == "" || len(found) == 1 && want != "" && strings.Contains(found[0], " "+want) {
				return
			}
			t.Errorf("found %q, want one with %q", found, want)
		})
	}
}

func TestAProcessThatIsNone(t *testing.T) {
	t.Parallel()
	if found, err := ports.Listening(1 << 30); err == nil {
		t.Errorf("found %q, want an error", found)
	}
}
