//go:build !linux

package liveload

// withoutFileEvents calls begin: the driver asks for file events on Linux alone.
func withoutFileEvents(_ <-chan struct{}, begin func() error) error { return begin() }
