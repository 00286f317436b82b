package window

import (
	"context"
	"errors"
)

// ErrAlreadyOpen is the error of opening a window whose ID a window has that is open. It may be raised instead.
var ErrAlreadyOpen = errors.New("a window with this id is open already")

// Opener is a Backend that opens more windows while Run is showing some. Its methods may be called from any goroutine, but not
// by the methods of the Host other than Serve; without a Run they fail with ErrNotRunning.
type Opener interface {
	// Open opens a window and returns when it is there; its page loads after that. ctx bounds the wait.
	Open(ctx context.Context, o Options) error

	// Raise brings a window to the front, for a person who started the app although it runs. The desktop may only let
	// it blink, unless startup tells of that start: what the second process has in its environment as XDG_ACTIVATION_TOKEN
	// or DESKTOP_STARTUP_ID, "" if neither is set.
	Raise(ctx context.Context, windowID, startup string) error
}

// Geometry is how large a window is. There is no place in it: on many desktops windows neither know nor choose where they are.
type Geometry struct {
	// Width and Height are those of Options, of the window when it is not maximized.
	Width, Height int
	// Maximized says that it fills the screen, as its user wanted.
	Maximized bool
}

// GeometryKeeper is a Host that wants to open its windows the next time as large as their users left them.
type GeometryKeeper interface {
	// KeepGeometry is told of each window before Closed. It does not block.
	KeepGeometry(windowID string, g Geometry)
}
