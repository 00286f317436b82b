// Package jsonc reads JSON as people write it, with comments, trailing commas and a byte order mark, and changes one member
// of such a text while every other byte stays.
//
// It promises that what is wrong is told with file, line and column, and that no text makes it recurse without bound. It
// knows nothing of what files mean, and imports no other package of the agent.
package jsonc
