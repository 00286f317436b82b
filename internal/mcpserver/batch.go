package mcpserver

import (
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// maxBatch bounds the elements of a batch, because each can cause an answer that is much
// longer than itself.
const maxBatch = 256

// batch collects the answers to the requests of one JSON-RPC batch, which are sent
// together once the last is there. Only 2025-03-26 has batches.
type batch struct {
	c *conn

	mu      sync.Mutex
	missing int // answers still to come
	line    []byte
}

// batches reports whether the connection negotiated the revision that has batches.
func (c *conn) batches() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session != nil && c.session.Version == mcp.V2025_03_26
}

// batch handles the elements of a batch.
func (c *conn) batch(elements []jsontext.Value) {
	if len(elements) == 0 || len(elements) > maxBatch {
		c.fail(nil, nil, wire.Errorf(wire.CodeInvalidRequest, "a batch must have between 1 and %d messages", maxBatch))
		return
	}
	b := &batch{c: c}
	b.expect() // keeps the batch open until all its elements were looked at
	for _, element := range elements {
		m, refused := wire.Parse(element, c.s.o.Limits)
		if refused == nil && m.Method == mcp.MethodInitialize {
			refused = wire.Errorf(wire.CodeInvalidRequest, "initialize cannot be part of a batch")
			m = wire.Message{ID: m.ID}
		}
		if refused != nil {
			b.expect()
			c.fail(m.ID, b, refused)
			continue
		}
		if m.Method != "" && m.ID != nil {
			b.expect()
		}
		c.message(m, b)
	}
	b.add(nil)
}

func (b *batch) expect() {
	b.mu.Lock()
	b.missing++
	b.mu.Unlock()
}

// add stores an answer; nil stands for one that is not sent. The last one sends the batch.
func (b *batch) add(line []byte) {
	b.mu.Lock()
	if line != nil {
		if b.line == nil {
			b.line = append(b.line, '[')
		} else {
			b.line = append(b.line, ',')
		}
		b.line = append(b.line, line...)
	}
	b.missing--
	last := b.missing == 0
	b.mu.Unlock()
	if last && b.line != nil {
		if err := b.c.out.SendWait(b.c.calls, append(b.line, ']')); err != nil {
			b.c.log.Debug("dropped the answer to a batch", "reason", err)
		}
	}
}
