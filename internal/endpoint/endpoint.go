// Package endpoint owns the private way into a running app: where its socket is, how a program of the
// same user finds it, and how both ends prove that they belong to one install before a byte of the
// protocol passes.
//
// An install is an app id and a config folder. The folder holds, in a subfolder that only its user may
// enter, a random token and a pointer file with the address of the app that runs now. [Listen] writes
// them, [Dial] reads nothing else, so a client that starts programs with an almost empty environment
// still finds the app. On Unix the address is a socket in a folder of the user alone; on Windows it is a
// loopback port, and every record that passes is authenticated.
//
// The package promises that the token never leaves the machine's files, that a stranger on either end
// learns nothing from the handshake, and that a stale socket is replaced while a live one never is. It
// knows nothing of MCP and must not import any other package of this module.
package endpoint

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"
)

var (
	// ErrNotRunning is returned by [Dial] when no app of this install answers.
	ErrNotRunning = errors.New("the app is not running")

	// ErrCrashed is an [ErrNotRunning]: the app left its pointer file behind, so it did not quit by
	// [Listener.Close].
	ErrCrashed = fmt.Errorf("%w: it ended without removing its pointer file", ErrNotRunning)

	// ErrInUse is returned by [Listen] when another instance of the install is listening.
	ErrInUse = errors.New("another instance of the app is already listening")

	// ErrBusy is returned by [Dial] when the app has as many connections as it takes.
	ErrBusy = errors.New("the app takes no more connections")
)

const (
	// handshakeTime is how long connecting and proving may take together.
	handshakeTime = 2 * time.Second

	// maxSocketPath leaves room below the 104 bytes of the tightest system.
	maxSocketPath = 100

	// maxProving bounds the connections that have not proved anything yet. While half of the places are
	// taken, a new one has crowdedTime instead: whoever takes places and says nothing must not keep out the
	// others, who need a millisecond.
	maxProving  = 512
	crowdedTime = handshakeTime / 10

	// refusalTime is the least time between two lines of the log about connections that were refused.
	refusalTime = time.Second

	// maxTries bounds how often Dial begins again after the other end closed without having proved
	// anything, which an app does that is closing or crowded.
	maxTries = 5
)

// Paths says which folders an install uses. They should be absolute; relative ones are resolved at once.
type Paths struct {
	ConfigDir  string // the app's own config folder, made when missing; everything [Dial] reads is in it
	RuntimeDir string // preferred parent of the socket's folder (XDG_RUNTIME_DIR); "" means none
	TempDir    string // last resort when the other paths are too long for a socket; "" means none
}

// Options describes an install to [Listen] and [Dial].
type Options struct {
	AppID   string // required; both ends must name the same
	Version string // of this program, told to the other end once it has proved itself
	BuildID string // likewise
	Paths   Paths

	Rand     io.Reader    // nil means crypto/rand; must be safe for concurrent use
	Log      *slog.Logger // nil discards
	MaxConns int          // proved connections a listener serves at once; 0 means 256

	system system
}

// system is what tests replace of the operating system.
type system struct {
	loopback bool                       // loopback TCP also where sockets have paths
	uid      func() int                 // nil means the effective user
	peerUID  func(net.Conn) (int, bool) // nil asks the kernel; false means it cannot tell
}

// Peer is what the other end said of itself, after it proved that it holds the token.
type Peer struct {
	Version string
	BuildID string
}

// prepare checks o and fills in the defaults.
func (o Options) prepare() (Options, error) {
	switch {
	case o.AppID == "" || len(o.AppID) > 200:
		return o, errors.New("endpoint: the app id must have 1 to 200 bytes")
	case o.Paths.ConfigDir == "":
		return o, errors.New("endpoint: no config folder given")
	case len(o.Version) > maxName || len(o.BuildID) > maxName:
		return o, fmt.Errorf("endpoint: version and build id may have at most %d bytes", maxName)
	}
	for _, dir := range []*string{&o.Paths.ConfigDir, &o.Paths.RuntimeDir, &o.Paths.TempDir} {
		if *dir == "" {
			continue
		}
		abs, err := filepath.Abs(*dir)
		if err != nil {
			return o, fmt.Errorf("endpoint: resolve folder %s: %w", *dir, err)
		}
		*dir = abs
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.MaxConns <= 0 {
		o.MaxConns = 256
	}
	if o.system.uid == nil {
		o.system.uid = os.Geteuid
	}
	if o.system.peerUID == nil {
		o.system.peerUID = peerUID
	}
	o.system.loopback = o.system.loopback || alwaysLoopback
	return o, nil
}

// dir is the folder of the token, the pointer file and the lock.
func (o Options) dir() string { return filepath.Join(o.Paths.ConfigDir, "endpoint") }

// checkPeer refuses a connection whose other end is known to be another user's.
func (o Options) checkPeer(conn net.Conn) error {
	if uid, known := o.system.peerUID(conn); known && uid != o.system.uid() {
		return fmt.Errorf("the other end is a program of user %d, not of %d", uid, o.system.uid())
	}
	return nil
}
