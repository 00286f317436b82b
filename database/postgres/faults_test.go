//go:build postgres

package postgres_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/url"
	osexec "os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/postgres"
)

func TestALostConnectionIsReplaced(t *testing.T) {
	eachCapture(t, true, func(t *testing.T, kind string) {
		db, address := open(t, tables...)
		capture(t, db, kind)
		other := openAt(t, address)
		s := follow(t, db)
		next(t, s)
		exec(t, t.Context(), other, "insert into person(name) values ('c')")
		next(t, s)
		exec(t, t.Context(), other, "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
		exec(t, t.Context(), other, "insert into person(name) values ('after')")
		for got := ""; got != "a b c after"; got = next(t, s) {
		}
	})
}

// server is a PostgreSQL server of a test's own.
type server struct {
	address string
	ctl     []string
}

func startServer(t *testing.T) *server {
	t.Helper()
	// It lives as long as its standard input is open.
	cmd := osexec.Command("bash", "../../scripts/postgres.sh", "sh", "-c", `echo "$ELYRA_TEST_POSTGRES"; echo "$ELYRA_TEST_POSTGRES_CTL"; cat`)
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
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	lines := bufio.NewScanner(out)
	var told []string
	for len(told) < 2 && lines.Scan() {
		told = append(told, lines.Text())
	}
	if len(told) < 2 {
		t.Fatal("the server did not start")
	}
	return &server{told[0], strings.Fields(told[1])}
}

func (s *server) restart(t *testing.T, mode string) {
	t.Helper()
	cmd := osexec.Command(s.ctl[0], append(s.ctl[1:], "restart", "-m", mode)...)
	cmd.Dir = "/"
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("restart: %v: %s", err, text)
	}
}

// TestServerIsRestarted shuts the server down in order, and breaks it off, while queries are live
// and somebody writes. What is written meanwhile is seen afterwards.
func TestServerIsRestarted(t *testing.T) {
	t.Parallel()
	own := startServer(t)
	for kind := range captures {
		t.Run(kind, func(t *testing.T) {
			db, address := openOn(t, own.address, tables...)
			capture(t, db, kind)
			other := openAt(t, address)
			s := follow(t, db)
			next(t, s)
			for _, mode := range []string{"fast", "immediate"} {
				exec(t, t.Context(), other, "insert into person(name) values ('before')")
				own.restart(t, mode)
				// Whoever is quicker than the follower is not missed.
				for i := 0; ; i++ {
					_, err := other.ExecContext(t.Context(), "insert into person(name) values ($1)", mode)
					if err == nil {
						break
					}
					if i > 100 {
						t.Fatal(err)
					}
				}
				for got := ""; !strings.HasSuffix(got, "before "+mode); got = next(t, s) {
				}
				exec(t, t.Context(), other, "insert into person(name) values ('again')")
				for got := ""; !strings.HasSuffix(got, "again"); got = next(t, s) {
				}
			}
		})
	}
}

// proxy stands between a client and the server.
type proxy struct {
	listener net.Listener
	mu       sync.Mutex
	all      []net.Conn
	wg       sync.WaitGroup
}

func (p *proxy) address() string { return p.listener.Addr().String() }

// startProxy has pass called for each connection, until the test ends.
func startProxy(t *testing.T, to string, pass func(client, server net.Conn)) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l}
	p.wg.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				client.Close()
				continue
			}
			p.mu.Lock()
			p.all = append(p.all, client, server)
			p.mu.Unlock()
			p.wg.Go(func() { pass(client, server) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		p.mu.Lock()
		for _, c := range p.all {
			c.Close()
		}
		p.mu.Unlock()
		p.wg.Wait()
	})
	return p
}

// swallow passes bytes on until it is told to hold them, without closing anything. What was held
// stays so.
type swallow struct{ held atomic.Bool }

func (s *swallow) pass(client, server net.Conn) {
	var dead atomic.Bool
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
		both.Go(func() {
			defer way[1].Close()
			buffer := make([]byte, 1<<16)
			for {
				n, err := way[0].Read(buffer)
				if err != nil {
					return
				}
				if s.held.Load() {
					dead.Store(true)
				}
				if dead.Load() {
					continue
				}
				if _, err := way[1].Write(buffer[:n]); err != nil {
					return
				}
			}
		})
	}
	both.Wait()
}

// TestHalfOpenConnections has the follower's connection swallow all bytes, though nobody closes it.
func TestHalfOpenConnections(t *testing.T) {
	eachCapture(t, true, func(t *testing.T, kind string) {
		admin, address := open(t, tables...)
		capture(t, admin, kind)
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		p := &swallow{}
		u.Host = startProxy(t, u.Host, p.pass).address()
		out := &logged{}
		db := openWith(t, postgres.Paced(postgres.Pace{Heartbeat: 300 * time.Millisecond, Answer: 500 * time.Millisecond}),
			database.OpenOptions{URL: u.String(), Log: out.logger()})
		// What is pushed is read another way, so that only the follower is cut off. A statement that the held way has swallowed
		// would wait for ever.
		s := followQuery(t, db, func(ctx context.Context) (names string, err error) {
			ctx, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			if err := db.QueryRowContext(ctx, "select count(*) from person").Scan(&names); err != nil {
				return "", nil // as long as the way is held
			}
			err = admin.QueryRowContext(context.WithoutCancel(t.Context()), "select string_agg(name, ' ' order by id) from person").Scan(&names)
			return names, err
		})
		next(t, s)
		exec(t, t.Context(), admin, "insert into person(name) values ('c')")
		next(t, s)
		p.held.Store(true)
		exec(t, t.Context(), admin, "insert into person(name) values ('unheard')")
		out.await(t, "trying again") // it noticed
		p.held.Store(false)
		for got := ""; got != "a b c unheard"; got = next(t, s) {
		}
		exec(t, t.Context(), admin, "insert into person(name) values ('again')")
		for got := ""; got != "a b c unheard again"; got = next(t, s) {
		}
	})
}

// TestStormOfNotifications sends 10,000 notifications of other sessions, of which some are of a
// table that is read, some are nonsense of the greatest length, and some have the text of ours.
func TestStormOfNotifications(t *testing.T) {
	t.Parallel()
	db, address := open(t, tables...)
	capture(t, db, "notify")
	other := openAt(t, address)
	s := follow(t, db)
	next(t, s)
	exec(t, t.Context(), other, "insert into person(name) values ('c')")
	for got := ""; got != "a b c"; got = next(t, s) {
	}
	h, _ := database.HandleOf(db)
	var count atomic.Int64
	stop := h.OnCommit(func(w database.Writes) {
		if w.Everything || len(w.Tables) != 1 || w.Tables[0] != "public.person" {
			t.Errorf("told of %v", w)
		}
		count.Add(1)
	})
	defer stop()
	before := heap()
	var senders sync.WaitGroup
	for range 4 {
		senders.Go(func() {
			c, err := pgx.Connect(t.Context(), address)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close(context.Background())
			for i := range 2500 {
				payload := []string{"public.person", strings.Repeat("x", 7900), "public.team", fmt.Sprint("public.unknown", i)}[i%4]
				if _, err := c.Exec(t.Context(), "select pg_notify('elyra', $1)", payload); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	var slowest time.Duration
	for i := range 20 {
		name := fmt.Sprint("n", i)
		start := time.Now()
		exec(t, t.Context(), other, "insert into person(name) values ($1)", name)
		for !strings.HasSuffix(next(t, s), name) {
		}
		slowest = max(slowest, time.Since(start))
		time.Sleep(20 * time.Millisecond)
	}
	senders.Wait()
	exec(t, t.Context(), other, "insert into person(name) values ('last')")
	for !strings.HasSuffix(next(t, s), "last") {
	}
	grown := int64(heap()) - int64(before)
	t.Logf("10,000 notifications, %d told; the slowest push of 20 took %v; the heap grew by %d KB", count.Load(), slowest, grown/1024)
	if slowest > 2*time.Second || grown > 16<<20 {
		t.Errorf("the slowest push took %v, the heap grew by %d bytes", slowest, grown)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
