package window

// Exit codes of a program that was to show a window and could not.
const (
	// ExitNoLibrary: the toolkit's library is missing, or too old.
	ExitNoLibrary = 3
	// ExitNoDisplay: there is no screen to show a window on.
	ExitNoDisplay = 4
)

// Unavailable is the error of a backend that cannot show windows on this machine. Nothing was opened.
type Unavailable struct {
	// Reason says what is missing, in one sentence for people.
	Reason string
	// Fix says what to do about it, such as a command to install a package. May be "".
	Fix string
	// ExitCode is what the program should exit with: ExitNoLibrary or ExitNoDisplay.
	ExitCode int
}

// WithoutWindow is the part of the message that every Unavailable ends with: an app has two ways to run without a window.
const WithoutWindow = "without a window: start it with --headless to run it in the background, or with --mcp to serve an AI agent"

func (u *Unavailable) Error() string {
	text := "show a window: " + u.Reason
	if u.Fix != "" {
		text += "\n  " + u.Fix
	}
	return text + "\n  " + WithoutWindow
}
