package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// startApp starts the app and waits until agents find it.
func (s *soak) startApp() error {
	log, err := os.OpenFile(filepath.Join(s.dir, "app.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	s.app = exec.Command(s.program, "--headless")
	s.app.Env, s.app.Stdout, s.app.Stderr = s.environ(false), log, log
	if err := s.app.Start(); err != nil {
		return err
	}
	for range 500 {
		c, err := s.connect(context.Background(), "probe", "", false, nil)
		if err == nil {
			pid := s.servedBy(c)
			err = c.Close()
			if pid == s.app.Process.Pid {
				return err
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	return errors.New("the app was not found by an agent within 10 s")
}

// servedBy is the app's process when the connection goes there: its shim holds a socket to it and no database.
func (s *soak) servedBy(c *connected) int {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", c.cmd.Load().Process.Pid))
	for _, file := range files {
		if target, _ := os.Readlink(file); strings.HasPrefix(target, s.database) {
			return 0
		}
	}
	return s.app.Process.Pid
}

// stopApp ends the app as a user would, and looks whether a process of it is left.
func (s *soak) stopApp() {
	_ = s.app.Process.Signal(syscall.SIGTERM)
	if err := s.app.Wait(); err != nil {
		s.problem("the app ended with %v", err)
	}
	// Agents that were killed have a moment to be noticed.
	var left []string
	for range 100 {
		if left = s.processes(); len(left) == 0 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.problem("processes are left: %s", strings.Join(left, " "))
}

// processes are the ids of all processes of the program.
func (s *soak) processes() (list []string) {
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if target, _ := os.Readlink(link); target == s.program {
			list = append(list, filepath.Base(filepath.Dir(link)))
		}
	}
	return list
}

// warm has the app do much at once, so that it holds what it keeps for such times: connections to its database.
func (s *soak) warm(ctx context.Context) error {
	c, err := s.connect(ctx, "warming up", "", false, nil)
	if err != nil {
		return err
	}
	var work sync.WaitGroup
	for range 32 {
		work.Go(func() {
			for range 20 {
				if err := s.call(ctx, c, "customers_index", `{"query":{"search":"a","perPage":100}}`, nil); err != nil {
					s.problem("warming up: %v", err)
				}
			}
		})
	}
	work.Wait()
	return c.Close()
}

// held is what the running app holds while no agent is there but the one that asks.
type held struct {
	Goroutines  int   `json:"goroutines"`
	HeapBytes   int64 `json:"heapBytes"`
	descriptors int
}

func (s *soak) held(ctx context.Context) (h held, err error) {
	c, err := s.connect(ctx, "auditor", "", false, nil)
	if err != nil {
		return h, err
	}
	err = s.call(ctx, c, "soak_held", `{}`, &h)
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", s.app.Process.Pid))
	h.descriptors = len(files)
	return h, errors.Join(err, c.Close())
}

// compare says whether the app holds more than before. It may need a moment to let go of the last agents.
func (s *soak) compare(ctx context.Context, before held) {
	const moreGoroutines, moreDescriptors, moreHeap = 6, 6, 16 << 20
	var after held
	for range 50 {
		var err error
		if after, err = s.held(ctx); err != nil {
			s.problem("what does the app hold? %v", err)
			return
		}
		if after.Goroutines <= before.Goroutines+moreGoroutines && after.descriptors <= before.descriptors+moreDescriptors && after.HeapBytes <= before.HeapBytes+moreHeap {
			s.note("the app holds %d goroutines (%d at first), %d descriptors (%d), %.1f MB (%.1f)", after.Goroutines, before.Goroutines,
				after.descriptors, before.descriptors, float64(after.HeapBytes)/(1<<20), float64(before.HeapBytes)/(1<<20))
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	s.problem("the app keeps something: %+v, at first %+v", after, before)
}
