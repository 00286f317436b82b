package shim

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// TestAClientThatIsGoneWhileTheAppDoesNotRead has the shim sit in a write to the app when its own client goes away.
func TestAClientThatIsGoneWhileTheAppDoesNotRead(t *testing.T) {
	t.Parallel()
	conn, a := app(t)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	outR.Close()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(t.Context(), Options{
			Stdin: inR, Stdout: outW, Headless: scribe("headless"),
			Dial: func(context.Context) (net.Conn, error) { return conn, nil },
		})
	}()
	line := `{"jsonrpc":"2.0","method":"noted","params":{"x":"` + strings.Repeat("x", 1<<20) + `"}}` + "\n"
	taken := make(chan int, 64)
	stuck := make(chan struct{})
	go func() {
		defer close(stuck)
		for i := range cap(taken) {
			if _, err := io.WriteString(inW, line); err != nil {
				return
			}
			taken <- i
		}
		t.Error("64 MiB were taken, though the app reads nothing")
	}()
	for waiting := true; waiting; { // until the app's buffers are full
		select {
		case <-taken:
		case <-time.After(300 * time.Millisecond):
			waiting = false
		}
	}
	a.say(reply("1")) // which cannot be passed on
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("Run returned %v, want nil", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("Run did not return")
	}
	inW.Close()
	inR.Close()
	<-stuck
}
