package shim

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/elyra-go/elyra/internal/wire"
)

// piece is a line with its line ending, or a part of a line too long to be held.
type piece struct {
	data  []byte
	first bool // the line begins here
	last  bool // the line ends here
	torn  bool // the stream ended before the line did
}

// lineReader splits a stream into lines. A line over the limit comes in pieces, so that it can be passed
// on without being held; whoever serves answers it.
type lineReader struct {
	r     *bufio.Reader
	limit int
	long  []byte
	inner bool // within a line of which a piece has been returned
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), limit: wire.DefaultMaxLine}
}

// next returns the next piece, valid until the following call, and the stream's error when nothing is
// left.
func (l *lineReader) next() (piece, error) {
	l.long = l.long[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		full := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !full && len(part)+len(l.long) == 0 {
			return piece{}, err
		}
		data := part
		if full || len(l.long) > 0 {
			l.long = append(l.long, part...)
			data = l.long
		}
		if full && !l.inner && len(data) <= l.limit {
			continue
		}
		p := piece{data: data, first: !l.inner, last: !full, torn: err != nil && !full}
		l.inner = full
		if cap(l.long) > 1<<20 && !full {
			l.long = nil // data keeps it for now; the next line is probably short again
		}
		return p, nil
	}
}

// waiting reports whether another whole line has already arrived.
func (l *lineReader) waiting() bool {
	arrived, _ := l.r.Peek(l.r.Buffered())
	return bytes.IndexByte(arrived, '\n') >= 0
}
