package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/elyra-go/elyra/agent/internal/result"
)

// maxSearchers is how many files are searched at the same time.
const maxSearchers = 8

// Bounds of a line that is shown.
const (
	maxMatchLine = 400 // bytes
	beforeMatch  = 100 // of these, before the match
)

// hit is a line that matches, or one beside it.
type hit struct {
	number int // from 1
	text   string
	beside bool
}

// fileHits is what was found in one file.
type fileHits struct {
	path  string
	lines int // that match
	hits  []hit
	more  bool
}

// findings is what was found in all of them, in their order.
type findings struct {
	files    []fileHits
	searched int
	binary   int64
	large    int64
	unread   int64
}

// search searches files until the limit is reached.
func search(ctx context.Context, files []string, a grepArgs) *findings {
	all := make([]fileHits, len(files))
	var next, enough, binary, large, unread atomic.Int64
	var workers sync.WaitGroup
	for range min(maxSearchers, runtime.GOMAXPROCS(0), len(files)) {
		workers.Go(func() {
			var buffer bytes.Buffer
			for ctx.Err() == nil && enough.Load() <= int64(a.limit) {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				data, err := slurp(files[i], &buffer)
				switch {
				case errors.Is(err, errLarge):
					large.Add(1)
				case err != nil:
					unread.Add(1)
				case isBinary(data):
					binary.Add(1)
				default:
					all[i] = searchText(data, a)
					all[i].path = files[i]
					if a.Mode == modeLines {
						enough.Add(int64(all[i].lines))
					} else if all[i].lines > 0 {
						enough.Add(1)
					}
				}
			}
		})
	}
	workers.Wait()
	f := &findings{searched: min(int(next.Load()), len(files)), binary: binary.Load(), large: large.Load(), unread: unread.Load()}
	for _, one := range all {
		if one.lines > 0 {
			f.files = append(f.files, one)
		}
	}
	return f
}

// notes says what was left out.
func (f *findings) notes() []string {
	var notes []string
	for _, n := range []struct {
		count int64
		what  string
	}{{f.binary, "binary"}, {f.large, "larger than " + result.Size(maxWhole)}, {f.unread, "not readable"}} {
		if n.count > 0 {
			notes = append(notes, fmt.Sprintf("%s left out: %s", count(int(n.count), "file"), n.what))
		}
	}
	return notes
}

var errLarge = errors.New("the file is too large")

// slurp reads a file into a buffer that is used again.
func slurp(path string, buffer *bytes.Buffer) ([]byte, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, os.ErrInvalid
	case info.Size() > maxWhole:
		return nil, errLarge
	}
	buffer.Reset()
	buffer.Grow(int(info.Size()) + bytes.MinRead)
	if _, err := buffer.ReadFrom(io.LimitReader(f, maxWhole+1)); err != nil {
		return nil, err
	}
	if buffer.Len() > maxWhole {
		return nil, errLarge
	}
	return buffer.Bytes(), nil
}

// searchText finds the lines of a text that match. The expression is tried on all of the text, which is fast, and what it
// finds is tried again on the line alone, because a match must not go beyond it.
func searchText(data []byte, a grepArgs) fileHits {
	if !a.needs.in(data) {
		return fileHits{}
	}
	if bytes.Contains(data, []byte("\r\n")) {
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	}
	var f fileHits
	var matches []match
	number, counted := 1, 0 // the number of the line at counted
	for at := 0; at < len(data); {
		m := a.re.FindIndex(data[at:])
		if m == nil || at+m[0] >= len(data) {
			break
		}
		start := bytes.LastIndexByte(data[:at+m[0]], '\n') + 1
		end := lineEnd(data, start)
		at = end + 1
		within := a.re.FindIndex(data[start:end])
		if within == nil {
			continue
		}
		if f.lines++; a.Mode == modeFiles {
			return f
		}
		if a.Mode == modeCount {
			continue
		}
		if f.more = f.lines > a.limit; f.more {
			break
		}
		number += bytes.Count(data[counted:start], []byte("\n"))
		counted = start
		matches = append(matches, match{number, start, end, within[0]})
	}
	f.hits = withContext(data, matches, a.around)
	return f
}

// match is a line that matches: its number, where it is, and where in it the match begins.
type match struct{ number, start, end, within int }

// withContext returns the lines that match with up to n lines before and after each, none twice.
func withContext(data []byte, matches []match, n int) []hit {
	var hits []hit
	shown := 0
	for i, m := range matches {
		hits = append(hits, linesBefore(data, shown, m.start, m.number, n)...)
		hits = append(hits, hit{number: m.number, text: clipAround(data[m.start:m.end], m.within)})
		stop := len(data)
		if i+1 < len(matches) {
			stop = matches[i+1].start
		}
		var after []hit
		after, shown = linesAfter(data, m.end+1, stop, m.number, n)
		hits = append(hits, after...)
	}
	return hits
}

func lineEnd(data []byte, start int) int {
	if i := bytes.IndexByte(data[start:], '\n'); i >= 0 {
		return start + i
	}
	return len(data)
}

// linesBefore returns up to n lines that end at start and begin at from or later.
func linesBefore(data []byte, from, start, number, n int) []hit {
	var hits []hit
	for ; n > 0 && start > from; n-- {
		begin := bytes.LastIndexByte(data[:start-1], '\n') + 1
		number--
		hits = append([]hit{{number, clipAround(data[begin:start-1], 0), true}}, hits...)
		start = begin
	}
	return hits
}

// linesAfter returns up to n lines from at on that begin before stop, and where they end.
func linesAfter(data []byte, at, stop, number, n int) ([]hit, int) {
	var hits []hit
	for ; n > 0 && at < stop; n-- {
		end := lineEnd(data, at)
		number++
		hits = append(hits, hit{number, clipAround(data[at:end], 0), true})
		at = end + 1
	}
	return hits, min(at, len(data))
}

// clipAround returns a line, or when it is long the part of it around a match.
func clipAround(line []byte, match int) string {
	s := strings.ReplaceAll(string(line), "\r", "␍")
	if len(s) > maxMatchLine {
		from := 0
		if match > beforeMatch {
			from = result.CutAt(s, min(match, len(s))-beforeMatch)
		}
		to := result.CutAt(s, min(from+maxMatchLine, len(s)))
		note := fmt.Sprintf(" [the line has %s]", result.Size(len(s)))
		s = s[from:to] + "…" + note
		if from > 0 {
			s = "…" + s
		}
	}
	return result.Clean(s)
}
