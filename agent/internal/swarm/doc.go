// Package swarm gives a model the tool agent, by which it has child agents work for it, several at once.
//
// A child is this program again, in a process of its own, which is told its task over its standard input and answers over its
// standard output. It reaches the MCP servers of its parent through package broker and starts none itself. A role says what
// it may do: a planner only reads, and calls only tools of MCP servers that say that they only read; a worker has the
// parent's own tools besides, which run in the parent.
//
// It promises that the role and the user's consent are decided in the parent for each call, whatever a child says of itself;
// that one worker is at work at a time; that a user who ends the work ends the child and its parent's turn; that children at
// once, their time, their answers and what they say meanwhile are bounded; that a child has no children; that what a child
// has used is counted, also when it was ended in the middle; and that its processes are gone when its work has ended,
// whichever way.
//
// What a child's agent is made of is decided by who calls Serve, and what it is given by the Kit. The package must not import
// a host of servers, package core or a user interface.
package swarm
