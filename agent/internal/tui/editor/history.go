package editor

import "slices"

// maxHistory bounds what is remembered.
const maxHistory = 1000

// history is what was written before.
type history struct {
	past  []string // oldest first
	place int      // len(past): what is being written
	draft string
}

func newHistory(past []string) history {
	past = slices.Clone(past[max(len(past)-maxHistory, 0):])
	return history{past: past, place: len(past)}
}

func (h *history) leave() { h.place, h.draft = len(h.past), "" }

// Remember adds a text to the history.
func (e *Editor) Remember(text string) {
	h := &e.history
	if n := len(h.past); text != "" && (n == 0 || h.past[n-1] != text) {
		h.past = append(h.past, text)
	}
	if len(h.past) > maxHistory {
		h.past = h.past[1:]
	}
	h.leave()
}

// Older puts the text before the present one of the history in place of the text.
func (e *Editor) Older() {
	if e.place == 0 {
		return
	}
	if e.place == len(e.past) {
		e.draft = e.text
	}
	e.place--
	e.recall(e.past[e.place])
}

// Newer goes the other way, at last to what was being written.
func (e *Editor) Newer() {
	if e.place >= len(e.past) {
		return
	}
	e.place++
	if e.place == len(e.past) {
		e.remember(false)
		e.text, e.at, e.goal = e.draft, len(e.draft), -1
		return
	}
	e.recall(e.past[e.place])
}

func (e *Editor) recall(text string) { e.Set(text) }
