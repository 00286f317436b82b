package editor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/elyra-go/elyra/agent/internal/result"
	"github.com/elyra-go/elyra/agent/internal/tui/cells"
)

const (
	// firstPaste is the character that stands for the first pasted text, from Unicode's last private plane.
	firstPaste = '\U00100000'
	lastPaste  = '\U0010fffd'

	// A paste of more lines or bytes than these stands as one character.
	pasteLines = 4
	pasteBytes = 1000

	maxText = 1 << 20 // bytes of text in the editor, without pastes
	maxUndo = 200
)

// Editor is a text and a cursor in it.
type Editor struct {
	text   string
	at     int // the cursor, in bytes
	goal   int // the column that up and down try to keep, -1 for the present one
	width  int
	pastes []string
	killed string
	undo   []state
	typing bool // the last change was a typed character
	history
}

type state struct {
	text string
	at   int
}

// New returns an empty editor with a history, oldest first.
func New(past []string) *Editor {
	return &Editor{goal: -1, width: 80, history: newHistory(past)}
}

// Text returns what is written, pasted texts as they are shown.
func (e *Editor) Text() string { return e.shown(e.text) }

// Value returns what is written, with the whole of pasted texts.
func (e *Editor) Value() string {
	return e.replace(e.text, func(i int) string { return e.pastes[i] })
}

// Empty reports whether nothing is written.
func (e *Editor) Empty() bool { return e.text == "" }

// Set replaces the text and puts the cursor at its end.
func (e *Editor) Set(text string) {
	e.remember(false)
	e.text = clean(text)
	e.at, e.goal = len(e.text), -1
}

// Reset empties the editor and forgets what was pasted and how to undo.
func (e *Editor) Reset() {
	e.text, e.at, e.goal, e.pastes, e.undo, e.typing = "", 0, -1, nil, nil, false
	e.history.leave()
}

// Insert writes text at the cursor.
func (e *Editor) Insert(text string) {
	// A joiner makes sense only behind what it joins.
	const enough = 32
	from := max(e.at-enough, 0)
	for from < e.at && !utf8.RuneStart(e.text[from]) {
		from++
	}
	before := e.text[from:e.at]
	fresh, ok := strings.CutPrefix(clean(before+text), clean(before))
	if !ok || strings.ContainsFunc(before, func(r rune) bool { return r >= firstPaste }) {
		fresh = clean(text)
	}
	e.insert(fresh, utf8.RuneCountInString(text) == 1 && text != "\n" && text != " ")
}

// Paste writes pasted text at the cursor; a long one stands as one character.
func (e *Editor) Paste(text string) {
	text = clean(text)
	lines := strings.Count(text, "\n") + 1
	if lines <= pasteLines && len(text) <= pasteBytes || firstPaste+rune(len(e.pastes)) > lastPaste {
		e.insert(text, false)
		return
	}
	e.pastes = append(e.pastes, text)
	e.insert(string(firstPaste+rune(len(e.pastes)-1)), false)
}

func (e *Editor) insert(text string, typed bool) {
	if text == "" || len(e.text)+len(text) > maxText {
		return
	}
	e.remember(typed)
	e.text = e.text[:e.at] + text + e.text[e.at:]
	e.at += len(text)
	e.settle()
}

// settle moves the cursor behind the character that it may have come to stand in.
func (e *Editor) settle() {
	e.goal = -1
	for i := e.lineStart(e.at); i < len(e.text); {
		_, size := e.cluster(i)
		if i >= e.at {
			return
		}
		if i+size > e.at {
			e.at = i + size
			return
		}
		i += size
	}
}

// clean keeps what may stand in the text.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= firstPaste {
			return -1
		}
		return r
	}, result.Clean(text))
}

// shown replaces pasted texts by what stands for them on the screen.
func (e *Editor) shown(text string) string {
	return e.replace(text, func(i int) string {
		paste := e.pastes[i]
		if lines := strings.Count(paste, "\n") + 1; lines > 1 {
			return fmt.Sprintf("[pasted text %d: %d lines]", i+1, lines)
		}
		return fmt.Sprintf("[pasted text %d: %d characters]", i+1, utf8.RuneCountInString(paste))
	})
}

func (e *Editor) replace(text string, by func(i int) string) string {
	if len(e.pastes) == 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if i := int(r - firstPaste); i >= 0 && i < len(e.pastes) {
			b.WriteString(by(i))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// cluster returns the character at a position and its size.
func (e *Editor) cluster(i int) (string, int) {
	if r, size := utf8.DecodeRuneInString(e.text[i:]); r == '\n' || r >= firstPaste {
		return e.text[i : i+size], size
	}
	rest := e.text[i:]
	if end := strings.IndexFunc(rest, func(r rune) bool { return r == '\n' || r >= firstPaste }); end > 0 {
		rest = rest[:end]
	}
	c, _ := cells.First(rest)
	return c, len(c)
}

// before returns the size of the character before a position.
func (e *Editor) before(at int) int {
	if at == 0 {
		return 0
	}
	start := e.lineStart(at)
	if start == at {
		return 1 // The line break.
	}
	size := 0
	for i := start; i < at; i += size {
		_, size = e.cluster(i)
	}
	return size
}

func (e *Editor) lineStart(at int) int { return strings.LastIndexByte(e.text[:at], '\n') + 1 }

func (e *Editor) lineEnd(at int) int {
	if i := strings.IndexByte(e.text[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(e.text)
}

// remember keeps the text for Undo. Typed characters are undone together.
func (e *Editor) remember(typed bool) {
	if !(typed && e.typing) {
		e.undo = append(e.undo, state{e.text, e.at})
		if len(e.undo) > maxUndo {
			e.undo = e.undo[1:]
		}
	}
	e.typing = typed
}

// Undo takes back the last change.
func (e *Editor) Undo() {
	if n := len(e.undo); n > 0 {
		e.text, e.at, e.goal = e.undo[n-1].text, e.undo[n-1].at, -1
		e.undo, e.typing = e.undo[:n-1], false
	}
}
