// Package config owns where MCP servers come from: seven files of four hosts, their formats, the expansion of variables,
// and the little environment that a server gets. It adds and removes servers in the agent's own two files.
//
// It promises that one mistake costs one entry and never a file, and that each is told with file, line, column and JSON
// path; that a project's files are not read for servers before the project is trusted; that the last file which names a
// server decides about it alone; and that what other hosts own is never written to. Loading starts nothing.
//
// A file's texts are foreign: their size, number and depth are bounded, and no argument, URL, header or value of a variable
// is put into a problem, since any of them may be a secret.
//
// It imports home and leaves of the root module, and must not import what uses servers.
package config
