package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// prefixSize is how much of an over-long line is kept to look for its id.
const prefixSize = 4 << 10

// Reader splits a stream into lines. It is not safe for concurrent use.
type Reader struct {
	r      *bufio.Reader
	limits Limits
	err    error // what ended the stream, when the line before it is still delivered
}

// NewReader returns a Reader on r.
func NewReader(r io.Reader, l Limits) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 64<<10), limits: l.withDefaults()}
}

// Next returns the next line that is not blank, without its line ending (\n or \r\n).
// The last line of a stream may lack its ending. The line belongs to the caller.
//
// A line over the limit is read to its end without being kept: Next returns an *Error to
// answer it with, and the beginning of the line in case [RequestID] finds its id there. The
// following call continues with the next line. Any other error is the stream's own, io.EOF
// at its regular end.
func (r *Reader) Next() ([]byte, error) {
	for {
		line, err := r.line()
		if line != nil || err != nil {
			return line, err
		}
	}
}

// line reads one line and returns nil, nil for a blank one.
func (r *Reader) line() ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	var long []byte // collects a line that does not fit the buffer of r
	tooLong := false
	for {
		part, err := r.r.ReadSlice('\n')
		full := errors.Is(err, bufio.ErrBufferFull)
		if err == nil || full || len(part) > 0 {
			if !tooLong && len(long)+len(bytes.TrimRight(part, "\r\n")) > r.limits.MaxLine {
				tooLong = true
				long = append(long, part...)
				long = bytes.Clone(long[:min(len(long), prefixSize)])
			} else if !tooLong && (full || len(long) > 0) {
				long = append(long, part...)
			}
		}
		if full {
			continue
		}
		return r.finish(part, long, tooLong, err)
	}
}

// finish turns what was read of one line into the result of Next.
func (r *Reader) finish(part, long []byte, tooLong bool, err error) ([]byte, error) {
	r.err = err
	if tooLong {
		return long, Errorf(CodeInvalidRequest, "the line is longer than %d bytes", r.limits.MaxLine)
	}
	line := part
	if len(long) > 0 {
		line = long // it was appended to a slice of its own, so it can be handed out
	}
	line = bytes.TrimRight(line, "\r\n")
	if len(bytes.TrimSpace(line)) == 0 {
		return nil, err
	}
	if len(long) == 0 {
		line = bytes.Clone(line)
	}
	return line, nil
}
