package endpoint

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
)

// tokenSize is the length of the token, in bytes of randomness and of the file alike.
const tokenSize = 32

func (o Options) tokenPath() string { return filepath.Join(o.dir(), "token") }

// readToken returns the token of the install; the error is an fs.ErrNotExist when none was made yet.
func (o Options) readToken() ([]byte, error) {
	token, err := readPrivate(o.tokenPath(), tokenSize+1, o.system.uid())
	if err != nil {
		return nil, fmt.Errorf("read token: %w", err)
	}
	if len(token) != tokenSize {
		return nil, fmt.Errorf("read token: %s has %d bytes instead of %d: remove it and start the app again",
			o.tokenPath(), len(token), tokenSize)
	}
	return token, nil
}

// ensureToken makes the token at the first start. The caller holds the lock, so two first starts at
// once end with one token.
func (o Options) ensureToken() ([]byte, error) {
	token, err := o.readToken()
	if !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	token = make([]byte, tokenSize)
	if _, err := io.ReadFull(o.Rand, token); err != nil {
		return nil, fmt.Errorf("make token: %w", err)
	}
	if err := writePrivate(o.tokenPath(), token); err != nil {
		return nil, fmt.Errorf("make token: %w", err)
	}
	return token, nil
}
