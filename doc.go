// Package elyra builds desktop apps that are MCP servers: the typed commands that an app's windows
// call are also the tools of an AI agent, as far as the app grants them, through the same
// validation, middleware and events, while the windows update live.
//
// A program calls [Main] with a function that builds the [App]; tests and embedders use [App.Start]
// and the [Instance] it returns. The package owns the app, its commands and the order of a call. It
// imports no window backend and no database driver: a program chooses those.
package elyra
