// Package terminal puts what servers say and ask before the person at a terminal.
//
// It owns the terminal device, the questions of MCP servers (elicitation: a yes or no, a form, a web address) and the way
// foreign text is shown. It promises that a text that somebody else wrote is shown with its control characters made visible,
// that a question names who asks, that nothing is sent which the person did not see and send, and that without a terminal
// every question is declined at once.
//
// It may import internal/mcp, and must not import anything that knows about apps or servers.
package terminal
