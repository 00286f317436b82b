//go:build postgres

package postgres_test

import (
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
)

// swallowIdle passes the server's messages on, but for notifications that come while the client
// waits for nothing, as a pooler does that gives each transaction another connection.
func swallowIdle(client, server net.Conn) {
	defer client.Close()
	var busy atomic.Bool
	busy.Store(true)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer server.Close()
		buffer := make([]byte, 1<<16)
		for {
			n, err := client.Read(buffer)
			if err != nil {
				return
			}
			busy.Store(true)
			if _, err := server.Write(buffer[:n]); err != nil {
				return
			}
		}
	}()
	defer func() { <-done }()
	for {
		message := make([]byte, 5)
		if _, err := io.ReadFull(server, message); err != nil {
			client.Close()
			return
		}
		body := make([]byte, binary.BigEndian.Uint32(message[1:])-4)
		if _, err := io.ReadFull(server, body); err != nil {
			client.Close()
			return
		}
		const notification, ready = 'A', 'Z'
		if message[0] == notification && !busy.Load() {
			continue
		}
		if message[0] == ready {
			busy.Store(false)
		}
		if _, err := client.Write(append(message, body...)); err != nil {
			server.Close()
			return
		}
	}
}

func TestNotificationsThatDoNotArrive(t *testing.T) {
	t.Parallel()
	admin, address := open(t, tables...)
	capture(t, admin, "notify")
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = startProxy(t, u.Host, swallowIdle).address()
	out := &logged{}
	db := openWith(t, postgres.Driver(), database.OpenOptions{URL: u.String(), Log: out.logger()})
	s := follow(t, db)
	next(t, s)
	out.await(t, "notifications do not arrive")
	exec(t, t.Context(), admin, "insert into person(name) values ('c')")
	for got := ""; got != "a b c"; got = next(t, s) {
	}
}
