package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/elyra-go/elyra/bench/internal/liveload"
	"github.com/elyra-go/elyra/bench/internal/load"
)

// otherProgram measures the commits of another program on the same file, with file events and without.
func (b *bench) otherProgram() error {
	dir, err := os.MkdirTemp(b.dir, "others-")
	if err != nil {
		return err
	}
	b.live.heading("commit of another program → push, 1 live query of one row")
	events := filepath.Join(dir, "events.db")
	w, err := liveload.Open(b.ctx, events, liveload.Options{})
	if err != nil {
		return err
	}
	p, err := b.pushOthers(w, events, b.samples())
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	bound := target{"≤", 2, " ms"}
	b.live.add("p50", ms(p.Push, 0.5), "", "", bound.String(), bound.met(p.Push.At(0.5)))
	b.live.add("p95", ms(p.Push, 0.95))
	b.live.add("p50 with the commit", ms(p.Whole, 0.5))

	poll := filepath.Join(dir, "poll.db")
	if w, err = liveload.OpenWithoutEvents(b.ctx, poll); err != nil {
		return err
	}
	p, err = b.pushOthers(w, poll, 4*b.rounds)
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	bound = target{"≤", 150, " ms"}
	b.live.add("p50 without file events", ms(p.Push, 0.5), "", "", bound.String(), bound.met(p.Push.At(0.5)))
	b.live.add("slowest without file events", ms(p.Push, 1), "", "", bound.String(), bound.met(p.Push.At(1)))
	return nil
}

// pushOthers has the writer change what w follows.
func (b *bench) pushOthers(w *liveload.World, path string, n int) (p liveload.Push, err error) {
	const id = 7
	s, err := w.FollowMember(id)
	if err != nil {
		return p, err
	}
	other, err := liveload.StartOther(b.command("writer", nil, path))
	if err != nil {
		return p, err
	}
	defer other.Stop()
	return liveload.PushOthers(other.Exec, s, id, n)
}

// sideBySide measures two instances of the example app on one file: an agent of the one has subscribed
// to what an agent of the other changes.
func (b *bench) sideBySide() error {
	home, err := os.MkdirTemp(b.dir, "crm-")
	if err != nil {
		return err
	}
	start := func() (*load.Process, error) {
		return load.Start(b.command("crm", []string{"HOME=" + home, "XDG_RUNTIME_DIR=" + home}, "--mcp"), load.Legacy)
	}
	reader, err := start()
	if err != nil {
		return err
	}
	defer reader.Stop()
	if _, err := reader.Ask(load.Watch("app://customers_show/1")); err != nil {
		return err
	}
	writer, err := start()
	if err != nil {
		return err
	}
	defer writer.Stop()
	var answered, asked liveload.Times
	for i := range min(b.samples(), 50) { // an agent may make 60 calls in a minute
		time.Sleep(20 * time.Millisecond)
		told := make(chan error, 1)
		var at time.Time
		go func() {
			err := reader.Notified("notifications/resources/updated")
			at = time.Now()
			told <- err
		}()
		began := time.Now()
		_, err := writer.Ask(load.Call("customers_update", fmt.Sprintf(`{"id":1,"input":{"name":"Name %d","email":"first@example.com"}}`, i)))
		ended := time.Now()
		if err != nil {
			return err
		}
		if err := <-told; err != nil {
			return err
		}
		answered, asked = append(answered, max(0, at.Sub(ended))), append(asked, at.Sub(began))
	}
	bound := target{"≤", 2, " ms"}
	b.live.heading("two crm --mcp on one file: call of a tool in one → notification of the other's subscriber")
	b.live.add("p50 from the answer", ms(answered, 0.5), "", "", bound.String(), bound.met(answered.At(0.5)))
	b.live.add("p50 from the call", ms(asked, 0.5), "", "", bound.String(), bound.met(asked.At(0.5)))
	b.live.add("p95 from the call", ms(asked, 0.95))
	return nil
}

// postgresEnv holds the address of a PostgreSQL server that is there for the measurement.
const postgresEnv = "ELYRA_TEST_POSTGRES"

// onPostgres measures the commits of others on a server, where there is one.
func (b *bench) onPostgres() error {
	b.live.heading("PostgreSQL on the same host: commit of another connection → push")
	address := os.Getenv(postgresEnv)
	for _, way := range []struct {
		what    string
		capture bool
		bound   target
	}{
		{"notify, p50", true, target{"≤", 1, " ms"}},
		{"default poll, p50", false, target{"≤", 300, " ms"}},
	} {
		if address == "" {
			b.live.add(way.what, "not measured", "", "", way.bound.String())
			continue
		}
		p, err := b.pushPostgres(address, way.capture)
		if err != nil {
			return err
		}
		b.live.add(way.what, ms(p.Push, 0.5), "", "", way.bound.String(), way.bound.met(p.Push.At(0.5)))
		b.live.add("slowest", ms(p.Push, 1))
	}
	if address == "" {
		b.live.notes = append(b.live.notes, "The lines about PostgreSQL need a server: bash scripts/postgres.sh go run ./bench -only live")
	}
	return nil
}

func (b *bench) pushPostgres(address string, capture bool) (push liveload.Push, err error) {
	p, err := liveload.OpenPostgres(b.ctx, address, capture)
	if err != nil {
		return push, err
	}
	push, err = p.PushOthers(b.ctx, 4*b.rounds)
	return push, errors.Join(err, p.Close())
}
