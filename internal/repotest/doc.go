// Package repotest keeps the promises that ARCHITECTURE.md makes about the repository itself: which
// dependencies there are, which package may import which, how long a file may be, what has a comment,
// and which names and habits stay out.
//
// It has tests only, so plain `go test` runs them and no program links them. They read the source of
// every module of the repository and ask `go list`; they need no network once the modules are
// downloaded. Each check is one file: a function over plain data, a table that shows that the function
// can fail, and a test that applies it to the repository. A message says how to mend what it found.
//
// It imports nothing of this module: what it judges must not be able to break it.
package repotest
