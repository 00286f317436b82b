package sqlite

import (
	"encoding/binary"
	"io"
	"os"
)

// walLog reads which pages the commits in a write-ahead log changed. It only reads: the log
// carries none of SQLite's locks, so that it may be opened and closed beside SQLite.
type walLog struct {
	file  *os.File // nil until the first use
	salts [8]byte  // of the log's present generation
	last  int64    // where the frames of the last commit begin that was seen
}

const (
	walHeader   = 32
	frameHeader = 24

	// maxFrames is how many frames are looked at; with more, anything may have changed.
	maxFrames = 1 << 13
)

// pages gives the pages of the commits since the last call, and of the last one before: it may
// have been in the file then without counting yet. It is false when they cannot be told.
func (l *walLog) pages(path string) (changed []uint32, known bool) {
	known = true
	if l.file == nil {
		file, err := os.Open(path)
		if err != nil {
			return nil, false
		}
		l.file, l.salts, known = file, [8]byte{}, false
	}
	if now, err := os.Stat(path); err != nil || !l.is(now) {
		l.close()
		return nil, false
	}
	var header [walHeader]byte
	if _, err := l.file.ReadAt(header[:], 0); err != nil {
		l.salts = [8]byte{}
		return nil, false
	}
	if salts := [8]byte(header[16:24]); salts != l.salts {
		// The log began anew, over what was not read of the last one.
		l.salts, l.last, known = salts, walHeader, false
	}
	size := int64(binary.BigEndian.Uint32(header[8:12]))
	if size < 512 || size > 65536 {
		return nil, false
	}
	changed, ok := l.read(size)
	return changed, known && ok
}

func (l *walLog) is(now os.FileInfo) bool {
	mine, err := l.file.Stat()
	return err == nil && os.SameFile(mine, now)
}

// read goes through the frames from the last commit on. Frames of another generation end it,
// and frames that no commit follows do not count.
func (l *walLog) read(pageSize int64) (changed []uint32, ok bool) {
	var header [frameHeader]byte
	at := l.last
	var open []uint32 // of a transaction whose commit has not been read
	begun := at
	for range maxFrames {
		if _, err := l.file.ReadAt(header[:], at); err != nil {
			return changed, err == io.EOF
		}
		if [8]byte(header[8:16]) != l.salts {
			return changed, true
		}
		at += frameHeader + pageSize
		open = append(open, binary.BigEndian.Uint32(header[:4]))
		if binary.BigEndian.Uint32(header[4:8]) != 0 {
			changed, open = append(changed, open...), nil
			l.last, begun = begun, at
		}
	}
	return nil, false
}

func (l *walLog) close() {
	if l.file != nil {
		_ = l.file.Close()
	}
	*l = walLog{}
}
