// Package serve is the agent as an MCP server: another host delegates tasks and reviews to it over one connection, and reads
// what the project has decided.
//
// It promises that nobody is asked anything; that a task has only what its mode gives it, whatever it says; that tasks run one
// at a time, and the host hears of each within a second and then at least every ten; that a cancelled call, a host that is
// gone and a signal end everything that was started, and leave the session of a task to be continued; and that what fails is
// told to the host's model in words that it can act on.
//
// It joins internal/core to the protocol and must not import a user interface. How commands are spelled is its caller's.
package serve
