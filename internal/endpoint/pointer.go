package endpoint

import (
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"

	"github.com/go-json-experiment/json"
)

// maxPointer bounds the pointer file, in bytes.
const maxPointer = 1024

// pointer is the content of the pointer file: where the running app listens.
type pointer struct {
	Network  string `json:"network"`            // "unix" or "tcp"
	Address  string `json:"address"`            // an absolute path, or 127.0.0.1 with a port
	Instance string `json:"instance,omitempty"` // random; tells a listener its own file from a successor's
}

func (o Options) pointerPath() string { return filepath.Join(o.dir(), "pointer.json") }

// readPointer returns where the app listens, or was listening when it crashed; the error is an
// fs.ErrNotExist when no app is running.
func (o Options) readPointer() (pointer, error) {
	data, err := readPrivate(o.pointerPath(), maxPointer, o.system.uid())
	if err != nil {
		return pointer{}, fmt.Errorf("read pointer file: %w", err)
	}
	p, err := parsePointer(data)
	if err != nil {
		return pointer{}, fmt.Errorf("read pointer file %s: %w: remove it and start the app again", o.pointerPath(), err)
	}
	return p, nil
}

// writePointer tells where the app listens. The caller holds the lock.
func (o Options) writePointer(p pointer) error {
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write pointer file: %w", err)
	}
	if err := writePrivate(o.pointerPath(), append(data, '\n')); err != nil {
		return fmt.Errorf("write pointer file: %w", err)
	}
	return nil
}

// parsePointer accepts only addresses that Listen could have written: a damaged file must not send the
// dialer to another machine.
func parsePointer(data []byte) (pointer, error) {
	var p pointer
	if err := json.Unmarshal(data, &p); err != nil {
		return pointer{}, fmt.Errorf("parse: %w", err)
	}
	switch p.Network {
	case "unix":
		if !filepath.IsAbs(p.Address) || len(p.Address) > maxSocketPath {
			return pointer{}, errors.New("the socket's path is not absolute or too long")
		}
	case "tcp":
		address, err := netip.ParseAddrPort(p.Address)
		if err != nil || address.Addr() != netip.AddrFrom4([4]byte{127, 0, 0, 1}) || address.Port() == 0 {
			return pointer{}, errors.New("the address is not a port of 127.0.0.1")
		}
	default:
		return pointer{}, errors.New("the network is neither unix nor tcp")
	}
	return p, nil
}
