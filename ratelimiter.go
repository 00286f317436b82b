package elyra

import (
	"time"

	"github.com/elyra-go/elyra/internal/ratelimit"
)

// RateLimiter admits at most a number of events per key in any span of time, exactly: a sliding
// window, not buckets. It is what limits the tools of an agent, for an app's own use. Its method
// Allow(key, now) reports whether an event is admitted and, if not, how long until one would be.
type RateLimiter = ratelimit.Limiter

// NewRateLimiter returns a RateLimiter of n events in any span of length per; n of 0 or less admits
// nothing.
func NewRateLimiter(n int, per time.Duration) *RateLimiter { return ratelimit.New(n, per) }
