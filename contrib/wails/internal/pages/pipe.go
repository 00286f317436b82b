package pages

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"
)

// maxPending is how many bytes of a stream may wait for the page before a Write does.
const maxPending = 64 << 10

// errGone is the error of writing to a page that takes no more.
var errGone = errors.New("write to a page: it is gone, or the stream was closed")

// pipe is a stream between the app, which writes, and whatever takes the pieces to the page.
type pipe struct {
	ctx    context.Context // of the page
	cancel context.CancelFunc
	expire *time.Timer // of one that is fetched piece by piece: abandons it when nobody fetches

	mu      sync.Mutex
	pending []byte
	closed  bool          // by the writer
	changed chan struct{} // closed and replaced at each change
}

func newPipe(page context.Context) *pipe {
	p := &pipe{changed: make(chan struct{})}
	p.ctx, p.cancel = context.WithCancel(page)
	return p
}

// change tells all who wait. The caller holds mu.
func (p *pipe) change() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// Write waits while too much is pending. It takes all or nothing of a piece.
func (p *pipe) Write(piece []byte) (int, error) {
	for {
		p.mu.Lock()
		if p.closed || p.ctx.Err() != nil {
			p.mu.Unlock()
			return 0, errGone
		}
		if len(p.pending) == 0 || len(p.pending)+len(piece) <= maxPending {
			p.pending = append(p.pending, piece...)
			p.change()
			p.mu.Unlock()
			return len(piece), nil
		}
		changed := p.changed
		p.mu.Unlock()
		select {
		case <-changed:
		case <-p.ctx.Done():
		}
	}
}

// Close ends the stream. What is pending still goes to the page.
func (p *pipe) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.closed = true
		p.change()
	}
	return nil
}

// abandon says that the page takes no more.
func (p *pipe) abandon() { p.cancel() }

// next gives what was written since the last call, waiting for it until ctx ends. It is io.EOF at the end of the stream.
func (p *pipe) next(ctx context.Context) ([]byte, error) {
	for {
		p.mu.Lock()
		piece, closed, changed := p.pending, p.closed, p.changed
		if len(piece) > 0 {
			p.pending = nil
			p.change()
		}
		p.mu.Unlock()
		switch {
		case p.ctx.Err() != nil:
			return nil, errGone
		case len(piece) > 0:
			return piece, nil
		case closed:
			return nil, io.EOF
		}
		select {
		case <-changed:
		case <-p.ctx.Done():
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
