package sqlite

import (
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// wakeups gives a value when the write-ahead log of the database at path was written to, or
// the file was replaced. Several events may be one value. close ends it.
//
// The folder is watched and not the file, because SQLite deletes the log and makes it anew.
func wakeups(path string, log *slog.Logger) (woken <-chan struct{}, close func()) {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err == nil {
		_, err = unix.InotifyAddWatch(fd, filepath.Dir(path), unix.IN_MODIFY|unix.IN_CREATE|unix.IN_MOVED_TO|unix.IN_DELETE)
		if err != nil {
			_ = unix.Close(fd)
		}
	}
	if err != nil {
		log.Info("no file events: changes by other programs are seen a little later", "database", path, "error", err)
		return nil, func() {}
	}
	// The runtime polls a descriptor that does not block, so closing it ends a read.
	file := os.NewFile(uintptr(fd), "inotify")
	events := make(chan struct{}, 1)
	var reader sync.WaitGroup
	reader.Go(func() { readEvents(file, filepath.Base(path), events) })
	return events, func() {
		_ = file.Close()
		reader.Wait()
	}
}

// eventPause lets events gather, which the system puts together: a program that writes all the
// time would keep a processor busy.
const eventPause = time.Millisecond

func readEvents(file *os.File, base string, events chan<- struct{}) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := file.Read(buffer)
		if err != nil {
			return
		}
		if !concerns(buffer[:n], base) {
			continue
		}
		select {
		case events <- struct{}{}:
		default:
		}
		time.Sleep(eventPause)
	}
}

// concerns reports whether one of the events is about the database or its log.
func concerns(events []byte, base string) bool {
	for len(events) >= unix.SizeofInotifyEvent {
		e := (*unix.InotifyEvent)(unsafe.Pointer(&events[0]))
		end := unix.SizeofInotifyEvent + int(e.Len)
		if end > len(events) || e.Mask&unix.IN_Q_OVERFLOW != 0 {
			return true
		}
		if name := unix.ByteSliceToString(events[unix.SizeofInotifyEvent:end]); name == base+"-wal" || name == base {
			return true
		}
		events = events[end:]
	}
	return false
}
