package session

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// content is what a file holds.
type content struct {
	header  Header
	entries []Entry
	parents []int          // index of each entry's parent, -1 at a root; always less than its own
	byID    map[string]int // the last entry with an id
	sum     Sum
	whole   int64 // bytes up to the end of the last whole line
	open    bool  // the last line is whole but lacks its line break
	damage  []string
	unsaid  int // damage beyond maxDamage
}

// maxDamage is how much of what is wrong with a file is said.
const maxDamage = 20

func (c *content) say(format string, args ...any) {
	if len(c.damage) == maxDamage {
		c.unsaid++
		return
	}
	c.damage = append(c.damage, fmt.Sprintf(format, args...))
}

// parse reads a file. It takes everything: what makes no sense is passed over and said. The path gives what a damaged header
// does not say any more.
func parse(path string, data []byte) *content {
	c := &content{byID: map[string]int{}}
	lines := bytes.SplitAfter(data, []byte("\n"))
	if last := len(lines) - 1; len(lines[last]) == 0 {
		lines = lines[:last]
	}
	entries := decodeAll(lines)
	for i, text := range lines {
		torn := !bytes.HasSuffix(text, []byte("\n"))
		ok := c.take(text, entries[i], i == 0)
		switch {
		case !ok && torn:
			c.say("line %d was cut off after %d bytes: it is taken away", i+1, len(text))
			return c.named(path)
		case !ok && i == 0:
			c.say("line 1 is damaged: where the session began is not known")
		case !ok && len(bytes.TrimSpace(text)) > 0:
			c.say("line %d is damaged: it is passed over", i+1)
		}
		c.open = torn
		c.whole += int64(len(text))
	}
	return c.named(path)
}

// decodeAll reads lines as entries, nil for one that is none. Most of the time of opening a long session is spent here, so
// that all processors take part.
func decodeAll(lines [][]byte) []*Entry {
	entries := make([]*Entry, len(lines))
	const few = 200
	workers := min(runtime.GOMAXPROCS(0), 1+len(lines)/few)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := len(lines) * w / workers; i < len(lines)*(w+1)/workers; i++ {
				if e, ok := decodeEntry(bytes.TrimSpace(lines[i])); ok {
					entries[i] = &e
				}
			}
		})
	}
	all.Wait()
	return entries
}

// take adds a line and reports whether it made sense.
func (c *content) take(text []byte, e *Entry, first bool) bool {
	if first {
		if h, ok := decodeHeader(text); ok {
			c.header = h
			return true
		}
	}
	if e != nil {
		c.add(*e)
	}
	return e != nil
}

// add adds an entry. A parent that is not there was damaged, or never was: the last good entry takes its place.
func (c *content) add(e Entry) {
	parent := -1
	if e.Parent != "" {
		var ok bool
		if parent, ok = c.byID[e.Parent]; !ok {
			parent = len(c.entries) - 1
			c.say("entry %s hung on a line that is gone: it hangs on the one before now", e.ID)
		}
	}
	c.byID[e.ID] = len(c.entries)
	c.entries = append(c.entries, e)
	c.parents = append(c.parents, parent)
	c.sum.add(e)
}

// named fills what the header does not say from the file's name: <time>_<id>.jsonl.
func (c *content) named(path string) *content {
	if c.header.ID != "" && validID(c.header.ID) {
		return c
	}
	at, id, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), suffix), "_")
	c.header = Header{Type: "session", Version: version, ID: id, Cwd: c.header.Cwd, Parent: c.header.Parent, Owner: c.header.Owner}
	if !validID(id) {
		c.header.ID = "unknown"
	}
	if created, err := time.Parse(nameTime, at); err == nil {
		c.header.Created = created
	}
	return c
}

// path returns the indices of the entries from the root to an entry.
func (c *content) path(leaf int) []int {
	n := 0
	for i := leaf; i >= 0; i = c.parents[i] {
		n++
	}
	list := make([]int, n)
	for i := leaf; i >= 0; i = c.parents[i] {
		n--
		list[n] = i
	}
	return list
}

// next is what a new entry hangs on: the last line. A leaf entry is only a pointer, so its parent is.
func (c *content) next(last int) int {
	for last >= 0 && c.entries[last].Kind == KindLeaf {
		last = c.parents[last]
	}
	return last
}
