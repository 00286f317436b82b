// Package hosttest is a program for tests: an MCP server that behaves well, or in one of the ways in which real servers
// misbehave. A test binary becomes that program by calling Main in its TestMain.
//
// Only tests may import it.
package hosttest
