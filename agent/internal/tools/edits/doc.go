// Package edits replaces pieces of a text by what a model wrote, where the model quoted them well enough.
//
// It promises that an edit is applied at the one place that it means or not at all: a quote that is found twice, or that
// is found only by guessing, is refused with the lines that come nearest. What it tolerates is what models get wrong
// without meaning another place: line ends, white space at the ends of lines, tabs for spaces, typographic quotation
// marks, a missing indentation, the line numbers in front of lines. Lines that an edit does not change keep every byte.
//
// It knows nothing of files and must not import another package of the agent.
package edits
