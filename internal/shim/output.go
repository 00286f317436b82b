package shim

import (
	"bufio"
	"io"
	"sync"
	"time"
)

// output is the client's end of the stream. After a failed write, the client is gone for good.
type output struct {
	to io.Writer

	mu  sync.Mutex
	w   *bufio.Writer
	err error
}

func newOutput(w io.Writer) *output {
	return &output{to: w, w: bufio.NewWriterSize(w, 64<<10)}
}

// write passes data on, at once when flush is set.
func (o *output) write(data []byte, flush bool) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		_, o.err = o.w.Write(data)
	}
	if o.err == nil && flush {
		o.err = o.w.Flush()
	}
	return o.err
}

// interrupt makes a blocked write return, and reports whether it could.
func (o *output) interrupt() bool {
	d, ok := o.to.(interface{ SetWriteDeadline(time.Time) error })
	return ok && d.SetWriteDeadline(time.Unix(1, 0)) == nil
}

// failed returns the error of an earlier write.
func (o *output) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
