// Command soak lets agents come and go for a while, with all that goes wrong in real life, and then counts.
//
// An app runs, agents call it through `app --mcp`, change and delete customers, answer confirmations, and end well or by
// kill -9. Three processes write: the running app, one without a window beside it, and this one. Subscribers of both have
// to hear of every write that was acknowledged. The app itself is killed and started again. In the end no acknowledged
// write may be lost, no notification missed, and no process, goroutine, descriptor or memory kept.
//
// It exits with 1 when something of that is not so, and prints each case. It must not import package elyra: what it sees is
// what any MCP client sees.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	length := flag.Duration("for", 5*time.Minute, "how long")
	agents := flag.Int("agents", 4, "how many agents work at once")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of chance")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp("", "elyra-soak-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
	fmt.Printf("soak: %v, %d agents at once, seed %d\n", *length, *agents, *seed)
	s := &soak{dir: dir, database: filepath.Join(dir, "soak.db"), seed: *seed}
	err = s.run(ctx, *length, *agents)
	if err != nil {
		s.problem("%v", err)
	}
	s.report()
	if len(s.problems) > 0 {
		fmt.Fprintf(os.Stderr, "soak: %d problems; what the app wrote is in %s\n", len(s.problems), dir)
		os.Exit(1)
	}
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// soak is one run.
type soak struct {
	dir      string
	program  string
	database string
	seed     uint64
	ledger   ledger

	// steady is held while a write is followed to its subscribers, and taken to kill the app.
	steady sync.RWMutex
	app    *exec.Cmd

	calls, lost, killed, ended, declined, beacons, restarts atomic.Int64

	mu       sync.Mutex
	problems []string
	notes    []string
}

// problem remembers something that must not be.
func (s *soak) problem(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	fmt.Fprintln(os.Stderr, "soak: problem:", text)
	s.problems = append(s.problems, text)
}

func (s *soak) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// run lets everything happen. The app is killed now and then in the first half, so that the second shows what it keeps.
func (s *soak) run(ctx context.Context, length time.Duration, agents int) error {
	s.program = filepath.Join(s.dir, "app")
	build := exec.CommandContext(ctx, "go", "build", "-o", s.program, "github.com/elyra-go/elyra/examples/crm/soak/app")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the app: %w\n%s", err, out)
	}
	if err := s.startApp(); err != nil {
		return err
	}
	defer s.stopApp()
	if err := s.warm(ctx); err != nil {
		return err
	}
	before, err := s.held(ctx)
	if err != nil {
		return err
	}
	w, err := s.watch(ctx)
	if err != nil {
		return err
	}
	began := time.Now()
	all, end := context.WithDeadline(ctx, began.Add(length))
	defer end()
	var work sync.WaitGroup
	for i := range agents {
		work.Go(func() {
			chance := rand.New(rand.NewPCG(s.seed, uint64(i)))
			for life := 0; all.Err() == nil; life++ {
				s.live(all, fmt.Sprintf("%d-%d", i, life), chance)
			}
		})
	}
	work.Go(func() { w.send(all) })
	work.Go(func() { s.disturb(all, w, began.Add(length/2)) })
	work.Wait()
	w.close()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.compare(ctx, before)
	return s.check(ctx)
}

// disturb kills the app and starts it again until the time comes.
func (s *soak) disturb(ctx context.Context, w *watch, until time.Time) {
	const pause = 15 * time.Second
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		if time.Now().After(until) {
			return
		}
		s.steady.Lock()
		_ = s.app.Process.Kill()
		_ = s.app.Wait()
		s.restarts.Add(1)
		err := s.startApp()
		if err == nil {
			err = w.again(ctx)
		}
		s.steady.Unlock()
		if err != nil && ctx.Err() == nil {
			s.problem("after a kill: %v", err)
			return
		}
	}
}

func (s *soak) report() {
	for _, line := range s.notes {
		fmt.Println("soak:", line)
	}
	fmt.Printf("soak: %d calls, %d of them without an answer; %d agents ended, %d were killed; %d deletions declined; %d writes followed to all subscribers; the app was killed %d times; %d problems\n",
		s.calls.Load(), s.lost.Load(), s.ended.Load(), s.killed.Load(), s.declined.Load(), s.beacons.Load(), s.restarts.Load(), len(s.problems))
}
