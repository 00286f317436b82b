// Package window says what Elyra asks of a toolkit that shows windows, and what such a backend may ask of the app.
//
// It owns the interfaces between the two and the error of a machine that cannot show windows. A backend promises that
// it delivers the pages' requests truthfully (method, path, headers, origin) and in any number at once; what is allowed is
// the Host's to decide. Package backendtest holds the suite that every backend passes.
//
// It must not import a toolkit, nor anything of Elyra: backends depend on it, and so do programs that bring their own.
package window

import (
	"context"
	"io"
)

const (
	// MaxBody is the largest request body in bytes. A backend reads at most one byte more, so that the
	// host sees that a body was too large without it filling the memory.
	MaxBody = 16 << 20

	// BodyHeader is set to BodyBytes by a page whose request body is plain bytes. Some web views die when they are
	// asked for the bytes of a Blob or a form, so a backend may leave any other body unread.
	BodyHeader = "X-Elyra-Body"
	BodyBytes  = "bytes"
)

// Options describes one window.
type Options struct {
	// ID names the window in the app. Default: "main" for the first window; a second one needs an ID of its own.
	ID string
	// Title is what the title bar says. Default: the ID.
	Title string
	// Width and Height are the size of the page's area in logical pixels. Default: 1024 × 720.
	Width, Height int
	// Maximized has the window fill the screen. Its size is then what it gets when it no longer does.
	Maximized bool
	// Icon is a square picture of the app as a PNG file, at least 48 pixels wide, for the desktops that take one from the
	// window. Others show what the app's .desktop file says. Default: none.
	Icon []byte
}

// WithDefaults fills what was left zero. Backends call it for each window.
func (o Options) WithDefaults() Options {
	if o.ID == "" {
		o.ID = "main"
	}
	if o.Title == "" {
		o.Title = o.ID
	}
	if o.Width <= 0 {
		o.Width = 1024
	}
	if o.Height <= 0 {
		o.Height = 720
	}
	return o
}

// Request is what a page asks for.
type Request struct {
	// Window is the ID of the window that the page is in, "" when the backend cannot tell.
	Window string
	// Method is upper-case: GET, POST.
	Method string
	// Path is decoded and begins with "/". Query is raw, without the "?".
	Path, Query string
	// Origin is where the app's own pages come from on this backend, such as "elyra://app". A request whose Origin
	// header says something else was made by a foreign page.
	Origin string
	// Header gives a header's value, "" when there is none. Case does not matter. It may be called from any goroutine.
	Header func(name string) string
	// Body is nil unless the page sent one under BodyHeader. See MaxBody.
	Body []byte
}

// ResponseWriter answers one Request: exactly one of its methods, once. Later calls do nothing, or return an error.
// Its methods may be called from any goroutine.
type ResponseWriter interface {
	// Respond sends a whole response. The backend does not keep body after it returns.
	Respond(status int, header map[string]string, body []byte)

	// Stream begins a response of status 200 that is written piece by piece. The page sees each piece soon after its
	// Write. Write blocks while the page's process takes nothing, and fails once the page is gone. Close ends the
	// response; it may be called at any time from another goroutine and makes a blocked Write return.
	Stream(header map[string]string) (io.WriteCloser, error)
}

// Host is the app as a backend sees it.
type Host interface {
	// Serve answers a request. The backend calls it on a goroutine of the request's own.
	Serve(r *Request, w ResponseWriter)

	// DocumentStart gives the script that the backend runs in each page of the app in that window, before any script of
	// the page, in the main frame only. It is asked for once, before the window opens.
	DocumentStart(windowID string) string

	// Closed says that a window is gone, however it came to that. It does not block.
	Closed(windowID string)
}

// Backend shows windows.
type Backend interface {
	// Name is the backend's name for logs, such as "webkitgtk".
	Name() string

	// Run opens the windows and shows them until the last one is closed or ctx ends, which closes them. Each shows the
	// page "/". It must be called on the program's main goroutine, and by one goroutine at a time. It returns nil
	// in both of these cases, *Unavailable when this machine cannot show windows, and another error when it could but
	// something broke. When it returns, all calls of Serve have returned, or had a few seconds to do so.
	Run(ctx context.Context, h Host, windows []Options) error
}
