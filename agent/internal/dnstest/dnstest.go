// Package dnstest is a name server for tests. It promises that names stay on this machine: it listens on the loopback
// interface, and each name has the address that the test gives it. Only tests may import it.
package dnstest

import (
	"context"
	"encoding/binary"
	"net"
	"strings"
	"testing"
)

// New returns a resolver that asks address for the IPv4 address of each name.
func New(t *testing.T, address func(name string) [4]byte) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { conn.Close(); <-done })
	go func() {
		defer close(done)
		buf := make([]byte, 512)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			conn.WriteTo(answer(buf[:n], address), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp4", conn.LocalAddr().String())
	}}
}

// answer answers a query of one question: A with an address, anything else with nothing.
func answer(query []byte, address func(name string) [4]byte) []byte {
	end := 12
	var name []string
	for query[end] != 0 {
		name = append(name, string(query[end+1:end+1+int(query[end])]))
		end += 1 + int(query[end])
	}
	end += 5
	kind := binary.BigEndian.Uint16(query[end-4:])
	out := append([]byte{query[0], query[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, query[12:end]...)
	if kind == 1 {
		ip := address(strings.Join(name, "."))
		out[7] = 1
		out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ip[0], ip[1], ip[2], ip[3])
	}
	return out
}
