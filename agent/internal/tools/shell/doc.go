// Package shell judges command lines of bash before they run: what programs they start, what they write, and whether they
// only look.
//
// It promises to be wrong on one side only: what it does not understand is not read-only. It judges the text alone. What a
// program's own settings, aliases or a changed PATH make of it is not seen, so whoever decides on its verdict must keep the
// environment clean and such settings from being written. It runs nothing, reads no file, and must not import another package
// of the agent.
package shell
