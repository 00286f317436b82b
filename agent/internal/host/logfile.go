package host

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"sync"
)

const (
	// maxLog is how long a server's log may become before it is put aside.
	maxLog = 1 << 20
	// logFolder is below the home of the agent.
	logFolder = "logs"
)

// logFile keeps what a server writes to standard error: the last file and the one before it.
type logFile struct {
	path string

	mu   sync.Mutex
	file *os.File
	size int64
}

// openLog opens the log of a server. It is opened once for each start and written until that process is gone.
func (h *Host) openLog(server string) (*logFile, error) {
	folder, err := h.opts.Home.Folder(logFolder)
	if err != nil {
		return nil, fmt.Errorf("open the log of server %q: %w", server, err)
	}
	l := &logFile{path: folder + string(os.PathSeparator) + "mcp-" + fileName(server) + ".log"}
	return l, nil
}

// fileName makes a name of letters that every file system takes, different for different servers.
func fileName(server string) string {
	plain := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return -1
	}, server)
	if plain == server && len(plain) <= 60 {
		return plain
	}
	sum := sha256.Sum256([]byte(server))
	return plain[:min(len(plain), 60)] + "-" + hex.EncodeToString(sum[:4])
}

// Write appends to the log and puts a full one aside. An error means that these bytes are lost; the server goes on.
func (l *logFile) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.room(len(b)); err != nil {
		return 0, err
	}
	n, err := l.file.Write(b)
	l.size += int64(n)
	return n, err
}

// room opens the file, and puts the old one aside when n more bytes are too many for it.
func (l *logFile) room(n int) error {
	if l.file != nil && l.size+int64(n) > maxLog {
		l.file.Close()
		l.file = nil
		if err := os.Rename(l.path, l.path+".1"); err != nil {
			return err
		}
	}
	if l.file != nil {
		return nil
	}
	file, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return err
	}
	l.file, l.size = file, info.Size()
	return nil
}
