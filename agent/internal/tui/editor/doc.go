// Package editor is the text that a user is writing: several lines with a cursor, a history, undo, and pasted texts that
// stand in it as one character each.
//
// It promises that the cursor is always at the edge of what a reader takes for a character, that the text has no control
// characters, and that nothing written is lost by going through the history. It knows neither keys nor a screen, and must
// not import other packages of the agent than result and tui/cells.
package editor
