package adapter

import (
	"net/http"
	"strconv"
	"time"
)

// retryAfter reads how long a vendor asks to wait: milliseconds, seconds, or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil {
		return bounded(ms * float64(time.Millisecond))
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil {
		return bounded(s * float64(time.Second))
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	// The server's own clock says what it means, when it tells the time.
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	return bounded(float64(at.Sub(now)))
}

// bounded keeps a wait between nothing and a day.
func bounded(d float64) time.Duration {
	if !(d > 0) {
		return 0
	}
	return time.Duration(min(d, float64(24*time.Hour)))
}
