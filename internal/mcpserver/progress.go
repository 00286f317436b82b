package mcpserver

import (
	"math"
	"strconv"
	"time"

	"github.com/elyra-go/elyra/internal/mcp"
	"github.com/elyra-go/elyra/internal/wire"
)

// Reports of a call are limited to a burst, refilled at a steady rate, so that a tight loop
// in a command does not flood the client.
const (
	progressBurst     = 50
	progressPerSecond = 50
)

// progress is the state of a call's reports, guarded by conn.mu.
type progress struct {
	sent   bool
	done   float64 // the last value sent
	bucket bucket
}

// bucket limits a rate. The zero bucket is full.
type bucket struct {
	tokens float64   // what may happen at once
	at     time.Time // when tokens was right
}

// report sends a progress notification. It implements Call.Progress.
func (f *flight) report(done, total float64, message string) {
	if f.r.token == nil || !finite(done) || !finite(total) {
		return
	}
	c := f.c
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.cancelled || f.answering || f.progress.sent && done <= f.progress.done {
		return
	}
	final := total > 0 && done >= total
	if !f.progress.bucket.allow(time.Now(), progressBurst, progressPerSecond) && !final {
		return
	}
	// A full queue means that the client does not read. It will not miss this report.
	if c.out.Send(appendProgress(nil, f, done, total, message)) == nil {
		f.progress.sent, f.progress.done = true, done
	}
}

// allow takes a token if there is one, from a bucket with room for burst.
func (b *bucket) allow(now time.Time, burst, perSecond float64) bool {
	if b.at.IsZero() {
		b.tokens = burst
	} else {
		b.tokens = min(burst, b.tokens+now.Sub(b.at).Seconds()*perSecond)
	}
	b.at = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

func appendProgress(dst []byte, f *flight, done, total float64, message string) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"`+mcp.NotifyProgress+`","params":{"progressToken":`...)
	dst = append(dst, f.r.token...)
	dst = appendNumber(append(dst, `,"progress":`...), done)
	if total > 0 {
		dst = appendNumber(append(dst, `,"total":`...), total)
	}
	if message != "" {
		dst = wire.AppendString(append(dst, `,"message":`...), message)
	}
	return append(dst, `}}`...)
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

func appendNumber(dst []byte, f float64) []byte {
	if math.Abs(f) < 1e15 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'e', -1, 64)
}
