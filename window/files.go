package window

import (
	"context"
	"errors"
)

// ErrClosed is the error of what a window was to do when it closed.
var ErrClosed = errors.New("the window was closed")

// FileType is one choice of a file dialog: only files that match are shown.
type FileType struct {
	// Name is what the user reads, such as "Tables". Default: the patterns.
	Name string
	// Patterns are of file names, such as "*.csv".
	Patterns []string
}

// OpenDialog is a dialog in which a user chooses files that are there.
type OpenDialog struct {
	// Title is what the title bar says. Default: the desktop's word for it.
	Title string
	// Types are the choices of what is shown, the first one at the beginning. Default: all files.
	Types []FileType
	// Multiple lets the user choose more than one file.
	Multiple bool
}

// SaveDialog is a dialog in which a user says where a file is to be written. It asks before a file is overwritten.
type SaveDialog struct {
	// Title is what the title bar says. Default: the desktop's word for it.
	Title string
	// Name is the file's name as the user finds it in the dialog, without a folder. Default: none.
	Name string
	// Types are the choices of what is shown, the first one at the beginning. Default: all files.
	Types []FileType
}

// FileDialogs is a Backend with the file dialogs of the desktop. A window has one of them at a time. The methods may be called
// from any goroutine while Run is showing windows, else they fail with ErrNotRunning. When the window closes they fail with
// ErrClosed, and when ctx ends with its error; the dialog closes then. A user who closes it without a choice is no error.
//
// What the user chose goes to Go. What a page learns of it is the Host's to decide.
type FileDialogs interface {
	// OpenFile gives the paths of the chosen files, none when the user closed the dialog. The window is the dialog's, "" for
	// the one in front.
	OpenFile(ctx context.Context, windowID string, d OpenDialog) (paths []string, err error)

	// SaveFile gives the path to write to, "" when the user closed the dialog. Nothing has been written.
	SaveFile(ctx context.Context, windowID string, d SaveDialog) (path string, err error)
}

// Notification is a message that the desktop shows beside its windows for a while.
type Notification struct {
	// Title is a line of plain text.
	Title string
	// Body is plain text, "" for none.
	Body string
}

// Notifier is a Backend that shows notifications.
type Notifier interface {
	// Notify shows n and does not wait until it was read. It may be called from any goroutine. It fails on desktops without
	// notifications.
	Notify(ctx context.Context, n Notification) error
}
