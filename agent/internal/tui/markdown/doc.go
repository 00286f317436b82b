// Package markdown shows a model's Markdown on a terminal while it is still being written.
//
// It promises that a line it has called finished never changes, whatever is written after it; that only the block at the
// end, which may still change, is looked at again, and that this work is bounded; that the text is clean whatever the model
// wrote; and that code can be copied as it is: without frames, indentation and line breaks of ours.
//
// Block and inline structure are goldmark's (CommonMark with tables, strikethrough and task lists). It must not import other
// packages of the agent than result and those below tui.
package markdown
