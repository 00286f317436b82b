//go:build !linux

package sqlite

import "log/slog"

// wakeups has no events to give here: changes by other programs are found by asking.
func wakeups(string, *slog.Logger) (woken <-chan struct{}, close func()) {
	return nil, func() {}
}
