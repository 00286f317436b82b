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
	done   float64   // the last value sent
	tokens float64   // reports that may be sent at once
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
	if !f.progress.allow(time.Now()) && !final {
		return
	}
	// A full queue means that the client does not read. It will not miss this report.
	if c.out.Send(appendProgress(nil, f, done, total, message)) == nil {
		f.progress.sent, f.progress.done = true, done
	}
}

// allow takes a token if there is one.
func (p *progress) allow(now time.Time) bool {
	if p.at.IsZero() {
		p.tokens = progressBurst
	} else {
		p.tokens = min(progressBurst, p.tokens+now.Sub(p.at).Seconds()*progressPerSecond)
	}
	p.at = now
	if p.tokens < 1 {
		return false
	}
	p.tokens--
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
