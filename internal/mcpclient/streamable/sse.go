package streamable

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"time"
)

// prefixSize is how much of an over-long event is kept, in case the reader finds there which request it answers.
const prefixSize = 4 << 10

// event is one event of a stream.
type event struct {
	name    string // "" means message
	data    []byte // its lines joined by line feeds; the event owns it
	tooLong bool   // data is only the beginning
}

// events reads a stream of server-sent events. It is lenient as the format is: what it does not know it passes over.
type events struct {
	r     *bufio.Reader
	max   int // bytes of the data of an event
	begun bool
	cr    bool // The last line ended with a carriage return; a line feed after it belongs to that ending.

	lastID string        // of the last event that named one
	retry  time.Duration // how long the server wants us to wait before a reconnection
	timed  bool          // It said so.
}

func newEvents(r io.Reader, maxData int) *events {
	return &events{r: bufio.NewReaderSize(r, 8<<10), max: maxData}
}

// maxRetry bounds the wait before a reconnection.
const maxRetry = 5 * time.Minute

// next returns the next event that has data. An event without data may still have moved lastID. An event that the end of
// the stream cut off is dropped. The error is the stream's own, io.EOF at its regular end.
func (s *events) next() (event, error) {
	var e event
	var id string
	hasData, hasID := false, false
	for {
		line, tooLong, err := s.line()
		if err != nil {
			return event{}, err
		}
		if len(line) == 0 && !tooLong {
			if hasID {
				s.lastID = id
			}
			if hasData {
				return e, nil
			}
			e, hasID = event{}, false
			continue
		}
		name, value, _ := bytes.Cut(line, []byte{':'})
		value = bytes.TrimPrefix(value, []byte{' '})
		switch string(name) {
		case "event":
			e.name = string(value)
		case "data":
			e.add(value, hasData, tooLong, s.max)
			hasData = true
		case "id":
			if bytes.IndexByte(value, 0) < 0 && !tooLong && headerSafe(string(value)) {
				id, hasID = string(value), true
			}
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				s.retry, s.timed = min(time.Duration(ms)*time.Millisecond, maxRetry), true
			}
		}
	}
}

// add appends a line of data. Data that grows too long is cut to its beginning.
func (e *event) add(value []byte, more, tooLong bool, maxData int) {
	if e.tooLong {
		return
	}
	if more {
		e.data = append(e.data, '\n')
	}
	e.data = append(e.data, value...)
	if tooLong || len(e.data) > maxData {
		e.tooLong = true
		e.data = bytes.Clone(e.data[:min(len(e.data), prefixSize)])
	}
}

// line reads one line without its ending: \n, \r or \r\n. Of a line that is too long only the beginning is kept. The result
// is valid until the next call.
func (s *events) line() (line []byte, tooLong bool, err error) {
	if !s.begun {
		s.begun = true
		if bom, err := s.r.Peek(3); err == nil && string(bom) == "\xEF\xBB\xBF" {
			s.r.Discard(3) //nolint:errcheck // They were just peeked.
		}
	}
	for {
		part, err := s.part()
		if err != nil {
			return nil, false, err
		}
		if s.cr {
			s.cr = false
			if part[0] == '\n' {
				s.r.Discard(1) //nolint:errcheck // It was just peeked.
				continue
			}
		}
		i := bytes.IndexAny(part, "\r\n")
		keep := part
		if i >= 0 {
			keep = part[:i]
		}
		if line == nil {
			line = make([]byte, 0, len(keep))
		}
		// A field's name and the space after it come on top of the data.
		if !tooLong && len(line)+len(keep) > s.max+len("data: ") {
			tooLong = true
			line = append(line, keep...)
			line = bytes.Clone(line[:min(len(line), prefixSize+len("data: "))])
		} else if !tooLong {
			line = append(line, keep...)
		}
		if i >= 0 {
			s.cr = part[i] == '\r'
			s.r.Discard(i + 1) //nolint:errcheck // They were just peeked.
			return line, tooLong, nil
		}
		s.r.Discard(len(part)) //nolint:errcheck // They were just peeked.
	}
}

// part returns what is there to be read, at least one byte.
func (s *events) part() ([]byte, error) {
	if _, err := s.r.Peek(1); err != nil {
		return nil, err
	}
	return s.r.Peek(s.r.Buffered())
}
