package window

import (
	"context"
	"errors"
	"strings"
)

// Question is what an Asker asks. All of it is plain text: nothing in it is markup, whatever it looks like.
type Question struct {
	// Title says in a few words what it is about. Default: "Question".
	Title string
	// Text is what is asked. Long text is wrapped and scrolls. May be "".
	Text string
	// Accept and Refuse are the labels of the two buttons. Defaults: "Allow" and "Cancel".
	Accept, Refuse string
}

// The most that a dialog shows of a Question, in characters. The rest is cut off, so that no question hides its buttons.
const (
	MaxQuestionTitle = 200
	MaxQuestionText  = 4 << 10
	MaxQuestionLabel = 24
)

// WithDefaults fills what was left empty, and makes of the rest what a dialog can show: valid text on one line, but for
// Text, that is cut where it is too long. Backends call it for each question.
func (q Question) WithDefaults() Question {
	line := func(text, fallback string, most int) string {
		text = cut(strings.Join(strings.Fields(plain(text)), " "), most)
		if text == "" {
			return fallback
		}
		return text
	}
	q.Title = line(q.Title, "Question", MaxQuestionTitle)
	q.Accept = line(q.Accept, "Allow", MaxQuestionLabel)
	q.Refuse = line(q.Refuse, "Cancel", MaxQuestionLabel)
	q.Text = cut(plain(q.Text), MaxQuestionText)
	return q
}

// plain gives text that every toolkit takes: C ends a text at its first zero byte, and some refuse text that is not UTF-8.
func plain(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// cut gives at most so many characters of text, the last one saying that there were more.
func cut(text string, most int) string {
	count := 0
	for i := range text {
		if count++; count > most {
			kept := []rune(text[:i])
			return string(kept[:most-1]) + "…"
		}
	}
	return text
}

// ErrNotRunning is the error of what needs a backend whose Run is showing windows, before and after that.
var ErrNotRunning = errors.New("the app shows no windows")

// Asker is a Backend that can ask its user in a native dialog, which no page can show, cover or answer.
type Asker interface {
	// Ask shows q and waits for the answer. It may be called from any goroutine while Run is showing windows. One
	// question is shown at a time; others wait their turn in the order of their calls.
	//
	// Refusing is the default: Escape and closing the dialog refuse. A dialog takes no input for the first 700 ms that it can
	// be seen, so that what a person was typing or clicking answers nothing, and it does not take the keyboard from another program.
	//
	// When ctx ends first the dialog closes, and the error is ctx's. When the last window closes first, or Run is not
	// running, it is ErrNotRunning. The answer is false with every error.
	Ask(ctx context.Context, q Question) (accepted bool, err error)
}
