// Package host owns the lives of the configured MCP servers: it starts each when it is first needed, shares its one
// connection among all callers, lists what it offers, calls its tools, brings its questions to the user, starts it again
// when it ended, and ends it with the program.
//
// It promises that a server which hangs, crashes, floods or lies costs its callers an error and others nothing; that two
// callers never start a server twice; that a call is repeated only when it certainly was not delivered, or when its tool
// says that repeating it does no harm; and that after Close no process and no goroutine is left. What servers say is
// untrusted text, handed on as it came.
//
// Which servers there are, whether they are trusted and how they are logged in to is decided outside: by packages config,
// trust and oauth. The package must not import a user interface or a model.
package host
