package dev

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Saving takes more than one event, and an editor saves many files at once: after the first event comes
// a pause of quiet, within longest.
const (
	quiet   = 60 * time.Millisecond
	longest = time.Second
)

// changed is a change of what an app is made of.
type changed struct {
	file     string // one that changed, relative to the app's folder
	settings bool   // elyra.toml is among them
	at       time.Time
}

// watcher tells of changes.
type watcher struct {
	changes chan changed

	dir    string
	events *fsnotify.Watcher
	ended  chan struct{}
	stop   chan struct{}

	mu     sync.Mutex
	source source
	pages  string // the folder of the pages' files, which windows show as they are on the disk; or ""
}

// watch begins to watch the app in a folder. close ends it.
func watch(ctx context.Context, dir string) (*watcher, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("watch the sources: %w", err)
	}
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch the sources: %w", err)
	}
	w := &watcher{dir: dir, events: events, changes: make(chan changed), ended: make(chan struct{}), stop: make(chan struct{})}
	if err := w.add(dir); err != nil {
		return nil, errors.Join(err, events.Close())
	}
	go w.run()
	return w, nil
}

// follow asks what the app is made of now, and watches that.
func (w *watcher) follow(ctx context.Context) error {
	s, err := list(ctx, w.dir)
	if err != nil || ctx.Err() != nil {
		return err
	}
	w.mu.Lock()
	w.source, w.pages = s, s.pages()
	w.mu.Unlock()
	for _, folder := range s.folders {
		if err := w.events.Add(folder); err != nil {
			return fmt.Errorf("watch %s: %w", folder, err)
		}
	}
	for _, file := range s.files {
		// The folder: editors replace files.
		if err := w.events.Add(filepath.Dir(file)); err != nil {
			return fmt.Errorf("watch %s: %w", file, err)
		}
	}
	for _, root := range s.roots() {
		if err := w.add(root); err != nil {
			return err
		}
	}
	return nil
}

// add watches a folder and all below it.
func (w *watcher) add(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // gone meanwhile
		case err != nil:
			return fmt.Errorf("watch %s: %w", path, err)
		case !entry.IsDir():
			return nil
		case path != folder && foreign(entry.Name()):
			return fs.SkipDir
		}
		if err := w.events.Add(path); err != nil {
			return fmt.Errorf("watch %s: %w", path, err)
		}
		return nil
	})
}

// foreign reports whether a folder has nothing of an app's sources.
func foreign(name string) bool {
	return name == "node_modules" || name == "bin" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// run turns events into changes until the watcher is closed.
func (w *watcher) run() {
	defer close(w.ended)
	var pending *changed
	var due <-chan time.Time
	var out chan changed
	var next changed
	for {
		select {
		case <-w.stop:
			return
		case event, ok := <-w.events.Events:
			if !ok {
				return
			}
			relevant, settings := w.look(event)
			if !relevant {
				continue
			}
			now := time.Now()
			if pending == nil {
				pending = &changed{file: w.shown(event.Name), at: now}
			}
			pending.settings = pending.settings || settings
			due = time.After(min(quiet, max(0, longest-now.Sub(pending.at))))
		case <-due:
			next, out, pending, due = *pending, w.changes, nil, nil
		case out <- next:
			out = nil
		case _, ok := <-w.events.Errors:
			if !ok {
				return
			}
			// Events were lost, of which files is not known.
			pending, due = &changed{file: "something", at: time.Now()}, time.After(quiet)
		}
	}
}

func (w *watcher) shown(path string) string {
	if relative, err := filepath.Rel(w.dir, path); err == nil {
		return filepath.ToSlash(relative)
	}
	return path
}

// look decides whether an event is one of a file that the app is made of. Folders that are new are watched.
func (w *watcher) look(event fsnotify.Event) (relevant, settings bool) {
	if event.Op == fsnotify.Chmod {
		return false, false
	}
	name := filepath.Base(event.Name)
	if event.Has(fsnotify.Create) {
		if info, err := os.Stat(event.Name); err == nil && info.IsDir() {
			if foreign(name) {
				return false, false
			}
			// What could be in it already was not seen; in doubt it is built again.
			return w.add(event.Name) == nil && !within(w.shownPages(), event.Name) && hasFiles(event.Name), false
		}
	}
	switch {
	case passing(name):
		return false, false
	case name == "elyra.toml":
		return filepath.Dir(event.Name) == w.dir, true
	case name == "go.mod", name == "go.sum", name == "go.work":
		return true, false
	case strings.HasSuffix(name, ".go"):
		// What is generated is written by the build itself.
		return !strings.HasSuffix(name, "_test.go") && name != "elyra_gen.go", false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return !within(w.pages, event.Name) && w.source.embeds(event.Name), false
}

// shownPages is the folder of the pages' files that windows show as they are, or "".
func (w *watcher) shownPages() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pages
}

// within reports whether a file is below a folder; "" is none.
func within(folder, file string) bool {
	relative, err := filepath.Rel(folder, file)
	return folder != "" && err == nil && filepath.IsLocal(relative)
}

// hasFiles reports whether a folder, or one below it, has a file.
func hasFiles(folder string) bool {
	found := false
	_ = filepath.WalkDir(folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// passing reports whether a file is one that editors and tools keep for a moment beside the real one.
func passing(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~") || name == "4913" ||
		strings.HasSuffix(name, ".swp") || strings.HasSuffix(name, ".swx") || strings.HasSuffix(name, ".tmp")
}

func (w *watcher) close() error {
	close(w.stop)
	<-w.ended
	return w.events.Close()
}
