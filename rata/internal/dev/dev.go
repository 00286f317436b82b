package dev

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Options of Run. All but Args and Assets are required.
type Options struct {
	// Dir is the folder of the app's main package.
	Dir string
	// Args are what the app is started with.
	Args []string
	// Build generates and compiles into an empty folder and gives the program's path. What is wrong with the
	// sources it says itself, by an error that is ErrSaid.
	Build func(ctx context.Context, folder string) (string, error)
	// Environ is what is added to the environment of the app, asked for at each start. The app shows the files of
	// pages, a folder, as they are on the disk; "" when there is no such folder, or more than one.
	Environ func(pages string) ([]string, error)
	// Frontend is closed when what shows the pages has ended, and there is nothing to go on with. Nil: never.
	Frontend <-chan struct{}
	// Say tells the person one thing, in a line.
	Say func(format string, args ...any)
	// Output is where the app's own output goes.
	Output Output
}

// Output is the app's standard output and standard error.
type Output struct {
	Stdout, Stderr interface{ Write([]byte) (int, error) }
}

// ErrSaid is the error of a build that said itself what is wrong.
var ErrSaid = errors.New("see above")

// ErrEnded is the error of Run when the app ended in a way that another start would not mend.
type ErrEnded struct{ Code int }

func (e *ErrEnded) Error() string { return fmt.Sprintf("the app ended with the exit code %d", e.Code) }

// The exit codes of an app that cannot open its window: no library, no display, wrong use, already open.
const (
	noLibrary = 3
	noDisplay = 4
	wrongUse  = 2
	isRunning = 5
)

// Run builds the app, starts it, and does so again whenever its sources change, until ctx ends, the
// app is closed, or it cannot start for a reason that lies outside of its sources.
func Run(ctx context.Context, o Options) (err error) {
	folder, err := os.MkdirTemp("", "rata-dev-")
	if err != nil {
		return fmt.Errorf("dev: %w", err)
	}
	l := &loop{options: o, folder: folder, built: make(chan result)}
	w, err := watch(ctx, o.Dir)
	if err != nil {
		return errors.Join(err, os.RemoveAll(folder))
	}
	l.watcher = w
	defer func() {
		l.end()
		err = errors.Join(err, w.close(), os.RemoveAll(folder))
	}()
	return l.run(ctx)
}

// loop is one run of Run. Its fields belong to the goroutine of run.
type loop struct {
	options Options
	folder  string
	watcher *watcher

	app     *app
	exited  chan int // of the app; nil when none runs
	builds  int
	cancel  context.CancelFunc // of the build that runs; nil when none does
	built   chan result
	again   bool // something changed while a build ran
	restart bool // the app starts again even if it is built as before
	since   time.Time
}

// result is what a build came to.
type result struct {
	folder, path string
	err          error
	unwatched    error // why changes may go unnoticed
}

func (l *loop) run(ctx context.Context) error {
	l.since = time.Now()
	l.options.Say("building")
	l.build(ctx)
	for {
		select {
		case <-ctx.Done():
			return nil
		case c := <-l.watcher.changes:
			l.since = c.at
			l.restart = l.restart || c.settings
			l.options.Say("%s changed: building", c.file)
			l.build(ctx)
		case r := <-l.built:
			l.cancel()
			l.cancel = nil
			if l.again {
				l.again = false
				l.discard(r)
				l.build(ctx)
				continue
			}
			if err := l.take(ctx, r); err != nil {
				return err
			}
		case <-l.options.Frontend:
			if ctx.Err() != nil {
				return nil
			}
			return errors.New("the frontend's development server ended")
		case code := <-l.exited:
			l.exited, l.app = nil, nil
			if err, done := l.ended(code); done {
				return err
			}
		}
	}
}

// build starts a build, or has the one that runs give way to another.
func (l *loop) build(ctx context.Context) {
	if l.cancel != nil {
		l.again = true
		l.cancel()
		return
	}
	building, cancel := context.WithCancel(ctx)
	l.cancel = cancel
	l.builds++
	folder := filepath.Join(l.folder, strconv.Itoa(l.builds))
	go func() {
		r := result{folder: folder, err: os.Mkdir(folder, 0o700)}
		followed := make(chan error, 1)
		go func() { followed <- l.watcher.follow(building) }()
		if r.err == nil {
			r.path, r.err = l.options.Build(building, folder)
		}
		r.unwatched = <-followed
		l.built <- r
	}()
}

// take starts what was built in place of what runs.
func (l *loop) take(ctx context.Context, r result) error {
	if ctx.Err() != nil {
		l.discard(r)
		return nil
	}
	if r.unwatched != nil {
		l.options.Say("%v", r.unwatched)
	}
	if r.err != nil {
		l.discard(r)
		if !errors.Is(r.err, ErrSaid) {
			l.options.Say("%v", r.err)
		}
		if l.app != nil {
			l.options.Say("not built: the app from before goes on")
		} else {
			l.options.Say("not built: waiting for a change")
		}
		return nil
	}
	if l.app != nil && !l.restart && sameFile(l.app.path, r.path) {
		l.discard(r)
		l.options.Say("nothing that the app is made of has changed")
		return nil
	}
	environ, err := l.options.Environ(l.watcher.shownPages())
	if err != nil {
		l.discard(r)
		l.options.Say("%v", err)
		return nil
	}
	l.restart = false
	again := l.app != nil
	l.stop()
	a, err := start(r, l.options, environ)
	if err != nil {
		l.discard(r)
		return fmt.Errorf("start the app: %w", err)
	}
	l.app, l.exited = a, a.exited
	verb := "started"
	if again {
		verb = "started again"
	}
	l.options.Say("%s, %d ms", verb, time.Since(l.since).Milliseconds())
	return nil
}

// ended decides what the end of the app means.
func (l *loop) ended(code int) (err error, done bool) {
	switch code {
	case 0:
		l.options.Say("the app was closed")
		return nil, true
	case noLibrary, noDisplay:
		l.options.Say("go on without a window: rata dev -- --headless")
		return &ErrEnded{code}, true
	case wrongUse, isRunning:
		return &ErrEnded{code}, true
	}
	l.options.Say("the app ended with the exit code %d: waiting for a change", code)
	return nil, false
}

// stop ends the app that runs, and removes its program.
func (l *loop) stop() {
	if l.app == nil {
		return
	}
	l.app.stop()
	<-l.exited
	l.discard(result{folder: l.app.folder})
	l.app, l.exited = nil, nil
}

// end ends all that runs.
func (l *loop) end() {
	if l.cancel != nil {
		l.cancel()
		<-l.built
	}
	l.stop()
}

func (l *loop) discard(r result) {
	if err := os.RemoveAll(r.folder); err != nil {
		l.options.Say("%v", err)
	}
}
