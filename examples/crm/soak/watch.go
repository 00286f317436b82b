package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/database"
	"github.com/elyra-go/elyra/database/sqlite"
	"github.com/elyra-go/elyra/internal/mcp"
)

// watched is the customer whose notes count up, and patience how long a subscriber may take to hear of it.
const (
	watched  = "app://customers_show/1"
	patience = 10 * time.Second
)

// subscriber follows the customer.
type subscriber struct {
	name, era string
	apart     bool
	c         *connected
	hint      chan struct{} // something has changed

	mu   sync.Mutex
	seen int
}

// watch writes from three processes in turn and follows each write to every subscriber.
type watch struct {
	s           *soak
	subscribers []*subscriber
	apart       *connected // writes through an app of its own
	db          *sql.DB    // writes from here
	stop        context.CancelFunc
	work        sync.WaitGroup
}

// watch opens the subscribers: of the running app in both eras, and of an app without a window beside it.
func (s *soak) watch(ctx context.Context) (*watch, error) {
	w := &watch{s: s, subscribers: []*subscriber{
		{name: "modern subscriber", era: "2026-07-28"}, {name: "legacy subscriber", era: "2025-06-18"}, {name: "subscriber apart", era: "2025-11-25", apart: true},
	}}
	var err error
	if w.db, err = sqlite.Driver().Open(database.OpenOptions{URL: s.database}); err != nil {
		return nil, err
	}
	if w.apart, err = s.connect(ctx, "writer apart", "", true, nil); err != nil {
		return nil, err
	}
	inner, stop := context.WithCancel(ctx)
	w.stop = stop
	for _, sub := range w.subscribers {
		sub.hint = make(chan struct{}, 1)
		if err := sub.open(ctx, s); err != nil {
			stop()
			return nil, err
		}
		w.work.Go(func() { sub.follow(inner, s) })
	}
	return w, nil
}

// open connects and subscribes.
func (b *subscriber) open(ctx context.Context, s *soak) error {
	hint := func(method string) {
		if method == mcp.NotifyResourceUpdated {
			select {
			case b.hint <- struct{}{}:
			default:
			}
		}
	}
	c, err := s.connect(ctx, b.name, b.era, b.apart, hint)
	if err != nil {
		return err
	}
	if b.era == "2026-07-28" {
		_, err = c.Listen(ctx, mcp.SubscriptionFilter{ResourceSubscriptions: []string{watched}}, func(method string, _ jsontext.Value) { hint(method) })
	} else {
		_, err = c.Request(ctx, "resources/subscribe", map[string]string{"uri": watched})
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%s: subscribe: %w", b.name, err), c.Close())
	}
	b.mu.Lock()
	b.c = c
	b.mu.Unlock()
	return nil
}

// follow reads the customer whenever it is said to have changed.
func (b *subscriber) follow(ctx context.Context, s *soak) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.hint:
		}
		b.mu.Lock()
		c := b.c
		b.mu.Unlock()
		raw, err := c.Request(ctx, "resources/read", map[string]string{"uri": watched})
		if err != nil {
			continue // The app was killed; whoever waits says if that was not so.
		}
		var result struct {
			Contents []struct {
				Text string `json:"text"`
			} `json:"contents"`
		}
		var shown customer
		if json.Unmarshal(raw, &result) != nil || len(result.Contents) != 1 || json.Unmarshal([]byte(result.Contents[0].Text), &shown) != nil {
			s.problem("%s read %s", b.name, raw)
			return
		}
		number, _ := strconv.Atoi(strings.TrimPrefix(shown.Notes, "beacon "))
		b.mu.Lock()
		b.seen = max(b.seen, number)
		b.mu.Unlock()
	}
}

func (b *subscriber) saw(number int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.seen >= number
}

// send writes and waits for the subscribers, again and again.
func (w *watch) send(ctx context.Context) {
	var through *connected
	for number := 1; ctx.Err() == nil; number++ {
		w.s.steady.RLock()
		if through == nil || through.Err() != nil {
			if through != nil {
				_ = through.Close()
			}
			through, _ = w.s.connect(ctx, "writer", "", false, nil)
		}
		w.one(ctx, through, number)
		w.s.steady.RUnlock()
		time.Sleep(100 * time.Millisecond)
	}
	if through != nil {
		_ = through.Close()
	}
}

// one writes a number and waits until all have seen it.
func (w *watch) one(ctx context.Context, through *connected, number int) {
	update := fmt.Sprintf(`{"id":1,"input":{"name":"Beacon","email":"beacon@example.com","notes":"beacon %d"}}`, number)
	var err error
	switch {
	case number%3 == 0:
		_, err = w.db.ExecContext(ctx, `UPDATE customers SET notes = $1 WHERE id = 1`, fmt.Sprintf("beacon %d", number))
	case number%3 == 1:
		err = w.s.call(ctx, w.apart, "customers_update", update, nil)
	case through != nil:
		err = w.s.call(ctx, through, "customers_update", update, nil)
	}
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, errUnknown) {
			w.s.problem("write %d: %v", number, err)
		}
		return
	}
	began := time.Now()
	for _, sub := range w.subscribers {
		for !sub.saw(number) {
			if ctx.Err() != nil {
				return
			}
			if time.Since(began) > patience {
				w.s.problem("%s has not heard of write %d within %v", sub.name, number, patience)
				return
			}
			time.Sleep(time.Millisecond)
		}
	}
	w.s.beacons.Add(1)
}

// again connects those to the app that was killed and started again.
func (w *watch) again(ctx context.Context) error {
	for _, sub := range w.subscribers {
		if sub.apart {
			continue
		}
		sub.mu.Lock()
		old := sub.c
		sub.mu.Unlock()
		_ = old.Close()
		if err := sub.open(ctx, w.s); err != nil {
			return err
		}
	}
	return nil
}

func (w *watch) close() {
	w.stop()
	w.work.Wait()
	for _, sub := range w.subscribers {
		_ = sub.c.Close()
	}
	_ = w.apart.Close()
	_ = w.db.Close()
}
