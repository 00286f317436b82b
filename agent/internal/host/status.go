package host

import (
	"time"

	"github.com/elyra-go/elyra/agent/internal/catalog"
	"github.com/elyra-go/elyra/agent/internal/config"
)

// State says how a server is.
type State string

// The states of a server.
const (
	StateDisabled State = "disabled"
	StateIdle     State = "idle" // not needed yet
	StateStarting State = "starting"
	StateReady    State = "ready"
	StateFailed   State = "failed" // the last start failed, or it ended; the next call starts it again
	StateGivenUp  State = "given up"
	StateLogin    State = "needs login"
)

// Status is what there is to know of a server without asking it.
type Status struct {
	Server  config.Server
	State   State
	Err     error            // why it failed
	Version string           // the protocol version that it spoke last, "" when it never did
	Listing *catalog.Listing // what it offers, nil when that is not known
}

// Status returns the state of every server, by name.
func (h *Host) Status() []Status {
	var all []Status
	for _, s := range h.all() {
		all = append(all, s.status(time.Now()))
	}
	return all
}

func (s *server) status(now time.Time) Status {
	st := Status{Server: s.Server, State: StateIdle}
	s.listing.mu.Lock()
	if s.listing.known != nil {
		known := *s.listing.known
		st.Listing = &known
	}
	s.listing.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	st.Version, st.Err = s.version, s.lastErr
	switch {
	case s.h.opts.Disabled(s.Server):
		st.State = StateDisabled
	case s.client != nil && s.client.Err() == nil:
		st.State, st.Err = StateReady, nil
	case s.opening != nil:
		st.State = StateStarting
	case loginNeeded(s.lastErr):
		st.State = StateLogin
	case s.lastErr != nil:
		st.State = StateFailed
		if _, err := s.mayStart(now); err != nil {
			st.State = StateGivenUp
		}
	}
	return st
}
