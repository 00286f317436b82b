package window

import "context"

// Question is what a native dialog asks the user. All of it is plain text.
type Question struct {
	// Title heads the dialog; Text is the question, whose lines are kept.
	Title, Text string
	// Accept and Refuse label the two buttons.
	Accept, Refuse string
}

// Asker is a Backend that can ask its user in a native dialog, which no page can show, cover or answer.
type Asker interface {
	// Ask shows the question and waits for the answer. It may be called from any goroutine while Run is running, and
	// fails otherwise. Closing the dialog refuses, as does the end of ctx, whose error is then returned. Dialogs are
	// shown one at a time, in the order of the calls.
	Ask(ctx context.Context, q Question) (accepted bool, err error)
}
