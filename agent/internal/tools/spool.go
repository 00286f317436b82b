package tools

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/elyra-go/elyra/agent/internal/result"
)

// Bounds of what a command prints.
const (
	maxMemory = 128 << 10 // kept of the beginning, and of the end
	maxSpool  = 64 << 20  // kept in the file
	maxFlood  = 256 << 20 // a command that prints more is ended
)

// spool takes what a command prints: the beginning and the end stay in memory, all of it goes to a file when it is much.
type spool struct {
	folder   string
	progress func([]byte)
	flooded  func() // called when it is more than maxFlood

	mu     sync.Mutex
	head   []byte
	tail   []byte
	total  int64
	lines  int
	file   *os.File
	filed  int64
	failed error // why there is no file, or not all of it
}

// Write never fails: a command must not end because its output cannot be kept.
func (s *spool) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.total
	s.total += int64(len(p))
	s.lines += bytes.Count(p, []byte("\n"))
	if s.tail == nil && len(s.head)+len(p) <= maxMemory {
		s.head = append(s.head, p...)
	} else {
		s.spill(p)
		if s.tail = append(s.tail, p...); len(s.tail) > 2*maxMemory {
			s.tail = append([]byte(nil), s.tail[len(s.tail)-maxMemory:]...)
		}
	}
	if s.progress != nil {
		s.progress(p)
	}
	if before <= maxFlood && s.total > maxFlood {
		s.flooded()
	}
	return len(p), nil
}

// spill writes to the file, which it makes the first time.
func (s *spool) spill(p []byte) {
	if s.folder == "" || s.failed != nil || s.filed >= maxSpool {
		return
	}
	if s.file == nil {
		if s.failed = os.MkdirAll(s.folder, 0o700); s.failed != nil {
			return
		}
		if s.file, s.failed = os.CreateTemp(s.folder, "output-*.txt"); s.failed != nil {
			return
		}
		p = append(append([]byte(nil), s.head...), p...)
	}
	p = p[:min(int64(len(p)), maxSpool-s.filed)]
	n, err := s.file.Write(p)
	s.filed += int64(n)
	s.failed = err
}

// finish returns what is shown of the output, clean and within the limits, and the file with all of it.
func (s *spool) finish(limits result.Limits) (text, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		if err := s.file.Close(); err != nil && s.failed == nil {
			s.failed = err
		}
		if abs, err := filepath.Abs(s.file.Name()); err == nil {
			path = abs
		}
	}
	if s.tail == nil {
		// An error is told by the text itself: that the rest was not kept.
		text, path, _ = result.Fit(result.Clean(string(overwritten(s.head))), limits, s.folder)
		return text, path
	}
	head := s.head[:bytes.LastIndexByte(s.head, '\n')+1]
	tail := s.tail
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && len(tail) > maxMemory/2 {
		tail = tail[i+1:]
	}
	if len(head) == 0 {
		head = s.head
	}
	shown, end := result.Split(result.Clean(string(overwritten(head)))+result.Clean(string(overwritten(tail))),
		result.Limits{Bytes: limits.Bytes - 300 - len(path), Lines: limits.Lines - 1})
	if shown != "" && !strings.HasSuffix(shown, "\n") {
		shown += "\n"
	}
	left := s.lines - result.CountLines(shown) - result.CountLines(end)
	return fmt.Sprintf("%s[about %d lines of %d left out; the output has %s%s]\n%s",
		shown, max(left, 0), s.lines, result.Size(int(s.total)), s.where(path), end), path
}

// where says where the rest is.
func (s *spool) where(path string) string {
	switch {
	case path == "":
		return " and was not kept"
	case s.failed != nil:
		return fmt.Sprintf("; what could be kept of it (%s) is in %s", rootCause(s.failed), path)
	case s.filed < s.total:
		return fmt.Sprintf("; the first %s are in %s", result.Size(int(s.filed)), path)
	}
	return "; all of it is in " + path
}

// overwritten leaves out what a terminal would write over: of each line, what is before its last carriage return, as progress
// bars print them.
func overwritten(data []byte) []byte {
	if bytes.IndexByte(data, '\r') < 0 {
		return data
	}
	var out []byte
	for line := range bytes.Lines(data) {
		body, ended := bytes.CutSuffix(line, []byte("\n"))
		body = bytes.TrimRight(body, "\r")
		if i := bytes.LastIndexByte(body, '\r'); i >= 0 {
			body = body[i+1:]
		}
		out = append(out, body...)
		if ended {
			out = append(out, '\n')
		}
	}
	return out
}
