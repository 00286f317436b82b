package shim

import (
	"context"
	"fmt"
	"time"

	"github.com/elyra-go/elyra/internal/wire"
	"github.com/go-json-experiment/json/jsontext"
)

// replay brings a new server to where the client believes it is. A client of a stateless revision needs
// nothing; an older one introduced itself once and will not do so again. It returns false when b went
// away or ctx ended meanwhile.
func (s *session) replay(ctx context.Context, b *backend) bool {
	initialize, initialized, watched := s.flights.opening()
	for _, fl := range s.resend {
		if fl.method == "initialize" {
			initialize = nil // the client still waits for its answer
		}
		s.flights.again(fl)
		if !s.send(b, fl.line) {
			return false
		}
	}
	s.resend = nil
	if initialize == nil {
		return true
	}
	id := s.ownID()
	answered := s.flights.await(string(id))
	if !s.send(b, wire.AppendRequest(nil, id, "initialize", initialize)) || !s.waitFor(ctx, b, answered) {
		return false
	}
	if !initialized {
		return true
	}
	if !s.send(b, wire.AppendRequest(nil, nil, "notifications/initialized", nil)) {
		return false
	}
	for _, params := range watched {
		id := s.ownID()
		s.flights.await(string(id))
		if !s.send(b, wire.AppendRequest(nil, id, "resources/subscribe", params)) {
			return false
		}
	}
	return true
}

// ownID makes an id that no client is likely to use.
func (s *session) ownID() jsontext.Value {
	s.ownIDs++
	return fmt.Appendf(nil, `"elyra-shim-%d"`, s.ownIDs)
}

func (s *session) send(b *backend, line []byte) bool {
	_, err := b.Write(append(line[:len(line):len(line)], '\n'))
	return err == nil
}

// waitFor waits for an answer. A server in this process may have to prepare a database first and is given
// all the time it needs; an app that runs is not.
func (s *session) waitFor(ctx context.Context, b *backend, answered <-chan struct{}) bool {
	var late <-chan time.Time
	if b.app {
		timer := time.NewTimer(replayTime)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-answered:
		return true
	case <-late:
		s.o.Log.Warn("the app does not answer")
	case <-b.gone:
	case <-ctx.Done():
	}
	return false
}
