// Package core joins the agent's parts into one that works: the model that settings and keys allow, the built-in tools, the
// tools of MCP servers, the rules that say what may run, and the session that keeps what was said.
//
// Every way to use the agent (a prompt on the command line, a terminal, a protocol) opens a Core and drives its loop. The
// package decides nothing by itself: what it joins is decided by its Options and by the parts. It must not import a user
// interface.
package core
