package terminal

import (
	"bufio"
	"context"
	"io"
	"time"
)

// Device is the terminal that a person sits at, whatever standard input and output are.
type Device interface {
	io.ReadWriteCloser
	SetReadDeadline(time.Time) error // may be refused by a device that knows none
}

// lines reads a device line by line until a context ends.
type lines struct {
	device Device
	r      *bufio.Reader
}

func newLines(d Device) *lines { return &lines{d, bufio.NewReader(io.LimitReader(d, maxTyped))} }

// maxTyped bounds what is read from a terminal in one conversation.
const maxTyped = 1 << 20

// next reads a line. Not every system can wake a read from a terminal. There the goroutine that reads outlives this call
// until a line comes or the process ends; it touches nothing else.
func (l *lines) next(ctx context.Context) (string, error) {
	type answer struct {
		line string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		line, err := l.r.ReadString('\n')
		answers <- answer{line, err}
	}()
	select {
	case a := <-answers:
		return a.line, a.err
	case <-ctx.Done():
		if l.device.SetReadDeadline(time.Unix(1, 0)) == nil {
			<-answers
		}
		return "", ctx.Err()
	}
}
