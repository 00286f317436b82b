package liveload

import (
	"errors"
	"fmt"
	"syscall"
	"time"
)

// withoutFileEvents calls begin, which makes a driver ask for file events, and has the system refuse
// them: the process may open no more files until the driver has said that it got none.
func withoutFileEvents(refused <-chan struct{}, begin func() error) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return fmt.Errorf("ask for the limit of open files: %w", err)
	}
	none := limit
	none.Cur = 0
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &none); err != nil {
		return fmt.Errorf("limit open files: %w", err)
	}
	err := begin()
	if err == nil {
		select {
		case <-refused:
		case <-time.After(5 * time.Second):
			err = errors.New("the driver has file events although no file may be opened")
		}
	}
	return errors.Join(err, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
}
