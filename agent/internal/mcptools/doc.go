// Package mcptools gives a model the tools of all MCP servers through two of its own, mcp_search and mcp_call, and, for
// servers whose configuration says so, each of their tools as one more.
//
// It promises that the two are the same bytes however many servers and tools there are, that without an enabled server there
// is none of them and nothing is started, and that what servers say reaches the model marked as data that a server wrote,
// cleaned and within bounds. Whether a call may run is decided outside, by the Subject of the call: the server's and tool's
// own names with a hash of what the server says about it, so that a changed tool asks again.
//
// The package must not import a user interface.
package mcptools
