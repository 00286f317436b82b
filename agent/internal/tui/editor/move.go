package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Left moves the cursor by a character.
func (e *Editor) Left() { e.move(e.at - e.before(e.at)) }

// Right moves the cursor by a character.
func (e *Editor) Right() {
	if e.at < len(e.text) {
		_, size := e.cluster(e.at)
		e.move(e.at + size)
	}
}

// WordLeft moves the cursor to the beginning of a word.
func (e *Editor) WordLeft() { e.move(e.wordLeft()) }

// WordRight moves the cursor behind a word.
func (e *Editor) WordRight() { e.move(e.wordRight()) }

// Home moves the cursor to the beginning of its line.
func (e *Editor) Home() { e.move(e.lineStart(e.at)) }

// End moves the cursor to the end of its line.
func (e *Editor) End() { e.move(e.lineEnd(e.at)) }

func (e *Editor) move(at int) { e.at, e.goal, e.typing = at, -1, false }

// Backspace deletes the character before the cursor.
func (e *Editor) Backspace() { e.delete(e.at-e.before(e.at), e.at, false) }

// Delete deletes the character at the cursor.
func (e *Editor) Delete() {
	if e.at < len(e.text) {
		_, size := e.cluster(e.at)
		e.delete(e.at, e.at+size, false)
	}
}

// KillWordLeft deletes to the beginning of a word.
func (e *Editor) KillWordLeft() { e.delete(e.wordLeft(), e.at, true) }

// KillWordRight deletes to the end of a word.
func (e *Editor) KillWordRight() { e.delete(e.at, e.wordRight(), true) }

// KillLeft deletes to the beginning of the line, or the line break there.
func (e *Editor) KillLeft() {
	from := e.lineStart(e.at)
	if from == e.at && from > 0 {
		from--
	}
	e.delete(from, e.at, true)
}

// KillRight deletes to the end of the line, or the line break there.
func (e *Editor) KillRight() {
	to := e.lineEnd(e.at)
	if to == e.at && to < len(e.text) {
		to++
	}
	e.delete(e.at, to, true)
}

// Yank writes again what was killed last.
func (e *Editor) Yank() { e.insert(e.killed, false) }

func (e *Editor) delete(from, to int, kill bool) {
	if from == to {
		return
	}
	e.remember(false)
	if kill {
		e.killed = e.text[from:to]
	}
	e.text = e.text[:from] + e.text[to:]
	e.at = from
	e.settle()
}

func (e *Editor) wordLeft() int {
	before := strings.TrimRightFunc(e.text[:e.at], apart)
	before = strings.TrimRightFunc(before, func(r rune) bool { return !apart(r) })
	if len(before) == e.at {
		return e.at
	}
	return e.edge(len(before))
}

func (e *Editor) wordRight() int {
	rest := strings.TrimLeftFunc(e.text[e.at:], apart)
	rest = strings.TrimLeftFunc(rest, func(r rune) bool { return !apart(r) })
	return e.edge(len(e.text) - len(rest))
}

// edge returns the edge of a character at or behind a position.
func (e *Editor) edge(at int) int {
	i := e.lineStart(at)
	for i < at {
		_, size := e.cluster(i)
		i += size
	}
	return i
}

func apart(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' && r < firstPaste
}

// Token returns the word before the cursor that begins with a sign at the beginning of the text or behind a space, without
// the sign.
func (e *Editor) Token(sign byte) (token string, ok bool) {
	start := strings.LastIndexFunc(e.text[:e.at], unicode.IsSpace)
	if start >= 0 {
		_, size := utf8.DecodeRuneInString(e.text[start:])
		start += size
	} else {
		start = 0
	}
	if start >= e.at || e.text[start] != sign {
		return "", false
	}
	return e.text[start+1 : e.at], true
}

// Complete replaces the last n bytes before the cursor.
func (e *Editor) Complete(n int, text string) {
	e.remember(false)
	from := max(e.at-n, 0)
	text = clean(text)
	e.text = e.text[:from] + text + e.text[e.at:]
	e.at = from + len(text)
	e.settle()
}

// EscapedNewline replaces a backslash before the cursor by a line break, if there is one.
func (e *Editor) EscapedNewline() bool {
	if !strings.HasSuffix(e.text[:e.at], `\`) {
		return false
	}
	e.Complete(1, "\n")
	return true
}
