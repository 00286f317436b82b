// Package tui is the agent's interface at a terminal: it shows what happens in a conversation, and takes what the user
// says, orders and answers.
//
// What is finished goes into the terminal's own scrollback and is never touched again; below it a live region shows what is
// still going on, the editor and the state. It promises that nothing foreign reaches the terminal but text; that a question
// is never answered by keys that were pressed before it could be read; that no size and no event makes it panic; and that
// it keeps working without colours, on terminals of 20 columns and, in plain mode, without redrawing anything.
//
// It knows the events of a conversation (loop, model) and decides nothing: commands, models, sessions, files and approvals
// belong to others, who pass what they offer in Options. It must not import cli, host, session, settings or permission.
package tui
