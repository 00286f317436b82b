package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/elyra-go/elyra/agent/internal/home"
)

// blobFolder holds, beside the sessions of a folder, what files held before tools changed them.
const blobFolder = "before"

// maxBlob is the size of the largest file that is kept.
const maxBlob = 64 << 20

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// keep stores content for the user alone and returns its hash. The same content is stored once.
func (s *Session) keep(data []byte) (hash string, err error) {
	if len(data) > maxBlob {
		return "", fmt.Errorf("keep a file's content: it has %d MB, and %d MB at most are kept", len(data)>>20, maxBlob>>20)
	}
	hash = hashOf(data)
	name, err := s.blob(hash)
	if err != nil {
		return "", fmt.Errorf("keep a file's content: %w", err)
	}
	unlock, err := s.store.lockBlobs(context.Background(), filepath.Base(filepath.Dir(s.path)))
	if err != nil {
		return "", fmt.Errorf("keep a file's content: %w", err)
	}
	defer unlock()
	path := s.store.dir.Path(name)
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(data)) {
		now := s.store.o.Now()
		if os.Chtimes(path, now, now) == nil { // so that a cleaning sees that it is needed again
			return hash, nil
		}
	}
	if err := s.store.dir.Write(name, data); err != nil {
		return "", fmt.Errorf("keep a file's content: %w", err)
	}
	return hash, nil
}

// Blob returns content that was kept. It is what the hash says, or there is an error.
func (s *Session) Blob(hash string) ([]byte, error) {
	if _, err := hex.DecodeString(hash); err != nil || len(hash) != 2*sha256.Size {
		return nil, fmt.Errorf("read a file's kept content: %.80q is no hash", hash)
	}
	path := filepath.Join(filepath.Dir(s.path), blobFolder, hash)
	data, err := home.ReadFile(path, maxBlob)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read a file's kept content: it is gone; it is kept for %d days after the last use of a session: %w", KeptFor/(24*time.Hour), err)
	}
	if err != nil {
		return nil, fmt.Errorf("read a file's kept content: %w", err)
	}
	if hashOf(data) != hash {
		return nil, fmt.Errorf("read a file's kept content: %s is damaged", path)
	}
	return data, nil
}

// blob is the name of kept content below the agent's folder.
func (s *Session) blob(hash string) (string, error) {
	return filepath.Rel(s.store.dir.Path(), filepath.Join(filepath.Dir(s.path), blobFolder, hash))
}

// adopt copies what the session's changes name from the folder of another. In the same folder that makes it new.
func (s *Session) adopt(folder string) error {
	for _, e := range s.c.entries {
		for _, c := range e.Changes {
			if len(c.Before) != 2*sha256.Size {
				continue
			}
			data, err := home.ReadFile(filepath.Join(folder, filepath.Base(c.Before)), maxBlob)
			if errors.Is(err, fs.ErrNotExist) {
				continue // undoing will say it
			}
			if err == nil {
				_, err = s.keep(data)
			}
			if err != nil {
				return fmt.Errorf("fork a session: %w", err)
			}
		}
	}
	return nil
}
