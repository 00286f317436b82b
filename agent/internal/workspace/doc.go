// Package workspace is what the user and a project have configured, seen together: which project it is and whether it is
// trusted, settings, keys, MCP servers with their logins and switches.
//
// Opening one reads files; it starts nothing, asks nobody and writes nothing. What a project's files define counts only if
// the project is trusted. The package joins the stores of the agent and must not import a user interface.
package workspace
