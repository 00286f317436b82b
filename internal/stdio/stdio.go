// Package stdio keeps a program's standard output for a protocol.
//
// A program that speaks a protocol on stdout is broken by any other byte there, and libraries, C code and
// child processes write to it without asking. [Take] therefore moves the two streams away at the level of
// the operating system and leaves harmless ones in their place. The package must not import any other
// package of this module.
package stdio

import "os"

// Take returns what was standard input and output, and replaces them: from then on the program and its
// children write to standard error what they write to standard output, and read an empty input. Children
// do not inherit the returned files.
//
// Call it once, before anything else runs that could write. An error leaves the streams as they were or
// half replaced; the program should exit.
func Take() (in, out *os.File, err error) { return take() }
