package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// ErrFull is returned by [Writer.Send] when the peer has stopped reading for so long that
// the queue is full.
var ErrFull = errors.New("send: the peer does not read; its queue is full")

// ErrClosed is returned after Close was called.
var ErrClosed = errors.New("send: the writer is closed")

const (
	defaultQueue = 256
	// maxQueuedBytes bounds what a queue may hold, however few its lines are. A single
	// line may exceed it when nothing else waits.
	maxQueuedBytes = 64 << 20
	// interruptGrace is how long an interrupted write gets to return. Not every file obeys:
	// a terminal, for one, ignores both ways of interrupting it.
	interruptGrace = 100 * time.Millisecond
	// writeSize is the size up to which waiting lines are put into one write.
	writeSize = 64 << 10
)

// Writer writes lines from a bounded queue. One goroutine does all the writing and puts
// lines that wait together into one write. Its methods may be called concurrently.
//
// The queue has two marks. SendWait, meant for answers, waits at the first. Send, meant for
// notifications, has as many places again above it, so that a burst of answers to a peer
// that does read never makes a notification fail.
type Writer struct {
	w     io.Writer
	queue int

	mu      sync.Mutex
	lines   [][]byte // waiting, in order
	bytes   int      // their size
	room    chan struct{}
	work    chan struct{} // one token: something waits or the state changed
	closing bool
	err     error // the first write error, or ErrClosed after Close

	failed chan struct{} // closed at the first write error
	done   chan struct{} // closed when the goroutine has ended
}

// NewWriter starts a writer on w with room for queue lines; 0 means 256. Close ends it.
func NewWriter(w io.Writer, queue int) *Writer {
	if queue <= 0 {
		queue = defaultQueue
	}
	out := &Writer{
		w: w, queue: queue,
		work: make(chan struct{}, 1), failed: make(chan struct{}), done: make(chan struct{}),
	}
	go out.run()
	return out
}

// Send queues a line (without its line ending) and never blocks. It returns [ErrFull],
// [ErrClosed] or the error of an earlier write. The line must not be changed afterwards.
func (w *Writer) Send(line []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.push(line, 2*w.queue, 2*maxQueuedBytes)
}

// SendWait queues a line and waits until there is room, ctx ends or the writer fails.
func (w *Writer) SendWait(ctx context.Context, line []byte) error {
	for {
		w.mu.Lock()
		err := w.push(line, w.queue, maxQueuedBytes)
		if !errors.Is(err, ErrFull) {
			w.mu.Unlock()
			return err
		}
		if w.room == nil {
			w.room = make(chan struct{})
		}
		room := w.room
		w.mu.Unlock()
		select {
		case <-room:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// push appends a line under w.mu.
func (w *Writer) push(line []byte, maxLines, maxBytes int) error {
	switch {
	case w.err != nil:
		return w.err
	case w.closing:
		return ErrClosed
	case bytes.IndexByte(line, '\n') >= 0:
		return errors.New("send: a message contains a line break, which would end it early")
	case len(w.lines) >= maxLines, len(w.lines) > 0 && w.bytes+len(line) > maxBytes:
		return ErrFull
	}
	w.lines = append(w.lines, line)
	w.bytes += len(line)
	w.wake()
	return nil
}

func (w *Writer) wake() {
	select {
	case w.work <- struct{}{}:
	default:
	}
}

// Failed is closed at the first write error; [Writer.Err] then tells it.
func (w *Writer) Failed() <-chan struct{} { return w.failed }

// Err returns the first write error, nil while there was none.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if errors.Is(w.err, ErrClosed) {
		return nil
	}
	return w.err
}

// Close accepts no more lines, writes those that wait until ctx ends, and stops the
// goroutine. It returns the first write error, or an error about the lines it had to drop.
//
// A write that is still blocked when ctx ends is interrupted through the SetWriteDeadline
// or the Close method of the underlying writer. Where neither helps, Close returns and the
// goroutine ends when that write does.
func (w *Writer) Close(ctx context.Context) error {
	w.mu.Lock()
	w.closing = true
	w.wake()
	w.mu.Unlock()
	select {
	case <-w.done:
		return w.Err()
	case <-ctx.Done():
	}
	w.mu.Lock()
	dropped := len(w.lines)
	w.lines, w.bytes = nil, 0
	if w.err == nil {
		w.err = ErrClosed
	}
	w.mu.Unlock()
	if w.interrupt() {
		select {
		case <-w.done:
		case <-time.After(interruptGrace):
		}
	}
	return fmt.Errorf("close: the peer did not read in time, at least %d messages were dropped: %w", dropped, context.Cause(ctx))
}

// interrupt makes a blocked write return, and reports whether it could.
func (w *Writer) interrupt() bool {
	if d, ok := w.w.(interface{ SetWriteDeadline(time.Time) error }); ok && d.SetWriteDeadline(time.Unix(1, 0)) == nil {
		return true
	}
	if c, ok := w.w.(io.Closer); ok {
		return c.Close() == nil
	}
	return false
}

// run is the goroutine that writes.
func (w *Writer) run() {
	defer close(w.done)
	var spare [][]byte
	buf := make([]byte, 0, writeSize)
	for range w.work {
		lines, last := w.take(spare)
		var err error
		if buf, err = w.write(lines, buf[:0]); err != nil {
			w.fail(err)
			return
		}
		if last {
			return
		}
		clear(lines)
		spare = lines[:0]
	}
}

// take removes all waiting lines, leaving spare in their place, and reports whether the
// writer should end after them.
func (w *Writer) take(spare [][]byte) (lines [][]byte, last bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines, w.lines, w.bytes = w.lines, spare, 0
	w.announceRoom()
	return lines, w.closing
}

func (w *Writer) announceRoom() {
	if w.room != nil {
		close(w.room)
		w.room = nil
	}
}

func (w *Writer) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = fmt.Errorf("write to the peer: %w", err)
		close(w.failed)
	}
	w.lines, w.bytes = nil, 0
	w.announceRoom()
}

// write writes the lines with as few calls as their sizes allow.
func (w *Writer) write(lines [][]byte, buf []byte) ([]byte, error) {
	for _, line := range lines {
		if len(buf)+len(line)+1 > cap(buf) && len(buf) > 0 {
			if _, err := w.w.Write(buf); err != nil {
				return buf, err
			}
			buf = buf[:0]
		}
		if len(line)+1 <= cap(buf) {
			buf = append(append(buf, line...), '\n')
			continue
		}
		// The line itself exceeds the buffer. It and its ending still go out as one write.
		if _, err := w.w.Write(append(line[:len(line):len(line)], '\n')); err != nil {
			return buf, err
		}
	}
	if len(buf) == 0 {
		return buf, nil
	}
	_, err := w.w.Write(buf)
	return buf[:0], err
}
