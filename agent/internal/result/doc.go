// Package result owns what becomes of a tool's result before a model, a screen or a session file gets it: text without
// what a terminal would obey or a reader could not see, images that a provider takes, a bounded size with the whole in a
// file, and a check of structured output against its schema.
//
// It promises that no result fails or blocks: what cannot be shown is named, a cut never splits a line that fits, a
// rune or a grapheme, and no text is dropped because structured content stands beside it. The text stays the server's;
// whoever shows it to a model marks it as data.
//
// It must not import other packages of the agent.
package result
