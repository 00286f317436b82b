// Package highlight colours source code line by line: comments, strings, numbers and keywords of the languages that people
// write most.
//
// It promises that the text stays the same, that a line once coloured stays so whatever follows it, and that a language it
// does not know is plain. It knows tokens and no grammar, and must import nothing of the agent but tui/cells and tui/look.
package highlight
