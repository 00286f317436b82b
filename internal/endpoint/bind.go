package endpoint

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockTime bounds the wait for another start or stop of the same install, which take milliseconds.
const lockTime = 10 * time.Second

// lock makes starts and stops of one install take turns. The lock is the kernel's and ends with the
// process, so a crash leaves none behind.
func (o Options) lock(ctx context.Context) (unlock func() error, err error) {
	ctx, cancel := context.WithTimeout(ctx, lockTime)
	defer cancel()
	file := flock.New(filepath.Join(o.dir(), "lock"), flock.SetPermissions(0o600))
	if _, err := file.TryLockContext(ctx, 2*time.Millisecond); err != nil {
		return nil, fmt.Errorf("lock %s: %w", file.Path(), err)
	}
	return file.Unlock, nil
}

// bound is an open place to listen.
type bound struct {
	inner net.Listener
	where pointer
	token []byte
}

// bind opens the place and writes the pointer file. The caller holds the lock.
func (o Options) bind(ctx context.Context) (bound, error) {
	token, err := o.ensureToken()
	if err != nil {
		return bound{}, err
	}
	if where, err := o.readPointer(); err == nil && o.answers(ctx, where, token) {
		return bound{}, ErrInUse
	} else if errors.Is(err, errUnsafe) {
		return bound{}, err
	}
	instance := make([]byte, 8)
	if _, err := io.ReadFull(o.Rand, instance); err != nil {
		return bound{}, fmt.Errorf("name this instance: %w", err)
	}
	inner, err := o.open(ctx)
	if err != nil {
		return bound{}, err
	}
	where := pointer{inner.Addr().Network(), inner.Addr().String(), hex.EncodeToString(instance)}
	if err := o.writePointer(where); err != nil {
		return bound{}, errors.Join(err, inner.Close(), where.removeSocket())
	}
	return bound{inner, where, token}, nil
}

// open makes the listener: a socket in a folder of ours, or a port that the system chooses.
func (o Options) open(ctx context.Context) (net.Listener, error) {
	var config net.ListenConfig
	if o.system.loopback {
		return config.Listen(ctx, "tcp4", "127.0.0.1:0")
	}
	path, err := o.socketPath()
	if err != nil {
		return nil, err
	}
	if err := o.clear(ctx, path); err != nil {
		return nil, err
	}
	inner, err := config.Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	// Closing removes the socket by its name. That is done by withdraw, which knows whose name it is.
	inner.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("restrict socket: %w", err), inner.Close(), os.Remove(path))
	}
	return inner, nil
}

// clear removes a socket at path that nobody listens on. Anything else there is left alone and refused.
func (o Options) clear(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at socket: %w", err)
	}
	if info.Mode().Type() != fs.ModeSocket {
		return fmt.Errorf("%s is in the way and no socket: remove it and start the app again: %w", path, errUnsafe)
	}
	if o.answers(ctx, pointer{Network: "unix", Address: path}, nil) {
		return ErrInUse
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("remove stale socket: %w", err)
	}
	return nil
}

// answers reports whether an app of this install is listening at an address. Only we can make sockets in
// our folder, so whoever accepts there is ours, even when it hangs. A port may have gone to any program
// since, so there only a proof counts.
func (o Options) answers(ctx context.Context, where pointer, token []byte) bool {
	ctx, cancel := context.WithTimeout(ctx, handshakeTime)
	defer cancel()
	if where.Network == "unix" {
		var d net.Dialer
		conn, err := d.DialContext(ctx, where.Network, where.Address)
		if err != nil {
			return !nobodyThere(err)
		}
		conn.Close()
		return true
	}
	conn, _, err := o.connect(ctx, where, token)
	if err == nil {
		conn.Close()
	}
	return err == nil || errors.Is(err, ErrBusy)
}

// withdraw removes the pointer file and the socket, unless a successor has put its own there.
func (o Options) withdraw(ctx context.Context, where pointer) error {
	unlock, err := o.lock(ctx)
	if err != nil {
		return err
	}
	if now, err := o.readPointer(); err != nil || now != where {
		return unlock()
	}
	return errors.Join(os.Remove(o.pointerPath()), where.removeSocket(), unlock())
}

func (p pointer) removeSocket() error {
	if p.Network != "unix" {
		return nil
	}
	return os.Remove(p.Address)
}
