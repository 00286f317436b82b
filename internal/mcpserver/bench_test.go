package mcpserver

import (
	"bufio"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"testing"
)

// BenchmarkCall measures calls over a Unix socket: one after the other, and with a number
// of them in flight.
func BenchmarkCall(b *testing.B) {
	for _, inFlight := range []int{1, 16} {
		b.Run("in flight "+strconv.Itoa(inFlight), func(b *testing.B) {
			o, _ := testOptions(newFake())
			o.Log = nil
			ours := served(b, New(o))
			lines := make(chan struct{}, inFlight)
			go func() {
				answers := bufio.NewReaderSize(ours, 64<<10)
				for {
					if _, err := answers.ReadSlice('\n'); err != nil {
						return
					}
					<-lines
				}
			}()
			line := []byte(call(`1234567`, "echo", `{"name":"Ada Lovelace","email":"ada@example.com","tags":["a","b"]}`) + "\n")
			at := len(`{"jsonrpc":"2.0","id":`)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				i++
				copy(line[at:], strconv.Itoa(1_000_000+i%8_000_000))
				lines <- struct{}{}
				if _, err := ours.Write(line); err != nil {
					b.Fatal(err)
				}
			}
			for range inFlight {
				lines <- struct{}{}
			}
		})
	}
}

// served returns the client's end of a connection to s.
func served(b *testing.B, s *Server) net.Conn {
	b.Helper()
	l, err := net.Listen("unix", filepath.Join(b.TempDir(), "s"))
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		theirs, err := l.Accept()
		if err != nil {
			return
		}
		_ = s.Serve(b.Context(), theirs, io.Writer(theirs))
		theirs.Close()
	}()
	ours, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		ours.Close()
		<-ended
		l.Close()
	})
	return ours
}
