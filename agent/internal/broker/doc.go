// Package broker lets a child agent use the MCP servers of its parent, over the pipes that the parent has started it with.
//
// A Conn joins the two processes: requests in both directions, many at a time, each a line of JSON-RPC. The pipes are the
// child's credential: the parent made them for it alone, nobody else can open them, and what the child may do is decided by
// the parent's end. Offers are the tools that the parent gives; Tools makes them tools of the child, with the same bytes for
// its model as the parent's own have.
//
// It promises that a child which dies, floods or writes what is no message loses its own connection and its own calls, and
// costs nobody else anything; that whether a call may run is asked in the parent for each call, whatever the child believes;
// and that calls at the same time, calls in a child's life and the length of lines are bounded.
//
// What a role may do and how children are started is package swarm's business. The package must not import a host of
// servers or a user interface.
package broker
